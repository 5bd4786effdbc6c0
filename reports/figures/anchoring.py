"""Figure 4: the share of the question's words that each turn repeats, by nudge mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from annotate.shown_numbers import show_level
from annotate.statistics.rates import LEVEL

from ..frames import RunFrames
from ..names import MODE_TITLES, capitalised
from ..wording import sentences
from .style import BLUE, INK, MUTED, Picture, new_figure, picture, styled, wrapped

MAX_TRACES = 150
TITLE_WIDTH = 28  # characters of a title that a panel is wide enough for
MOST_TICKS = 8  # turns whose number and n a panel is wide enough for
CAPTION = (
    f"Share of the question's content words that a turn repeats. Mean with {show_level()} interval "
    "(Student's t; none for n = 1); thin lines are single transcripts with several turns (the "
    f"first {MAX_TRACES}). Low anchoring is not by itself drift."
)


class Trace(NamedTuple):
    """Mean anchoring at each turn with the half-width of its interval (None for n = 1), n, and the
    single transcripts' traces (at most `MAX_TRACES`, the first of the run)."""

    turns: list[int]
    mean: list[float]
    half_width: list[float | None]
    n: list[int]
    singles: list[npt.NDArray[np.float64]]


def anchoring_trace(frames: RunFrames) -> Trace:
    """Anchoring score by turn over the steps that recorded one. Turn 1 is the first prompt."""
    known = frames.steps.dropna(subset=["anchoring_score"])
    trace = Trace([], [], [], [], [])
    for turn, group in known.groupby("turn")["anchoring_score"]:
        values = group.to_numpy(dtype=float)
        trace.turns.append(int(str(turn)))
        trace.mean.append(float(values.mean()))
        trace.half_width.append(half_width(values))
        trace.n.append(len(values))
    several = known.groupby("transcript_id", sort=False)["anchoring_score"]
    for _, group in several:
        if len(trace.singles) == MAX_TRACES:
            break
        if len(group) > 1:
            trace.singles.append(group.to_numpy(dtype=float))
    return trace


def half_width(values: npt.NDArray[np.float64]) -> float | None:
    """Half the width of the interval of a mean: Student's t with n - 1 degrees of freedom times the
    standard error; None for a single value."""
    from scipy.stats import t

    n = len(values)
    return float(t.ppf((1 + LEVEL) / 2, n - 1) * values.std(ddof=1) / np.sqrt(n)) if n > 1 else None


def draw_anchoring(frames: RunFrames) -> Picture | None:
    """Figure 4, a panel for each mode; None if no step recorded an anchoring score."""
    return draw_traces({capitalised(MODE_TITLES[m]): part for m, part in frames.by_mode().items()})


def draw_traces(parts: Mapping[str, RunFrames], remark: str = "") -> Picture | None:
    """Anchoring by turn, with a panel for each named run or part of a run; `remark` ends the
    caption."""
    traces = {name: anchoring_trace(part) for name, part in parts.items()}
    traces = {name: trace for name, trace in traces.items() if trace.turns}
    if not traces:
        return None
    last = max(max(trace.turns) for trace in traces.values())
    ticks = range(1, last + 1, -(-last // MOST_TICKS))
    margin = 0.3 * max(1.0, last / MOST_TICKS)
    with styled("anchoring"):
        figure = new_figure(max(4.2, 3.6 * len(traces)), 3.4)
        panels = figure.subplots(1, len(traces), sharey=True, squeeze=False)[0]
        for axes, (name, trace) in zip(panels, traces.items(), strict=True):
            for single in trace.singles:
                axes.plot(range(1, len(single) + 1), single, color=MUTED, alpha=0.16, lw=0.7)
            axes.plot(trace.turns, trace.mean, color=BLUE, marker="o", ms=4.5, zorder=3)
            for turn, mean, half in zip(trace.turns, trace.mean, trace.half_width, strict=True):
                if half is not None:
                    axes.plot([turn, turn], _ends(mean, half), color=BLUE, lw=1.2)
            for turn, n in zip(trace.turns, trace.n, strict=True):
                if turn in ticks:
                    axes.text(turn, 1.035, f"{n:,}", ha="center", fontsize=8, color=INK)
            left = 1 - 1.2 * margin
            axes.text(left, 1.035, "n", ha="right", fontsize=8, color=INK, clip_on=False)
            axes.set_title(wrapped(name, TITLE_WIDTH), pad=16)
            axes.set(xlim=(1 - margin, last + margin), ylim=(-0.02, 1.02))
            axes.set_xticks(ticks)
            axes.set_xlabel("Turn (1 = first prompt)")
            axes.grid(axis="y")
        panels[0].set_ylabel("Anchoring score (0–1)")
        said = "; ".join(f"{name}: {_said(trace)}" for name, trace in traces.items())
        return picture(
            figure,
            "anchoring",
            "Figure 4. Anchoring by turn",
            sentences(CAPTION, remark),
            f"Mean anchoring by turn, with {show_level()} interval. {said}.",
        )


def _ends(mean: float, half_width: float) -> tuple[float, float]:
    """The ends of an interval, within the bounds of the score."""
    return max(0.0, mean - half_width), min(1.0, mean + half_width)


def _said(trace: Trace) -> str:
    turns = []
    for turn, mean, half, n in zip(trace.turns, trace.mean, trace.half_width, trace.n, strict=True):
        interval = "" if half is None else "[{:.2f}, {:.2f}], ".format(*_ends(mean, half))
        turns.append(f"turn {turn} {mean:.2f} ({interval}n = {n:,})")
    return ", ".join(turns)
