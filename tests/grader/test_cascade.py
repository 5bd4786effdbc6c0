"""One verdict from strict and lenient grades."""

from __future__ import annotations

import pytest

from grader.cascade import check_graders, combine
from grader.records import Grade


def made(grader: str, verdict: str) -> Grade:
    return Grade(transcript_id="a", task_id="t", grader=grader, verdict=verdict, value=grader)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("strict", "lenient", "verdict", "decided_by"),
    [
        ("correct", None, "correct", "strict_keyword"),
        ("incorrect", None, "incorrect", "strict_keyword"),
        ("incorrect", "correct", "correct", "lenient"),
        ("no_answer", "incorrect", "incorrect", "lenient"),
        ("incorrect", "ungraded", "ungraded", "lenient"),
        ("correct", "incorrect", "correct", "strict_keyword"),
    ],
)
def test_combine(strict: str, lenient: str | None, verdict: str, decided_by: str) -> None:
    grades = [made("strict_heuristic", "correct"), made("strict_keyword", strict)]
    if lenient:
        grades.append(made("lenient", lenient))
    cascade = combine(grades)
    assert (cascade.verdict, cascade.evidence["decided_by"]) == (verdict, decided_by)


def test_a_grader_named_twice_grades_once() -> None:
    named = ("lenient", "strict_blind", "lenient", "strict_keyword", "strict_blind")
    assert check_graders(named) == ("lenient", "strict_blind", "strict_keyword")
