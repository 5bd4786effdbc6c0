"""What a pass says of the grades that a run has already, and takes over from them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.passes.grading import grade_run
from grader.passes.plan import Plan
from grader.passes.validity_after import validity_after
from grader.run import RunDirectory
from grader.run.validity import Validity
from grader.settings import GradeSettings
from tests.graded import PLAN, add_grades
from tests.grader.passes.test_ungraded import made
from tests.grader.strict_runs import STRICT, THREE, grade

WIDE = Plan(graders=STRICT.graders, settings=GradeSettings(relative_tolerance=0.5))
FEWER = Plan(graders=STRICT.graders, before_nudge=True)
OPEN = Plan(graders=STRICT.graders, settings=GradeSettings(region_threshold=0.2))


def forgotten(path: Path) -> RunDirectory:
    """The run at a path, its manifest without the settings of its grades."""
    run = RunDirectory(path)
    manifest = run.manifest()
    del manifest["grading"]
    run.manifest_path.write_text(json.dumps(manifest))
    return run


def test_judges_that_the_manifest_forgot_are_those_of_the_last_grade_that_had_some(
    tmp_path: Path,
) -> None:
    run = RunDirectory.create(tmp_path)
    judged = made("a", "lenient", "correct", judged_by="j")
    add_grades(run, [judged, made("b", "strict_keyword", "correct")])
    assert validity_after(forgotten(tmp_path), PLAN, None).counts("lenient", judged.evidence)


@pytest.mark.parametrize(
    ("first", "then", "warning"),
    [
        (STRICT, STRICT, None),
        (STRICT, WIDE, None),
        (STRICT, FEWER, None),
        (WIDE, FEWER, "the grades of all steps were made with other settings"),
    ],
)
def test_only_grades_of_the_other_pass_are_said_not_to_count(
    tmp_path: Path, first: Plan, then: Plan, warning: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    grade(tmp_path, THREE, first)
    grade_run(forgotten(tmp_path), None, then)
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == (warning is not None)
    assert all(str(warning) in one for one in told)


@pytest.mark.parametrize(("then", "is_said"), [(STRICT, False), (WIDE, False), (OPEN, True)])
def test_fields_that_keep_their_settings_are_told_of_only_if_they_would_differ(
    tmp_path: Path, then: Plan, is_said: bool, caplog: pytest.LogCaptureFixture
) -> None:
    grade(tmp_path, THREE)
    grade(tmp_path, None, then)
    assert ("outcomes and per-step fields keep the settings" in caplog.text) == is_said
    assert Validity.stated_in(RunDirectory(tmp_path).manifest()) is not None
