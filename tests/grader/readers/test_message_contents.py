"""What holds the content of a message, as different libraries name it."""

from __future__ import annotations

from typing import Any

import pytest

from grader.readers import from_native
from grader.readers.messages import read_messages

UNSET = dict.fromkeys(("code_execution_result", "executable_code", "function_call"))
TURNS: dict[str, list[dict[str, Any]]] = {
    "LlamaIndex": [
        {"role": "user", "blocks": [{"block_type": "text", "text": "How many?"}]},
        {"role": "assistant", "blocks": [{"block_type": "text", "text": "3"}]},
    ],
    "Semantic Kernel": [
        {"role": "user", "items": [{"content_type": "text", "text": "How many?"}]},
        {"role": "assistant", "items": [{"content_type": "text", "text": "3"}]},
    ],
    "Cohere": [{"role": "USER", "message": "How many?"}, {"role": "CHATBOT", "message": "3"}],
    "Gemini's client, with all fields of its parts": [
        {"role": "user", "parts": [{**UNSET, "text": "How many?"}]},
        {"role": "model", "parts": [{**UNSET, "text": "3"}]},
    ],
}


@pytest.mark.parametrize("name", TURNS)
def test_a_content_has_many_names(name: str) -> None:
    assert list(read_messages(TURNS[name])) == [("user", "How many?"), ("assistant", "3")]
    found = from_native({"transcript_id": "a", "ground_truth": "3", "messages": TURNS[name]})
    assert found.task.question == "How many?"
    assert [step.raw_output for step in found.steps] == ["3"]


def test_fields_of_a_part_that_are_not_set_hide_no_code() -> None:
    ran = {**UNSET, "executable_code": {"code": "print(1)"}}
    printed = {**UNSET, "code_execution_result": {"outcome": "OUTCOME_OK", "output": "1"}}
    turn = {"role": "model", "parts": [ran, printed]}
    assert list(read_messages([turn])) == [
        ("assistant", "```python\nprint(1)\n```"),
        ("tool", "1"),
    ]


def test_a_content_may_be_an_object() -> None:
    (said,) = read_messages([{"role": "assistant", "content": {"answer": 3}}])
    assert said.text == '{"answer": 3}'
