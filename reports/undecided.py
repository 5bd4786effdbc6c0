"""Notes for tables of runs in which the LLM judge left strict failures ungraded, or did not read
the steps before the first nudge, or in which these could not be graded.

A cascade's verdicts are in the first case a selection: strict passes are in, strict failures are
not. In the second they are those of the strict grader. In the third those of all graders are a
selection: what needed no nudge is in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grader.grader_names import BEFORE_NUDGE, CASCADE, LENIENT

from .frames import RunFrames
from .wording import counted

UNJUDGED = (
    "the cascade without nudges is the strict grader alone, compared with one that has an LLM judge"
)


def range_note(runs: Iterable[RunFrames]) -> str:
    """A note for tables whose rates are ranges; "" if no rate is one."""
    if not any(run.undecided(CASCADE) for run in runs):
        return ""
    return "A rate from–to is the range left by strict failures without an LLM verdict."


def left_out_note(runs: Mapping[str, RunFrames], before_nudge: bool = False) -> str:
    """A note for tables that leave such transcripts out, with their numbers by run; "" if there are
    none. before_nudge: the table also grades the steps before the first nudge."""
    graders = {CASCADE: "", **({CASCADE + BEFORE_NUDGE: " without nudges"} if before_nudge else {})}
    found = _numbers(runs, graders)
    if not found:
        return ""
    return (
        "Caution: strict failures without an LLM verdict are left out of the cascade's figures, "
        f"which favours it ({found})."
    )


def untested_note(runs: Mapping[str, RunFrames]) -> str:
    """A note for tables of tests, which make none of a cascade with such transcripts; "" if there
    are none."""
    found = _numbers(runs, {CASCADE: ""})
    if not found:
        return ""
    return (
        f"Caution: the cascade is not tested where strict failures have no LLM verdict ({found}). "
        "Those that are graded are a selection by outcome, which favours it."
    )


def _numbers(runs: Mapping[str, RunFrames], graders: Mapping[str, str]) -> str:
    """How many transcripts are undecided in each run, for each cascade and its description."""
    return "; ".join(
        f"{len(undecided)} of {counted(len(run), 'transcript')}{how}{f' in {name}' if name else ''}"
        for name, run in runs.items()
        for grader, how in graders.items()
        if (undecided := run.undecided(grader))
    )


def not_before_note(frames: RunFrames) -> str:
    """A note for tables of grades with and without nudges: how many nudged transcripts could be
    graded only with them (where a record has but a preview of earlier steps); "" if none."""
    complete = frames.passed(frames.strict_layer)
    before = frames.verdicts(frames.strict_layer + BEFORE_NUDGE)
    left = sum(before.get(key) == "ungraded" for key in complete)
    if not left:
        return ""
    nudged = counted(int((frames.transcripts["n_nudges"] > 0).sum()), "nudged transcript")
    return (
        f"Caution: the steps before the first nudge of {left:,} of {nudged} could not be graded. "
        "Rows without nudges leave these out, which favours them."
    )


def is_unjudged(frames: RunFrames) -> bool:
    """Whether an LLM judge read strict failures, but none of the steps before the first nudge."""
    return bool(frames.verdicts(LENIENT)) and frames.lacks_judge(CASCADE + BEFORE_NUDGE)


def unjudged_note(frames: RunFrames) -> str:
    """A note for tables and figures that compare cascades with and without nudges; "" if either
    both or none of them have a judge."""
    return f"Caution: {UNJUDGED}." if is_unjudged(frames) else ""
