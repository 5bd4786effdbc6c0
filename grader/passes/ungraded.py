"""The reasons why transcripts of a run are `ungraded`, from its current grades."""

from __future__ import annotations

import json

from ..files.jsonl import read_lines
from ..grader_names import CASCADE, LENIENT
from ..records import Grade
from ..run import RunDirectory
from ..run.ledger import Ledger


def reasons(run: RunDirectory, ledger: Ledger, suffix: str, most: int) -> dict[str, str]:
    """Transcript id -> reason, for the first `most` transcripts that the cascade of this suffix
    leaves ungraded. Transcripts that wait for a judge are left out."""
    found: dict[str, str] = {}
    cascade, lenient = CASCADE + suffix, LENIENT + suffix
    for _, line in read_lines(run.grades_path):
        if b'"ungraded"' not in line:
            continue
        grade = Grade.model_validate(json.loads(line))
        is_lenient = grade.evidence.get("decided_by") == LENIENT  # whose own grade says more
        if grade.grader not in (cascade, lenient) or is_lenient:
            continue
        if grade.transcript_id not in found and len(found) >= most:
            continue
        if ledger.noted(grade.transcript_id, cascade) == "ungraded":
            found[grade.transcript_id] = _reason(grade)
    return found


def _reason(grade: Grade) -> str:
    """The grade's reason, with the detail of a judge that gives one."""
    judges = grade.evidence.get("judges", [])
    details = (judge["detail"] for judge in judges if judge.get("detail"))
    return ": ".join([grade.reason, *list(details)[:1]])
