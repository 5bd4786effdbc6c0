"""Figure 2: cumulative passes, and human matches, over transcripts in evaluation order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from grader.grader_names import BEFORE_NUDGE, CASCADE, base_name

from ..frames import RunFrames
from ..undecided import unjudged_note
from ..wording import sentences
from .style import BLUE, GREEN, INK, ORANGE, RED, Picture, new_figure, picture, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDE, NARROW = 3.4, 1.5
CAPTION = (
    "Each line counts the transcripts that a grader passed so far, or whose answer matches by the "
    "human label. Dashed and dotted: the same graders on the steps before the first nudge."
)
SHADED = "Shaded: the range left by strict failures without an LLM verdict."


class _Line(NamedTuple):
    """A grader's line: with nudges solid, without them dashed, as in the paper."""

    grader: str
    name: str
    colour: str
    dash: str


class _End(NamedTuple):
    """Where a line ends, how much more it may be once all are decided, and what it is called."""

    total: int
    name: str
    colour: str = INK
    open: int = 0

    @property
    def figure(self) -> str:
        return f"{self.total:,}" + (f"–{self.total + self.open:,}" if self.open else "")

    @property
    def height(self) -> float:
        return self.total + self.open / 2


def _lines(frames: RunFrames) -> list[_Line]:
    """The lines of the graders that passed or failed some transcript."""
    strict, cascade = frames.layers
    lines = (
        _Line(cascade, "Cascade", GREEN, "-"),
        _Line(strict, "Strict", BLUE, "-"),
        _Line(cascade + BEFORE_NUDGE, "Cascade, no nudge", ORANGE, "--"),
        _Line(strict + BEFORE_NUDGE, "Strict, no nudge", RED, ":"),
    )
    return [line for line in lines if frames.passed(line.grader)]


def cumulative(frames: RunFrames) -> dict[str, npt.NDArray[np.int64]]:
    """Running count of passes by grader along the run, and of human matches under "human" if all
    transcripts that can be graded are labelled."""
    curves = {
        grader: _count(frames, (key for key, is_pass in frames.passed(grader).items() if is_pass))
        for grader, *_ in _lines(frames)
    }
    matches = frames.human_matches
    if matches and not _unlabelled(frames):
        curves["human"] = _count(frames, (key for key, is_match in matches.items() if is_match))
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
        top = 1.06 * max(1, *(end.total + end.open for end in ends))
        _set_axes(axes, len(frames), top)
        _name_lines(axes, ends, gap=0.068 * top)
        said = "; ".join(f"{end.name} {end.figure}" for end in ends)
        remarks = sentences(
            SHADED if any(end.open for end in ends) else "",
            _unlabelled_note(frames),
            _ungraded_note(frames),
            unjudged_note(frames),
        )
        return picture(
            figure,
            "cumulative",
            "Figure 2. Cumulative passes over transcripts",
            sentences(CAPTION, remarks),
            sentences(f"Line chart of running counts. Final counts: {said}.", remarks),
        )


def _count(frames: RunFrames, counted: Iterable[str]) -> npt.NDArray[np.int64]:
    """The running count of some transcripts along the run."""
    return np.cumsum(frames.transcripts.index.isin(list(counted)))


def _unlabelled(frames: RunFrames) -> int:
    """The number of transcripts that can be graded but have no human label."""
    problems = frames.transcripts["problem"]
    return int((problems.isna() & ~problems.index.isin(list(frames.human_matches))).sum())


def _unlabelled_note(frames: RunFrames) -> str:
    """The reason why there is no line of human matches, if there are labels."""
    missing, labelled = _unlabelled(frames), len(frames.human_matches)
    if not labelled or not missing:
        return ""
    return f"No line of human matches: {labelled:,} of {labelled + missing:,} labelled."


def _ungraded_note(frames: RunFrames) -> str:
    """The numbers of transcripts that a line's grader did not grade; "" if there are none."""
    left = {
        name: len(frames) - len(frames.passed(grader)) - len(frames.undecided(grader))
        for grader, name, *_ in _lines(frames)
    }
    said = ", ".join(f"{name} {number:,}" for name, number in left.items() if number)
    return f"Not graded, and drawn as not passed: {said}." if said else ""


def spread(values: list[float], gap: float) -> list[float]:
    """Heights for labels of `values`, in the same order, at least `gap` apart and moved little."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    heights = list(values)
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
    """Draw the lines, each narrower than the one under it, so that where they are one all are seen;
    the human one on top."""
    steps = np.arange(1, len(frames) + 1)
    ends = []
    if "human" in curves:
        axes.plot(steps, curves["human"], color=INK, lw=1.1, dashes=(1, 1), zorder=4)
        ends.append(_End(int(curves["human"][-1]), "Human match"))
    for grader, name, colour, dash in _lines(frames):
        passed, undecided = curves[grader], frames.undecided(grader)
        if undecided:
            most = passed + _count(frames, undecided)
            axes.fill_between(steps, passed, most, color=colour, alpha=0.16, lw=0)
        width = WIDE if base_name(grader) == CASCADE else NARROW
        axes.plot(steps, passed, color=colour, linestyle=dash, lw=width)
        ends.append(_End(int(passed[-1]), name, colour, len(undecided)))
    return ends


def _set_axes(axes: Axes, transcripts: int, top: float) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set(xlim=(0, transcripts), ylim=(0, top))
    axes.set_xlabel(f"Transcripts in evaluation order (n = {transcripts:,})")
    axes.set_ylabel("Passed or matched (count)")
    axes.grid(axis="y")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))


def _name_lines(axes: Axes, ends: list[_End], gap: float) -> None:
    """Write count and name to the right of each line's end, at least `gap` apart."""
    heights = spread([end.height for end in ends], gap)
    for end, height in zip(ends, heights, strict=True):
        axes.annotate(
            f"{end.figure}  {end.name}",
            (1.015, height),
            xycoords=("axes fraction", "data"),
            color=INK,
            va="center",
            annotation_clip=False,
            bbox={"boxstyle": "square,pad=0.12", "fc": "none", "ec": "none"},
        )
        axes.plot(
            [1.0, 1.01],
            [end.height, height],
            color=end.colour,
            lw=1.4,
            clip_on=False,
            transform=axes.get_yaxis_transform(),
        )
