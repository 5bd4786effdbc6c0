from __future__ import annotations

import pickle

import pytest

from grader.errors import InputError


@pytest.mark.parametrize("line", [None, 3])
def test_an_input_error_can_come_from_another_process(line: int | None) -> None:
    error = InputError("run.jsonl", "not valid JSON", "Repair that line", line)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), vars(again)) == (str(error), vars(error))
