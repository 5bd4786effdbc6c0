"""Table S.5: final responses whose printed output and prose end in different numbers."""

from __future__ import annotations

from collections import Counter

from ..frames import RunFrames
from ..table import Column, Table
from ..wording import counted

COLUMNS = (
    Column("Transcript", "transcript_id", numeric=False),
    Column("Question", "question", lambda q: q if len(q) <= 70 else q[:69] + "…", numeric=False),
    Column("Truth", "ground_truth"),
    Column("Output", "execution"),
    Column("Prose", "verbal"),
    Column("Off the truth", "wrong", numeric=False),
    Column("What the wrong number is", "reason", numeric=False),
)


def disagreements_table(frames: RunFrames) -> Table:
    """Table S.5 of the tasks that ask for a number, by the last-number parser, with the count the
    keyword parser leaves."""
    found = frames.disagreements
    asked = int(frames.transcripts["wants_number"].sum())
    reasons = ", ".join(f"{n} {r}" for r, n in Counter(d.reason for d in found).most_common())
    note = (
        "Tasks that ask for a number. "
        f"Last-number parser: disagreement in {len(found)} of "
        f"{counted(asked, 'final response')}{f' ({reasons})' if reasons else ''}. "
        f"{_keyword_note(frames)}"
    )
    return Table(
        "disagreements",
        "Table S.5. Verbal–execution disagreements",
        COLUMNS,
        tuple(d._asdict() for d in found),
        note,
    )


def _keyword_note(frames: RunFrames) -> str:
    agree = frames.transcripts["halves_agree"].dropna().tolist()
    if not agree:
        return "Keyword-anchored parser: no final response has a scalar in both halves."
    apart = agree.count(False)
    return f"Keyword-anchored parser: {apart} of the {len(agree)} with a scalar in both halves."
