"""Native records with the names that other data sets give their fields."""

from __future__ import annotations

import pytest

from grader.readers.native import from_native, to_native


@pytest.mark.parametrize("stated", [True, "ValueError: no such column"])
def test_a_record_of_one_step_keeps_what_was_recorded_of_it(stated: object) -> None:
    record = {
        "transcript_id": "b",
        "ground_truth": "1",
        "raw_output": "It is 1.",
        "execution_error": stated,
    }
    (step,) = from_native({**record, "elapsed_time": 2.5}).steps
    assert (step.execution_error, step.elapsed_time) == (True, 2.5)


def test_a_question_may_be_called_problem() -> None:
    record = {"transcript_id": "a", "problem": "What is 2+2?", "ground_truth": "4"}
    made = from_native({**record, "raw_output": "The answer is 4."})
    assert (made.task.question, made.problem) == ("What is 2+2?", None)
    assert from_native(to_native(made.model_copy(update={"problem": "bad"}))).problem == "bad"
    asked = {**record, "question": "What is 3+1?", "raw_output": "4"}
    assert from_native(asked).task.question == "What is 3+1?"


def test_a_chat_may_be_called_conversations() -> None:
    turns = [{"from": "human", "value": "How many?"}, {"from": "gpt", "value": "It is 3."}]
    made = from_native({"id": "a", "ground_truth": "3", "conversations": turns})
    assert made.task.question == "How many?"
    assert [step.raw_output for step in made.steps] == ["It is 3."]
    beside = from_native({"id": "a", "ground_truth": "3", "messages": [], "conversations": turns})
    assert beside == made
    lacking = from_native({"id": "a", "ground_truth": "3", "dialogue": turns})
    assert (lacking.problem or "").endswith("raw_output (its other fields: dialogue, id)")


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"answer": "3", "seed": None}, "no ground_truth (its other fields: answer)"),
        ({"target": "3", "ground_truth": None}, "no ground_truth (its other fields: target)"),
        ({"answer": "3", "ground_truth": "NA"}, "no ground_truth"),
        ({}, "no ground_truth"),
    ],
)
def test_a_record_without_a_published_answer_says_what_it_has(fields: dict, problem: str) -> None:
    made = from_native({"transcript_id": "a", "raw_output": "It is 3.", **fields})
    assert made.problem == f"no_ground_truth: the record has {problem}"


@pytest.mark.parametrize("choices", [[["A", "cats"]], [{"key": "A"}], [{"label": "A"}, "cats"]])
def test_options_that_are_no_texts_are_refused(choices: object) -> None:
    record = {"transcript_id": "a", "ground_truth": "A", "raw_output": "A", "choices": choices}
    assert (from_native(record).problem or "").startswith("choices: no text: ")
