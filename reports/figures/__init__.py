"""Figures of a run, each a pure function of its frames. To add one: a file and a row here."""

from __future__ import annotations

from collections.abc import Callable

from ..frames import RunFrames
from .anchoring import draw_anchoring
from .cascade import draw_cascade
from .confidence import draw_confidence
from .cumulative import draw_cumulative
from .outcomes import draw_outcomes
from .style import Picture

FIGURES: dict[str, Callable[[RunFrames], Picture | None]] = {
    "cascade": draw_cascade,
    "cumulative": draw_cumulative,
    "outcomes": draw_outcomes,
    "anchoring": draw_anchoring,
    "confidence": draw_confidence,
}


def draw_figures(frames: RunFrames) -> dict[str, Picture]:
    """Every figure the run has data for, by name."""
    drawn = {name: draw(frames) for name, draw in FIGURES.items()}
    return {name: figure for name, figure in drawn.items() if figure is not None}
