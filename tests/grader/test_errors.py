from __future__ import annotations

import pickle

import pytest
from pydantic import ValidationError

from grader.errors import InputError, first_fault
from grader.records import Transcript


@pytest.mark.parametrize("line", [None, 3])
def test_an_input_error_can_come_from_another_process(line: int | None) -> None:
    error = InputError("run.jsonl", "not valid JSON", "Repair that line", line)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), vars(again)) == (str(error), vars(error))


def test_the_first_fault_is_told_with_its_place() -> None:
    with pytest.raises(ValidationError) as caught:
        Transcript.model_validate({"transcript_id": "a", "task": {"task_id": 3}, "steps": 4})
    fault = first_fault(caught.value)
    assert fault == ("task.task_id", "Input should be a valid string")
    assert str(fault) == "task.task_id: Input should be a valid string"


def test_a_fault_of_the_whole_has_no_place() -> None:
    with pytest.raises(ValidationError) as caught:
        Transcript.model_validate(3)
    assert str(first_fault(caught.value)).startswith("Input should be a valid dictionary")
