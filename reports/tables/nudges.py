"""Table 2: what nudging recovered."""

from __future__ import annotations

from annotate.rates import rate, show_percent

from ..frames import RunFrames
from ..names import BEFORE_NUDGE, CASCADE, KEYWORD
from ..table import Column, Table, show_count

COLUMNS = (
    Column("Before the first nudge", "category", numeric=False),
    Column("n", "n", show_count),
    Column("Share of nudge-recovered", "share", lambda r: show_percent(r.value)),
)


def nudges_table(frames: RunFrames) -> Table | None:
    """Table 2: the nudge-recovered transcripts by what was there before the first nudge.

    None if nothing was recovered by a nudge, or if the steps before it were not graded.
    """
    grader = next(
        (g for g in (CASCADE + BEFORE_NUDGE, KEYWORD + BEFORE_NUDGE) if g in frames.grades), None
    )
    table = frames.transcripts
    recovered = list(table.index[table["outcome"] == "nudge_recovered"])
    if grader is None or not recovered:
        return None
    verdicts = frames.verdicts(grader)
    found = [verdicts.get(key, "ungraded") for key in recovered]
    n = {v: found.count(v) for v in ("correct", "incorrect", "no_answer", "ungraded")}
    counts = [
        ("Answer not detected", n["no_answer"]),
        ("Answer detected", n["correct"] + n["incorrect"]),
        ("  of which matches the truth", n["correct"]),
        ("  of which does not match", n["incorrect"]),
        *([("Not graded", n["ungraded"])] if n["ungraded"] else []),
        ("Nudge-recovered, total", len(recovered)),
    ]
    return Table(
        "nudges",
        "Table 2. What nudging recovered",
        COLUMNS,
        tuple({"category": c, "n": k, "share": rate(k, len(recovered))} for c, k in counts),
        f"Detected and matched as graded by {grader} on the steps before the first nudge.",
    )
