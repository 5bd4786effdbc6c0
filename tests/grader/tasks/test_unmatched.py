"""Task and covariate files that have nothing to do with the transcripts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grader.errors import UserError
from grader.passes.strict_pass import Handled
from grader.records import Task
from grader.tasks.index import NO_COVARIATES, NO_TASK, OTHER_ANSWER, SEVERAL_TASKS, TaskIndex
from grader.tasks.unmatched import Unmatched

TASKS = TaskIndex([Task(task_id="t1", question="q")], {"t1": {"level": "hard"}})


def graded(*unmatched: tuple[str, ...]) -> list[Handled]:
    return [
        Handled(transcript_id=f"x{n}", task_id=f"x{n}", unmatched=each)
        for n, each in enumerate(unmatched, 1)
    ]


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records]


def test_all_are_passed_on_and_counted_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    found = graded(
        (NO_TASK,), (), (NO_TASK, NO_COVARIATES), (NO_TASK,), (OTHER_ANSWER,), (SEVERAL_TASKS,)
    )
    assert list(Unmatched(TASKS).watch(found)) == found
    assert warnings(caplog) == [
        "--covariates: nothing for 1 of 6 transcripts (the first: x3)",
        "--tasks: nothing with the id and question of 3 of 6 transcripts (the first: x1)",
        "--tasks: another published answer than 1 of 6 transcripts have, which keep their own "
        "(the first: x5)",
        "--tasks: several tasks with the question of 1 of 6 transcripts, which need the task_id of "
        "one (the first: x6)",
    ]


@pytest.mark.parametrize("option", [NO_TASK, NO_COVARIATES])
def test_a_file_for_none_of_them_is_refused_before_the_first(option: str) -> None:
    passed: list[Handled] = []
    with pytest.raises(UserError, match=f"{option}: holds nothing for any of the 3 .*first: x1"):
        passed.extend(Unmatched(TASKS).watch(graded(*[(option,)] * 3)))
    assert passed == []


def test_a_transcript_is_named_with_the_task_that_a_file_needs(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A table of covariates may have the ids of transcripts in place of tasks."""
    named = [Handled(transcript_id="x1", task_id="t9", unmatched=(NO_COVARIATES,))]
    with pytest.raises(UserError, match=r"\(the first: x1, of task t9\)"):
        list(Unmatched(TASKS).watch(named))
    list(Unmatched(TASKS).watch([*named, *graded(())]))
    assert warnings(caplog) == [
        "--covariates: nothing for 1 of 2 transcripts (the first: x1, of task t9)"
    ]


def test_other_answers_are_no_reason_to_refuse_a_file() -> None:
    found = graded(*[(OTHER_ANSWER,)] * 3)
    assert list(Unmatched(TASKS).watch(found)) == found


def test_what_matches_is_not_held_back() -> None:
    def endless() -> Iterator[Handled]:
        yield from graded((NO_TASK,), (NO_COVARIATES,))
        raise AssertionError("asked for more than was needed")

    assert next(Unmatched(TASKS).watch(endless())).transcript_id == "x1"


def test_what_a_file_is_for_may_come_late(caplog: pytest.LogCaptureFixture) -> None:
    found = graded(*[(NO_COVARIATES,)] * 1100, ())
    passed = Unmatched(TASKS).watch(found)
    assert next(passed) == found[0]
    early = "--covariates: holds nothing for the first 1000 transcripts (the first: x1). Its column"
    assert [message.startswith(early) for message in warnings(caplog)] == [True]
    assert list(passed) == found[1:]
    assert (
        warnings(caplog)[1] == "--covariates: nothing for 1100 of 1101 transcripts (the first: x1)"
    )


def test_nothing_in_is_nothing_out(caplog: pytest.LogCaptureFixture) -> None:
    assert list(Unmatched(TASKS).watch([])) == [] and warnings(caplog) == []
