"""Finding the task of a transcript, and completing it."""

from __future__ import annotations

import pytest

from grader.records import Task, Transcript
from grader.tasks.index import NO_COVARIATES, NO_TASK, OTHER_ANSWER, SEVERAL_TASKS, TaskIndex
from tests.grader.transcripts import QUESTION, transcript


def test_join_fills_what_is_missing_and_keeps_what_is_there() -> None:
    task = Task(task_id="t1", question=QUESTION, context="about it", ground_truth="9",
                covariates={"size": "low"})  # fmt: skip
    joined = TaskIndex([task]).complete(transcript("It is 0.25.")).transcript
    assert joined.task.context == "about it"
    assert joined.task.ground_truth == "0.25"
    assert joined.task.covariates == {"size": "low"}


def test_a_transcripts_own_covariates_are_kept() -> None:
    mine = transcript("It is 0.25.")
    mine = mine.model_copy(update={"task": mine.task.model_copy(update={"covariates": {
        "size": "high", "kind": "mean"}})})  # fmt: skip
    task = Task(task_id="t1", question=QUESTION, covariates={"size": "low", "level": "easy"})
    joined = TaskIndex([task]).complete(mine).transcript
    assert joined.task.covariates == {"size": "high", "kind": "mean", "level": "easy"}
    stated = TaskIndex([task], {"t1": {"size": "medium"}}).complete(mine).transcript
    assert stated.task.covariates == {"size": "medium", "kind": "mean", "level": "easy"}


def test_join_supplies_a_missing_truth_and_clears_the_problem() -> None:
    bare = Transcript(
        transcript_id="a", task=Task(task_id="t1"), steps=transcript("1").steps,
        problem="no_ground_truth: the record has no ground_truth",
    )  # fmt: skip
    index = TaskIndex([Task(task_id="t1", question="q", ground_truth="1")])
    joined = index.complete(bare).transcript
    assert (joined.task.ground_truth, joined.problem) == ("1", None)


def test_position_in_the_id_counts_only_if_the_question_agrees() -> None:
    tasks = [Task(task_id=f"q_{n}", question=f"question {n}?") for n in range(3)]
    index = TaskIndex(tasks)

    def find(task_id: str, question: str) -> Task | None:
        return index.find(
            Transcript(transcript_id="x", task=Task(task_id=task_id, question=question))
        )

    assert find("run_2_2", "Question  2?") == tasks[2]
    assert find("run_2_2", "question 1?") == tasks[1]
    assert find("run_2_2", "something else") is None


@pytest.mark.parametrize(
    ("asked", "is_found"),
    [
        ("How many dogs?", True),
        ("The file dogs.csv lists dogs.\nhow  many dogs? Round it.", True),
        ("", True),
        ("How many cars?", False),
    ],
)
def test_an_id_counts_only_if_the_questions_agree(asked: str, is_found: bool) -> None:
    task = Task(task_id="t3", question="How many dogs?", ground_truth="5")
    mine = Transcript(transcript_id="x", task=Task(task_id="t3", question=asked))
    index = TaskIndex([task])
    assert (index.find(mine) is task) == is_found
    assert index.complete(mine).transcript.task.ground_truth == ("5" if is_found else None)
    assert index.complete(mine).unmatched == (() if is_found else (NO_TASK,))


@pytest.mark.parametrize(
    ("asked", "by_stated", "by_position"),
    [
        ("How many dogs have a long-tail?", True, True),
        ("How many dogs have a long_tail", True, True),
        ("Please say how many of the dogs have a long tail.", True, False),
        ("How many dogs have a short tail?", False, False),
        ("What is the mean weight of the cars?", False, False),
    ],
)
def test_a_stated_id_counts_unless_the_question_is_plainly_anothers(
    asked: str, by_stated: bool, by_position: bool
) -> None:
    questions = ("How many dogs have a long tail?", "How many dogs have a short tail?")
    for name, is_found in (("t", by_stated), ("qrdata_", by_position)):
        tasks = [Task(task_id=f"{name}{n}", question=q) for n, q in enumerate(questions)]
        mine = Transcript(transcript_id="x", task=Task(task_id=f"{name}0", question=asked))
        assert (TaskIndex(tasks).find(mine) is tasks[0]) == is_found


@pytest.mark.parametrize(
    ("mine", "other", "is_same"),
    [
        ("0.28", "999", False),
        ("0.28", "0.29", False),
        ("0.28", "0.280", True),
        ("28%", "0.28", True),
        ("B", "dogs", True),
        ("B. dogs", "Dogs", True),
        ("A", "dogs", False),
        ("Texas", "texas ", True),
        ("Texas", "Kansas", False),
        (None, "5", True),
        ("5", None, True),
    ],
)
def test_another_published_answer_is_noted(
    mine: str | None, other: str | None, is_same: bool
) -> None:
    task = Task(task_id="t1", question=QUESTION, ground_truth=other, choices=("cats", "dogs"))
    recorded = transcript("1", truth=mine)
    assert TaskIndex([task]).complete(recorded).unmatched == (() if is_same else (OTHER_ANSWER,))
    assert TaskIndex([task]).complete(recorded).transcript.task.ground_truth == (mine or other)


def test_what_holds_nothing_for_a_transcript() -> None:
    task = Task(task_id="t1", question=QUESTION)
    mine, other = transcript("1"), transcript("1", Task(task_id="t2", question="other"))
    tasks, both = TaskIndex([task]), TaskIndex([task], {"t1": {"level": "hard"}})
    for index, nothing in ((tasks, (NO_TASK,)), (both, (NO_TASK, NO_COVARIATES))):
        assert index.complete(mine).unmatched == ()
        assert index.complete(other).unmatched == nothing


def test_a_question_of_several_tasks_is_not_called_unknown() -> None:
    tasks = [Task(task_id=f"t{n}", question=QUESTION, ground_truth="1") for n in range(2)]
    mine = transcript("1", Task(task_id="x", question=QUESTION, ground_truth="1"))
    assert TaskIndex(tasks).complete(mine).unmatched == (SEVERAL_TASKS,)
    assert TaskIndex(tasks[:1]).complete(mine).unmatched == ()


def test_an_id_that_ends_in_many_digits() -> None:
    task = Task(task_id="9" * 5000, question="q?")
    assert TaskIndex([]).find(Transcript(transcript_id="x", task=task)) is None


@pytest.mark.parametrize(
    ("stated", "of_file", "kind"),
    [
        ({"truth": "12 days", "kind": "text"}, {"truth": "12 days", "kind": "number"}, "text"),
        ({"truth": "12 days", "kind": "number"}, {"truth": "12 days", "kind": "text"}, "text"),
        ({"truth": None, "kind": "text"}, {"truth": "12 days", "kind": "number"}, "text"),
        ({"truth": None, "kind": "number"}, {"truth": "5%", "kind": "percent"}, "percent"),
        ({"truth": "B", "kind": "choice"}, {"truth": "3", "kind": "number"}, "choice"),
    ],
)
def test_a_kind_that_is_stated_is_kept(stated: dict, of_file: dict, kind: str) -> None:
    mine, found = (
        Task(task_id="t", question="How long?", ground_truth=d["truth"], answer_kind=d["kind"])
        for d in (stated, of_file)
    )
    made = Transcript(transcript_id="a", task=mine, steps=transcript("1").steps)
    index = TaskIndex([found])
    joined = index.complete(made).transcript
    assert joined.task.answer_kind == kind
    assert index.complete(joined).transcript.task == joined.task
