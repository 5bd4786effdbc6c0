"""Grades written by hand, recorded as grading passes with default settings leave them."""

from __future__ import annotations

from collections.abc import Iterable

from grader.grader_names import GRADERS
from grader.passes.plan import Plan
from grader.records import Grade
from grader.run import RunDirectory
from grader.run.validity import Validity

PLAN = Plan(graders=GRADERS)


def validity(judged_by: str | None = None) -> Validity:
    """Of a run both of whose passes were made with default settings."""
    made = PLAN.made_with(judged_by)
    return Validity(after_nudges=made, before_nudge=made)


def add_grades(run: RunDirectory, grades: Iterable[Grade]) -> None:
    """Append grades, which count from now on, those of one judge if there are any."""
    judged_by = None
    with run.append_grades() as appender:
        for grade in grades:
            judged_by = grade.evidence.get("judged_by", judged_by)
            appender.add(PLAN.stamp(grade))
    run.update_manifest(grading=validity(judged_by).model_dump(mode="json", exclude_none=True))
