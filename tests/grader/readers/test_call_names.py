"""Calls of tools and what these return, as different libraries name them."""

from __future__ import annotations

from typing import Any

import pytest

from grader.readers.messages import read_messages

CODE = {"code": "print(1)"}
ANSWER = {"answer": 3}
CHATS: dict[str, list[dict[str, Any]]] = {
    "Bedrock": [
        {"role": "assistant", "content": [{"toolUse": {"name": "python", "input": CODE}}]},
        {"role": "user", "content": [{"toolResult": {"content": [{"text": "1"}]}}]},
        {"role": "assistant", "content": [{"toolUse": {"name": "submit", "input": ANSWER}}]},
    ],
    "Haystack": [
        {
            "role": "assistant",
            "content": [{"tool_call": {"tool_name": "python", "arguments": CODE, "id": "c"}}],
        },
        {"role": "tool", "content": [{"tool_call_result": {"result": "1", "error": False}}]},
        {
            "role": "assistant",
            "content": [{"tool_call": {"tool_name": "submit", "arguments": ANSWER, "id": "d"}}],
        },
    ],
    "OpenTelemetry": [
        {
            "role": "assistant",
            "parts": [{"type": "tool_call", "id": "c", "name": "python", "arguments": CODE}],
        },
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c", "response": "1"}]},
        {
            "role": "assistant",
            "parts": [{"type": "tool_call", "id": "d", "name": "submit", "arguments": ANSWER}],
        },
    ],
    "LangChain 1": [
        {"type": "ai", "content": [{"type": "tool_call", "name": "python", "args": CODE}]},
        {"type": "tool", "content": "1"},
        {"type": "ai", "content": [{"type": "tool_call", "name": "submit", "args": ANSWER}]},
    ],
    "Vercel": [
        {
            "role": "assistant",
            "content": [{"type": "tool-call", "toolName": "python", "input": CODE}],
        },
        {
            "role": "tool",
            "content": [
                {
                    "type": "tool-result",
                    "toolName": "python",
                    "output": {"type": "text", "value": "1"},
                }
            ],
        },
        {
            "role": "assistant",
            "content": [{"type": "tool-call", "toolName": "submit", "input": ANSWER}],
        },
    ],
    "ShareGPT": [
        {
            "from": "function_call",
            "value": '{"name": "python", "arguments": {"code": "print(1)"}}',
        },
        {"from": "observation", "value": "1"},
        {"from": "function_call", "value": '[{"name": "submit", "arguments": {"answer": 3}}]'},
    ],
}


@pytest.mark.parametrize("name", CHATS)
def test_calls_and_returns_have_many_names(name: str) -> None:
    asked = {"from" if name == "ShareGPT" else "role": "user", "content": "How many?"}
    assert list(read_messages([asked, *CHATS[name]])) == [
        ("user", "How many?"),
        ("assistant", "```python\nprint(1)\n```"),
        ("tool", "1"),
        ("assistant", "Final answer: 3"),
    ]


def test_a_call_in_plain_words_is_code() -> None:
    assert list(read_messages([{"role": "tool_call", "content": "print(1)"}])) == [
        ("assistant", "```python\nprint(1)\n```")
    ]
