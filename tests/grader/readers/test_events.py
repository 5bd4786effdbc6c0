"""Events that hold a message, as agents log them and their clients return them."""

from __future__ import annotations

from typing import Any

import pytest

from grader import verify
from grader.readers import from_native
from grader.readers.messages import read_messages

ASKED = "What is the mean of x?"
CODE = {"code": "print(df.x.mean())"}
AGENT = {"agent": {"name": "analyst", "instructions": "Be exact."}}
EVENTS: dict[str, list[dict[str, Any]]] = {
    "Claude Code": [
        {"type": "user", "message": {"role": "user", "content": ASKED}, "uuid": "1"},
        {
            "type": "assistant", "uuid": "2",
            "message": {
                "type": "message", "role": "assistant", "usage": {"input_tokens": 31},
                "content": [{"type": "tool_use", "id": "t", "name": "python", "input": CODE}],
            },
        },
        {
            "type": "user", "uuid": "3", "toolUseResult": {"stdout": "3.14159"},
            "message": {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "t", "content": "3.14159"}],
            },
        },
        {
            "type": "assistant", "uuid": "4",
            "message": {
                "type": "message", "role": "assistant",
                "content": [{"type": "text", "text": "It is 3.14."}],
            },
        },
    ],
    "Google's ADK": [
        {"content": {"parts": [{"text": ASKED}], "role": "user"}, "author": "user"},
        {
            "author": "analyst", "usage_metadata": {"total_token_count": 99},
            "content": {
                "parts": [{"function_call": {"name": "python", "args": CODE}}], "role": "model",
            },
        },
        {
            "author": "analyst",
            "content": {
                "parts": [
                    {"function_response": {"name": "python", "response": {"result": "3.14159"}}}
                ],
                "role": "user",
            },
        },
        {"content": {"parts": [{"text": "It is 3.14."}], "role": "model"}, "author": "analyst"},
    ],
    "OpenAI's agents": [
        {"role": "user", "content": ASKED},
        {
            **AGENT, "type": "tool_call_item",
            "raw_item": {
                "type": "function_call", "name": "python", "call_id": "c",
                "arguments": '{"code": "print(df.x.mean())"}',
            },
        },
        {
            **AGENT, "type": "tool_call_output_item", "output": "3.14159",
            "raw_item": {
                "type": "function_call_output", "call_id": "c", "output": "3.14159",
            },
        },
        {
            **AGENT, "type": "message_output_item",
            "raw_item": {
                "type": "message", "role": "assistant",
                "content": [{"type": "output_text", "text": "It is 3.14."}],
            },
        },
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", EVENTS)
def test_events_that_hold_messages(name: str) -> None:
    assert list(read_messages(EVENTS[name])) == [
        ("user", ASKED),
        ("assistant", "```python\nprint(df.x.mean())\n```"),
        ("tool", "3.14159"),
        ("assistant", "It is 3.14."),
    ]
    found = from_native({"transcript_id": "a", "ground_truth": "3.14", "messages": EVENTS[name]})
    assert (found.problem, found.task.question, len(found.steps)) == (None, ASKED, 1)
    assert verify(EVENTS[name], "3.14", ASKED) == 1.0


def test_choices_and_candidates() -> None:
    choice = {"index": 0, "message": {"role": "assistant", "content": "It is 3."}}
    candidate = {"index": 0, "content": {"role": "model", "parts": [{"text": "It is 3."}]}}
    for one in (choice, candidate):
        assert list(read_messages([one])) == [("assistant", "It is 3.")]
        assert verify([one], "3") == 1.0


@pytest.mark.parametrize(
    "said",
    [
        {"role": "assistant", "content": {"role": "manager", "parts": 3}},
        {"type": "ai", "content": {"role": "manager", "parts_sold": 3}},
    ],
)
def test_an_answer_with_a_role_is_no_event(said: dict[str, Any]) -> None:
    ((role, text),) = read_messages([said])
    assert (role, "manager" in text) == ("assistant", True)
