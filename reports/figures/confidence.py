"""Figure S.1: pass rate by answer-region score, and the reliability of the stated confidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotate.shown_numbers import show_level, show_number
from annotate.statistics.reliability import Reliability

from ..frames import RunFrames
from ..measures import confidence_bands, score_bands
from .style import BLUE, INK, MUTED, ORANGE, Picture, new_figure, picture, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CAPTION = (
    f"Points with Wilson {show_level()} intervals, n beside each band. Left: the region score is "
    "an overlap, not a probability. Right: how often the blind grade agrees with the human label, "
    "weighted for the sampling design of the labels; a reliable confidence lies on the diagonal. "
    "Left out: grades without a score or, at the right, a confidence (words, options)."
)


def draw_confidence(frames: RunFrames) -> Picture | None:
    """Figure S.1; the right panel needs labels. None if no grade carries a score."""
    score, stated = score_bands(frames), confidence_bands(frames)
    if not score.n and not stated.n:
        return None
    with styled("confidence"):
        figure = new_figure(7.6, 3.7)
        left, right = figure.subplots(1, 2)
        left.set_title("Strict pass by region score")
        left.set_xlabel("Answer-region confidence score")
        left.set_ylabel("Strict pass rate (%)")
        left.set_xlim(-0.03, max(1.03, score.bands[-1].high + 0.03))
        _draw(left, score, BLUE, "o")
        right.set_title("Blind grade: reliability")
        right.set_xlabel("Stated confidence (mean of band)")
        right.set_ylabel("Agrees with the label (%)")
        right.set_xlim(-0.03, 1.03)
        right.plot([0, 1], [0, 100], color=MUTED, lw=1, linestyle="--")
        _draw(right, stated, ORANGE, "s")
        if stated.n:
            right.text(
                0.03,
                0.97,
                f"Brier {show_number(stated.brier, 3)}\nn = {stated.n:,} labelled",
                transform=right.transAxes,
                va="top",
                color=INK,
            )
        else:
            right.text(
                0.5, 0.5, "needs human labels", transform=right.transAxes, ha="center", color=INK
            )
        return picture(
            figure,
            "confidence",
            "Figure S.1. Pass rate by confidence band",
            CAPTION,
            f"Strict pass by region score: {_said(score)}. Blind: {_said(stated)}.",
        )


def _draw(axes: Axes, found: Reliability, colour: str, marker: str) -> None:
    axes.set_ylim(-3, 108)
    axes.set_yticks(range(0, 101, 20))
    axes.grid(axis="y")
    for band in found.bands:
        hits = band.hits
        if band.mean is None or hits.value is None or hits.low is None or hits.high is None:
            continue
        axes.plot([band.mean] * 2, [100 * hits.low, 100 * hits.high], color=colour, lw=1.3)
        axes.plot(band.mean, 100 * hits.value, marker, color=colour, ms=6)
        near_right = band.mean > axes.get_xlim()[1] - 0.12
        axes.annotate(
            f"{hits.n:,}",
            (band.mean, 100 * hits.value),
            fontsize=8,
            color=INK,
            xytext=(-6 if near_right else 6, 0),
            textcoords="offset points",
            ha="right" if near_right else "left",
            va="center",
        )


def _said(found: Reliability) -> str:
    bands = [b for b in found.bands if b.hits.n]
    return (
        ", ".join(f"{b.low:.1f}–{b.high:.1f} {b.hits.successes}/{b.hits.n}" for b in bands)
        or "none"
    )
