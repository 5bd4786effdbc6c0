"""Figure 3: outcomes by a task covariate (variable type, where known), and the pass rates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotate.shown_numbers import show_level
from annotate.statistics.rates import Rate
from grader.grader_names import CASCADE
from grader.invisible import one_line

from ..frames import RunFrames
from ..measures import (
    level_of,
    levels,
    match_rate,
    outcome_counts,
    outcomes_in,
    pass_rate,
    unlabelled_note,
    without_level_note,
)
from ..share import Share
from ..table import show_interval, show_rate, show_share
from ..wording import sentences
from .style import (
    BLUE,
    GREEN,
    INK,
    OUTCOME_COLOURS,
    OUTCOME_HATCHES,
    PAPER,
    Picture,
    new_figure,
    picture,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PREFERRED = "variable_type"
MAX_LEVELS = 12
CAPTION = (
    "Left: share of transcripts by pipeline outcome. Right: pass and match rates with Wilson "
    f"{show_level()} intervals. How well the agent answers and how smoothly the pipeline runs are "
    "different things."
)
BROAD_BAR = "A broad bar is the range left by strict failures without an LLM verdict."


def covariate_shown(frames: RunFrames) -> str | None:
    """The covariate that splits the figure: `variable_type`, else the first with few values."""
    names = sorted(frames.covariates, key=lambda name: name != PREFERRED)
    counts = ((name, len(level_of(frames, name).cat.categories)) for name in names)
    return next((name for name, count in counts if 1 < count <= MAX_LEVELS), None)


def draw_outcomes(frames: RunFrames) -> Picture | None:
    """Figure 3; without covariates, one bar for the whole run."""
    if not len(frames):
        return None
    covariate = covariate_shown(frames)
    of_levels = levels(frames, covariate) if covariate else {}
    parts = [("all", frames), *of_levels.items()]  # a level may be called "all" too
    with styled("outcomes"):
        figure = new_figure(7.6, 1.75 + 0.5 * len(parts))
        left, right = figure.subplots(1, 2, sharey=True, width_ratios=(1.5, 1))
        for y, (_, part) in enumerate(parts[::-1]):
            _bar(left, y, part)
            _rates(right, y, part)
        titles = [f"{_short(name)}\n(n = {len(part):,})" for name, part in parts[::-1]]
        left.set_yticks(range(len(parts)), titles)
        left.set(xlim=(0, 100), ylim=(-0.6, len(parts) - 0.4))
        left.set_xlabel("Share of transcripts (%)")
        right.set(xlim=(-2, 102))
        right.set_xlabel(f"Rate (%), {show_level()} interval")
        right.grid(axis="x")
        left.tick_params(axis="y", length=0)
        right.tick_params(axis="y", length=0)
        _legends(left, right, frames)
        title = f"Outcomes by {_short(covariate).replace('_', ' ')}" if covariate else "Outcomes"
        said = "; ".join(f"{_short(name)}: {_said(part)}" for name, part in parts)
        left_out = without_level_note(frames, [covariate] if covariate else [])
        lacking = unlabelled_note((part for _, part in parts), "a bar has no human match")
        broad = BROAD_BAR if frames.undecided(CASCADE) else ""
        caption = sentences(CAPTION, left_out, lacking, broad)
        return picture(figure, "outcomes", f"Figure 3. {title}", caption, said + ".")


def _bar(axes: Axes, y: int, part: RunFrames) -> None:
    start = 0.0
    for outcome, count in outcome_counts(part).items():
        share = 100 * count / len(part)
        axes.barh(
            y,
            share,
            left=start,
            height=0.62,
            color=OUTCOME_COLOURS[outcome],
            hatch=OUTCOME_HATCHES[outcome],
            edgecolor=PAPER,
            linewidth=1,
        )
        if share >= 7:
            axes.text(
                start + share / 2,
                y,
                f"{count:,}",
                ha="center",
                va="center",
                fontsize=8.5,
                color="#000000",
                bbox={"boxstyle": "round,pad=0.15", "fc": "#ffffffd9", "ec": "none"},
            )
        start += share


def _rates(axes: Axes, y: int, part: RunFrames) -> None:
    for offset, (_, found, colour, marker) in zip((0.2, 0, -0.2), _series(part), strict=True):
        if found.low is None or found.high is None:
            continue
        height = y + offset
        axes.plot([100 * found.low, 100 * found.high], [height] * 2, color=colour, lw=1.3)
        if found.value is not None:
            axes.plot(100 * found.value, height, marker, color=colour, ms=5)
        elif isinstance(found, Share):
            ends = [100 * (end.value or 0) for end in (found.least, found.most)]
            axes.plot(ends, [height] * 2, color=colour, lw=5, alpha=0.5, solid_capstyle="butt")


def _series(part: RunFrames) -> list[tuple[str, Rate | Share, str, str]]:
    return [
        ("Strict pass", pass_rate(part, part.strict_layer), BLUE, "o"),
        ("Cascade pass", pass_rate(part, CASCADE), GREEN, "s"),
        ("Human match", match_rate(part), INK, "D"),
    ]


def _legends(left: Axes, right: Axes, every: RunFrames) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    patches = [
        Patch(facecolor=OUTCOME_COLOURS[o], hatch=OUTCOME_HATCHES[o], edgecolor=PAPER, label=t)
        for o, t in outcomes_in(every).items()
    ]
    left.legend(
        handles=patches,
        loc="lower left",
        bbox_to_anchor=(0, 1.0),
        ncols=2,
        borderaxespad=0.3,
        handlelength=1.4,
    )
    lines = [
        Line2D([], [], color=colour, marker=marker, ms=5, lw=1.3, label=f"{name} (n = {found.n:,})")
        for name, found, colour, marker in _series(every)
        if found.n
    ]
    right.legend(handles=lines, loc="lower left", bbox_to_anchor=(0, 1.0), borderaxespad=0.3)


def _short(name: str) -> str:
    shown = one_line(name)
    return shown if len(shown) <= 28 else shown[:27] + "…"


def _said(part: RunFrames) -> str:
    """The outcomes and the rates of a part, in words."""
    counts = outcome_counts(part)
    outcomes = [f"{title} {counts[o]}" for o, title in outcomes_in(part).items()]
    rates = [
        f"{name} {show_share(found) if isinstance(found, Share) else show_rate(found)}, "
        f"{show_level()} interval {show_interval(found)}"
        for name, found, *_ in _series(part)
        if found.n
    ]
    return ", ".join([*outcomes, *rates])
