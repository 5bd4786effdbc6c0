"""Why transcripts are ungraded, as a run's current grades say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grader.passes.ungraded import reasons
from grader.records import Grade
from grader.run import RunDirectory
from grader.run.ledger import Ledger
from grader.run.validity import Validity
from tests.graded import PLAN, validity


def made(identifier: str, grader: str, verdict: str, reason: str = "", **evidence: Any) -> Grade:
    return Grade(
        transcript_id=identifier, task_id="t", grader=grader, verdict=verdict,  # type: ignore[arg-type]
        reason=reason, evidence={"settings": PLAN.fingerprint, **evidence},
    )  # fmt: skip


DOWN = {"judges": [{"detail": ""}, {"detail": "HTTP 500"}]}
GRADES = [
    made("a", "strict_keyword", "ungraded", "no_steps: none"),
    made("a", "cascade", "ungraded", "no_steps: none", decided_by="strict_keyword"),
    made("b", "lenient", "ungraded", "unreachable", **DOWN),
    made("b", "cascade", "ungraded", "unreachable", decided_by="lenient"),
    made("c", "lenient", "ungraded", "unreachable", **DOWN),
    made("c", "cascade", "ungraded", "unreachable", decided_by="lenient"),
    made("c", "lenient", "correct", "within_tolerance"),
    made("c", "cascade", "correct", "within_tolerance", decided_by="lenient"),
    made("a", "cascade:before_nudge", "ungraded", "truncated", decided_by="strict_keyword"),
]


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    run = RunDirectory.create(tmp_path)
    with run.append_grades() as appender:
        appender.add(*GRADES)
    return run


def test_the_cascade_s_reason_or_what_the_judge_says(run: RunDirectory) -> None:
    ledger = Ledger(validity(), GRADES)
    assert reasons(run, ledger, "", 9) == {"a": "no_steps: none", "b": "unreachable: HTTP 500"}
    assert reasons(run, ledger, ":before_nudge", 9) == {"a": "truncated"}
    assert list(reasons(run, ledger, "", 1)) == ["a"]


def test_the_last_reason_counts_though_no_more_are_listed(run: RunDirectory) -> None:
    later = made("a", "cascade", "ungraded", "no_output: none", decided_by="strict_keyword")
    with run.append_grades() as appender:
        appender.add(later)
    ledger = Ledger(validity(), [*GRADES, later])
    assert reasons(run, ledger, "", 1) == {"a": "no_output: none"}


def test_grades_of_other_settings_say_nothing(run: RunDirectory) -> None:
    assert reasons(run, Ledger(Validity(), GRADES), "", 9) == {}
