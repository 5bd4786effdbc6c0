"""Table 2: what nudging recovered."""

from __future__ import annotations

from typing import get_args

from annotate.shown_numbers import show_count, show_percent
from grader.grader_names import BEFORE_NUDGE
from grader.records import Verdict

from ..frames import RunFrames
from ..measures import rate_by_task
from ..table import Column, Table
from ..undecided import unjudged_note
from ..wording import sentences

COLUMNS = (
    Column("Before the first nudge", "category", numeric=False),
    Column("n", "n", show_count),
    Column("Share of nudge-recovered", "share", lambda r: show_percent(r.value)),
)
UNGRADED = "Not graded"
CATEGORIES: dict[str, tuple[Verdict, ...]] = {
    "Answer not detected": ("no_answer",),
    "Answer detected": ("correct", "incorrect"),
    "  of which matches the truth": ("correct",),
    "  of which does not match": ("incorrect",),
    UNGRADED: ("ungraded",),
    "Nudge-recovered, total": get_args(Verdict),
}


def nudges_table(frames: RunFrames) -> Table | None:
    """Table 2: the nudge-recovered transcripts by their state before the first nudge.

    None if nothing was recovered by a nudge, or if the steps before it were not graded.
    """
    strict, cascade = frames.layers
    before = (cascade + BEFORE_NUDGE, strict + BEFORE_NUDGE)
    grader = next((name for name in before if name in frames.grades), None)
    table = frames.transcripts
    recovered = list(table.index[table["outcome"] == "nudge_recovered"])
    if grader is None or not recovered:
        return None
    verdicts = frames.verdicts(grader)
    found = {key: verdicts.get(key, "ungraded") for key in recovered}
    counts = [
        (category, rate_by_task(frames, {key: verdict in of for key, verdict in found.items()}))
        for category, of in CATEGORIES.items()
    ]
    return Table(
        "nudges",
        "Table 2. What nudging recovered",
        COLUMNS,
        tuple(
            {"category": category, "n": share.successes, "share": share}
            for category, share in counts
            if share.successes or category != UNGRADED
        ),
        sentences(
            f"Detected and matched as graded by {grader} on the steps before the first nudge.",
            unjudged_note(frames),
        ),
    )
