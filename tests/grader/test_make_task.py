from __future__ import annotations

import pytest

from grader import grade
from grader.cascade import strict_grades
from grader.make_task import make_task, with_kind
from grader.records import AnswerKind, Step, Task, Transcript
from grader.settings import GradeSettings


@pytest.mark.parametrize(
    ("truth", "choices", "stated", "kind"),
    [
        ("0.2", (), None, "number"),
        ("5%", (), None, "percent"),
        ("B", ("cats", "dogs"), None, "choice"),
        ("red", (), None, "text"),
        ("2", (), "text", "text"),
        (None, ("cats", "dogs"), None, "choice"),
    ],
)
def test_the_kind_of_answer_is_inferred_unless_it_is_stated(
    truth: object, choices: tuple[str, ...], stated: AnswerKind | None, kind: AnswerKind
) -> None:
    made = make_task("t", "q?", truth, choices, kind=stated)
    assert made == Task(
        task_id="t", question="q?", ground_truth=truth, answer_kind=kind, choices=choices
    )
    given = {} if stated is None else {"answer_kind": stated}
    by_hand = Task(task_id="t", question="q?", ground_truth=truth, choices=choices, **given)
    assert with_kind(by_hand) == made
    assert with_kind(Task.model_validate_json(by_hand.model_dump_json())) == made


def test_a_task_is_graded_by_its_own_kind_however_it_came() -> None:
    by_hand = Task(task_id="t", question="Which colour?", ground_truth="red")
    for task in (by_hand, Task.model_validate(by_hand.model_dump())):
        assert grade("It is red.", task).verdict == "correct"
        steps = (Step(raw_output="It is red."),)
        transcript = Transcript(transcript_id="a", task=task, steps=steps)
        (one,) = strict_grades(transcript, ["strict_blind"], GradeSettings())
        assert one.verdict == "correct"


@pytest.mark.parametrize("truth", [None, float("nan"), "nan", " ", "N/A"])
def test_what_stands_for_no_published_answer(truth: object) -> None:
    assert make_task("t", "q?", truth).ground_truth is None
    assert make_task("t", "q?", "None", ("None", "Some")).ground_truth == "None"


@pytest.mark.parametrize(
    ("kind", "wants"), [("number", True), ("percent", True), ("choice", False), ("text", False)]
)
def test_a_task_knows_whether_it_wants_a_number(kind: AnswerKind, wants: bool) -> None:
    task = Task(task_id="t", answer_kind=kind)
    assert task.wants_number is wants
    assert "wants_number" not in task.model_dump()
