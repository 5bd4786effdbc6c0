from __future__ import annotations

import pytest

from grader.make_task import make_task, with_kind
from grader.records import AnswerKind, Task


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
