"""Figure 2: cumulative matches over tasks in evaluation order."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from grader.grader_names import BEFORE_NUDGE, CASCADE, KEYWORD

from ..frames import RunFrames
from .style import BLUE, GREEN, INK, ORANGE, RED, Picture, new_figure, picture, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# (grader, legend, colour, dashes): with nudges solid, without dashed, as in the paper.
LINES: tuple[tuple[str, str, str, str], ...] = (
    (CASCADE, "Cascade", GREEN, "-"),
    (KEYWORD, "Strict", BLUE, "-"),
    (CASCADE + BEFORE_NUDGE, "Cascade, no nudge", ORANGE, "--"),
    (KEYWORD + BEFORE_NUDGE, "Strict, no nudge", RED, ":"),
)
CAPTION = (
    "Each line counts the transcripts passed so far. Dashed and dotted: the same graders on the "
    "steps before the first nudge."
)


class _End(NamedTuple):
    """Where a line ends, and what it is called."""

    total: int
    name: str
    colour: str = INK


def cumulative(frames: RunFrames) -> dict[str, npt.NDArray[np.int64]]:
    """Running count of passes by grader, and of human matches under "human", along the run."""
    order = list(frames.transcripts.index)
    curves = {
        grader: np.cumsum([passed.get(key, False) for key in order])
        for grader, *_ in LINES
        if (passed := frames.passed(grader))
    }
    if frames.human_matches:
        curves["human"] = np.cumsum([frames.human_matches.get(key, False) for key in order])
    return curves


def draw_cumulative(frames: RunFrames) -> Picture | None:
    """Figure 2; None if nothing was graded."""
    curves = cumulative(frames)
    if not curves or not len(frames):
        return None
    with styled("cumulative"):
        figure = new_figure(7.2, 3.8)
        axes = figure.subplots()
        ends = _plot(axes, frames, curves)
        top = 1.06 * max(1, *(end.total for end in ends))
        _set_axes(axes, len(frames), top)
        _name_lines(axes, ends, gap=0.068 * top)
        said = "; ".join(f"{end.name} {end.total}" for end in ends)
        return picture(
            figure,
            "cumulative",
            "Figure 2. Cumulative matches over transcripts",
            CAPTION,
            f"Line chart of running counts. Final counts: {said}.",
        )


def spread(values: list[int], gap: float) -> list[float]:
    """Heights for labels of `values`, in the same order, at least `gap` apart and moved little."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    heights = [float(value) for value in values]
    for _ in range(100):
        moved = False
        for low, high in pairwise(order):
            overlap = gap - (heights[high] - heights[low])
            if overlap > 1e-9:
                heights[low] -= overlap / 2
                heights[high] += overlap / 2
                moved = True
        if not moved:
            break
    return heights


def _plot(axes: Axes, frames: RunFrames, curves: Mapping[str, npt.NDArray[np.int64]]) -> list[_End]:
    """Draw the lines, the human one first."""
    steps = np.arange(1, len(frames) + 1)
    ends = []
    if "human" in curves:
        labelled = len(frames.human_matches)
        name = "Human" if labelled == len(frames) else f"Human ({labelled} labelled)"
        axes.plot(steps, curves["human"], color=INK, lw=1.1, dashes=(1, 1))
        ends.append(_End(int(curves["human"][-1]), name))
    for grader, name, colour, dash in LINES:
        if grader in curves:
            axes.plot(steps, curves[grader], color=colour, linestyle=dash)
            ends.append(_End(int(curves[grader][-1]), name, colour))
    return ends


def _set_axes(axes: Axes, transcripts: int, top: float) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set(xlim=(0, transcripts), ylim=(0, top))
    axes.set_xlabel(f"Transcripts in evaluation order (n = {transcripts:,})")
    axes.set_ylabel("Matches found (count)")
    axes.grid(axis="y")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))


def _name_lines(axes: Axes, ends: list[_End], gap: float) -> None:
    """Write count and name to the right of each line's end, at least `gap` apart."""
    heights = spread([end.total for end in ends], gap)
    for end, height in zip(ends, heights, strict=True):
        axes.annotate(
            f"{end.total:,}  {end.name}",
            (1.015, height),
            xycoords=("axes fraction", "data"),
            color=INK,
            va="center",
            annotation_clip=False,
            bbox={"boxstyle": "square,pad=0.12", "fc": "none", "ec": "none"},
        )
        axes.plot(
            [1.0, 1.01],
            [end.total, height],
            color=end.colour,
            lw=1.4,
            clip_on=False,
            transform=axes.get_yaxis_transform(),
        )
