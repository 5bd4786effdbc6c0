"""The cascade as a flow: transcripts, strict, lenient, human, with counts on the arrows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.grader_names import LENIENT

from ..flow import Flow, Humans, cascade_flow
from ..frames import RunFrames
from ..names import STRICT_KINDS
from ..wording import counted
from .style import BLUE, GREEN, INK, MUTED, ORANGE, Picture, new_figure, picture, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CAPTION = (
    "The lenient judge sees strict failures only. The lower row is what humans found in each group."
)
TOP, BOTTOM = 2.05, 0.55
WIDTH, HEIGHT = 1.62, 0.86


def draw_cascade(frames: RunFrames) -> Picture | None:
    """The flow; None without grades."""
    if not frames.grades or not len(frames):
        return None
    flow = cascade_flow(frames)
    with styled("cascade"):
        figure = new_figure(8.2, 3.1)
        axes = figure.subplots()
        axes.set(xlim=(0, 9.1), ylim=(-0.05, 2.75))
        axes.set_axis_off()
        _box(axes, 0.95, TOP, f"Transcripts\n{flow.total:,}", MUTED)
        strict = f"\nnot graded {flow.not_graded:,}" if flow.not_graded else ""
        _box(axes, 3.35, TOP, f"Strict grader\n{STRICT_KINDS[frames.strict_layer]}{strict}", BLUE)
        judged = f"{flow.judged:,} judged" if frames.verdicts(LENIENT) else "not run"
        _box(axes, 5.75, TOP, f"Lenient judge\n{judged}", GREEN)
        left = f"Not passed\n{flow.not_passed:,}"
        left += f"\nungraded {flow.ungraded:,}" if flow.ungraded else ""
        _box(axes, 8.15, TOP, left, MUTED)
        _across(axes, 0.95, 3.35, flow.total)
        _across(axes, 3.35, 5.75, flow.strict_fail)
        _across(axes, 5.75, 8.15, flow.not_passed + flow.ungraded)
        for x, group, title, colour in (
            (3.35, flow.humans["strict_pass"], f"{flow.strict_pass:,} passed", BLUE),
            (5.75, flow.humans["lenient_pass"], f"{flow.lenient_pass:,} passed", GREEN),
            (8.15, _rest(flow), None, ORANGE),
        ):
            _down(axes, x, title)
            _box(axes, x, BOTTOM, _human_text(group), colour, dashed=True)
        axes.text(0.95, BOTTOM, "Human label\nof each group", ha="center", va="center", color=INK)
        return picture(figure, "cascade", "The cascade", CAPTION, _said(flow))


def _box(axes: Axes, x: float, y: float, text: str, colour: str, dashed: bool = False) -> None:
    from matplotlib.patches import FancyBboxPatch

    axes.add_patch(
        FancyBboxPatch(
            (x - WIDTH / 2, y - HEIGHT / 2),
            WIDTH,
            HEIGHT,
            boxstyle="round,pad=0.03",
            fc="none",
            ec=colour,
            lw=1.6,
            linestyle=(0, (3, 2)) if dashed else "-",
        )
    )
    axes.text(x, y, text, ha="center", va="center", color=INK, linespacing=1.35)


def _across(axes: Axes, start: float, end: float, count: int) -> None:
    _arrow(axes, (start + WIDTH / 2 + 0.06, TOP), (end - WIDTH / 2 - 0.06, TOP))
    axes.text((start + end) / 2, TOP + 0.13, f"{count:,}", ha="center", weight="bold", color=INK)


def _down(axes: Axes, x: float, title: str | None) -> None:
    _arrow(axes, (x, TOP - HEIGHT / 2 - 0.05), (x, BOTTOM + HEIGHT / 2 + 0.05))
    if title:
        axes.text(x + 0.1, (TOP + BOTTOM) / 2, title, va="center", weight="bold", color=INK)


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    style = {"arrowstyle": "-|>", "color": MUTED, "lw": 1.3, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", end, start, arrowprops=style)


def _rest(flow: Flow) -> Humans:
    return Humans(*map(sum, zip(flow.humans["not_passed"], flow.humans["ungraded"], strict=True)))


def _human_text(group: Humans) -> str:
    lines = [f"match {group.match:,}", f"no match {group.non_match:,}"]
    return "\n".join([*lines, f"not labelled {group.not_labelled:,}"])


def _said(flow: Flow) -> str:
    return (
        f"Flow of {counted(flow.total, 'transcript')}: the strict grader passes "
        f"{flow.strict_pass} and does not grade {flow.not_graded}, the lenient judge passes "
        f"{flow.lenient_pass} of the rest, {flow.not_passed} are not passed, {flow.ungraded} left "
        "ungraded by the judge."
    )
