"""Short ways to grade transcripts into a run with the strict graders, and to compare runs."""

from __future__ import annotations

from pathlib import Path

from grader.passes.grading import grade_run
from grader.passes.plan import Plan
from grader.passes.summary import Summary
from grader.records import Transcript
from grader.run import RunDirectory
from tests.grader.transcripts import transcript

STRICT = Plan(graders=("strict_heuristic", "strict_keyword", "strict_blind"))
THREE = [
    transcript("The mean rate is 0.25.", transcript_id="a"),
    transcript("The mean rate is 0.40.", transcript_id="b"),
    transcript("No idea.", transcript_id="c", truth=None),
]


def grade(path: Path, source: list[Transcript] | None, plan: Plan = STRICT) -> Summary:
    """Grade transcripts into the run at a path; None for those that it has."""
    return grade_run(RunDirectory.create(path), source, plan)


def contents(run: Path) -> tuple[bytes, bytes]:
    """The transcripts and the grades of the run at a path, as its files hold them."""
    return (run / "transcripts.jsonl").read_bytes(), (run / "grades.jsonl").read_bytes()
