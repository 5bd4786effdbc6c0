"""Task and covariate files that have nothing to do with the transcripts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grader.errors import UserError
from grader.records import Task
from grader.strict_pass import GradedTranscript
from grader.tasks import TaskIndex
from grader.unmatched import Unmatched

TASKS = TaskIndex([Task(task_id="t1", question="q")], {"t1": {"level": "hard"}})


def graded(*unmatched: tuple[str, ...]) -> list[GradedTranscript]:
    return [GradedTranscript(f"x{n}", 0, unmatched=each) for n, each in enumerate(unmatched, 1)]


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records]


def test_all_are_passed_on_and_counted_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    found = graded(("--tasks",), (), ("--tasks", "--covariates"), ("--tasks",))
    assert list(Unmatched(TASKS).watch(found)) == found
    assert warnings(caplog) == [
        "--covariates: nothing for 1 of 4 transcripts (the first: x3)",
        "--tasks: nothing for 3 of 4 transcripts (the first: x1)",
    ]


@pytest.mark.parametrize("option", ["--tasks", "--covariates"])
def test_a_file_for_none_of_them_is_refused_before_the_first(option: str) -> None:
    passed: list[GradedTranscript] = []
    with pytest.raises(UserError, match=f"{option}: holds nothing for any of the 3 .*first: x1"):
        passed.extend(Unmatched(TASKS).watch(graded(*[(option,)] * 3)))
    assert passed == []


def test_what_matches_is_not_held_back() -> None:
    def endless() -> Iterator[GradedTranscript]:
        yield from graded(("--tasks",), ("--covariates",))
        raise AssertionError("asked for more than was needed")

    assert next(Unmatched(TASKS).watch(endless())).transcript_id == "x1"


def test_a_file_of_another_benchmark_is_refused_at_any_size() -> None:
    found = graded(*[("--covariates",)] * 1001)
    with pytest.raises(UserError, match=r"any of the first 1000 transcripts \(the first: x1\)"):
        next(Unmatched(TASKS).watch(found))


def test_nothing_in_is_nothing_out(caplog: pytest.LogCaptureFixture) -> None:
    assert list(Unmatched(TASKS).watch([])) == [] and warnings(caplog) == []
