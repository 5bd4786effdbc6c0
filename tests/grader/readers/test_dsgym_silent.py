"""DSGym records without a response: the agent said nothing, or it failed to run."""

from __future__ import annotations

from typing import Any

import pytest

from grader.cascade import strict_grades
from grader.grader_names import STRICT
from grader.readers.dsgym import from_dsgym
from grader.settings import GradeSettings
from tests.grader.recorded import DSGYM

SILENT = {**DSGYM, "raw_response": "", "prediction": "", "total_turns": 2}


@pytest.mark.parametrize(
    "record",
    [
        {**SILENT, "success": True},
        {**SILENT, "success": False, "conversation": [
            {"role": "user", "content": "q"}, {"role": "assistant", "content": ""}]},
    ],
)  # fmt: skip
def test_an_agent_that_ran_and_said_nothing_has_no_answer(record: dict[str, Any]) -> None:
    """As in a chat, and as DSGym's own metrics count it: 0, not skipped."""
    made = from_dsgym(record, "x")
    assert made.problem is None
    assert {grade.verdict for grade in strict_grades(made, STRICT, GradeSettings())} == {
        "no_answer"
    }


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ({**SILENT, "success": True, "error_info": "server is down"}, "no_steps: server is down"),
        (
            {**SILENT, "success": False, "total_turns": 0, "error_info": {
                "error_type": "ValueError", "error_message": "no key\n", "error_category": "E"}},
            "no_steps: ValueError: no key",
        ),
        ({**SILENT, "success": True, "total_turns": 0}, "no_steps"),
        (
            {name: SILENT[name] for name in SILENT if name != "raw_response"} | {"success": True},
            "no_steps: the record has no raw_response, conversation or trajectory",
        ),
    ],
)  # fmt: skip
def test_a_run_that_failed_is_ungraded_and_says_why(record: dict[str, Any], problem: str) -> None:
    made = from_dsgym(record, "x")
    assert (made.problem, made.steps) == (problem, ())
