"""Messages in the shapes of APIs and frameworks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.readers import from_native
from grader.readers.messages import read_messages

SUBMIT = '{"answer": "0.31"}'
RUN = '{"code": "print(1)"}'
FENCE = "```python\nprint(1)\n```"
ANSWER = "Final answer: 0.31"


def function(name: str, arguments: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "arguments": arguments}}


CHATS: dict[str, tuple[list[Any], list[tuple[str, str]]]] = {
    "OpenAI chat completions": (
        [
            {"role": "system", "content": "You analyse data."},
            {"role": "user", "content": [{"type": "text", "text": "How many?"}]},
            {"role": "assistant", "content": None, "tool_calls": [function("python", RUN)]},
            {"role": "tool", "tool_call_id": "c1", "content": "1"},
            {"role": "assistant", "content": "So:", "tool_calls": [function("submit", SUBMIT)]},
        ],
        [
            ("system", "You analyse data."),
            ("user", "How many?"),
            ("assistant", FENCE),
            ("tool", "1"),
            ("assistant", f"So:\n\n{ANSWER}"),
        ],
    ),
    "OpenAI responses": (
        [
            {"type": "message", "role": "user", "content": "How many?"},
            {"type": "function_call", "name": "run_code", "arguments": RUN, "call_id": "c1"},
            {"type": "function_call_output", "call_id": "c1", "output": "1"},
            {
                "type": "code_interpreter_call",
                "code": "print(1)",
                "outputs": [{"type": "logs", "logs": "2"}],
            },
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "3"}],
            },
        ],
        [
            ("user", "How many?"),
            ("assistant", FENCE),
            ("tool", "1"),
            ("assistant", FENCE),
            ("tool", "2"),
            ("assistant", "3"),
        ],
    ),
    "Anthropic": (
        [
            {"role": "user", "content": "How many?"},
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "I count."},
                    {"type": "tool_use", "name": "python", "input": {"code": "print(1)"}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "content": [{"type": "text", "text": "1"}]},
                    {"type": "text", "text": "Go on."},
                ],
            },
            {
                "role": "assistant",
                "content": [
                    {"type": "tool_use", "name": "final_answer", "input": {"answer": 0.31}}
                ],
            },
        ],
        [
            ("user", "How many?"),
            ("assistant", f"I count.\n{FENCE}"),
            ("tool", "1"),
            ("user", "Go on."),
            ("assistant", ANSWER),
        ],
    ),
    "Anthropic, tools that run on its servers": (
        [
            {"role": "user", "content": "How many?"},
            {
                "role": "assistant",
                "content": [
                    {
                        "type": "server_tool_use",
                        "name": "bash_code_execution",
                        "input": {"command": "print(1)"},
                    },
                    {
                        "type": "bash_code_execution_tool_result",
                        "content": {
                            "type": "bash_code_execution_result",
                            "stdout": "1",
                            "stderr": "",
                            "return_code": 0,
                            "content": [],
                        },
                    },
                    {
                        "type": "code_execution_tool_result",
                        "content": {
                            "type": "code_execution_result",
                            "stdout": "2",
                            "stderr": "bad",
                            "return_code": 1,
                        },
                    },
                    {"type": "mcp_tool_use", "name": "run", "input": {"code": "print(1)"}},
                    {"type": "mcp_tool_result", "content": [{"type": "text", "text": "3"}]},
                    {"type": "text", "text": "It is 3."},
                ],
            },
        ],
        [
            ("user", "How many?"),
            ("assistant", FENCE),
            ("tool", "1"),
            ("tool", "2\nbad"),
            ("assistant", FENCE),
            ("tool", "3"),
            ("assistant", "It is 3."),
        ],
    ),
    "OpenAI responses, other tools": (
        [
            {"role": "user", "content": "How many?"},
            {"type": "custom_tool_call", "name": "run", "input": "print(1)", "call_id": "c1"},
            {"type": "custom_tool_call_output", "call_id": "c1", "output": "1"},
            {"type": "local_shell_call_output", "id": "c2", "output": "2"},
            {
                "type": "shell_call_output",
                "call_id": "c3",
                "output": [
                    {"stdout": "3", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}
                ],
            },
        ],
        [("user", "How many?"), ("assistant", ""), ("tool", "1"), ("tool", "2"), ("tool", "3")],
    ),
    "inspect_ai": (
        [
            {"role": "user", "content": "How many?"},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [
                    {"id": "c1", "function": "python", "arguments": {"code": "print(1)"}}
                ],
            },
            {"role": "tool", "content": "1", "function": "python", "tool_call_id": "c1"},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [{"id": "c2", "function": "submit", "arguments": {"answer": "0.31"}}],
            },
            {"role": "tool", "content": "Submitted.", "function": "submit", "tool_call_id": "c2"},
        ],
        [("user", "How many?"), ("assistant", FENCE), ("tool", "1"), ("assistant", ANSWER)],
    ),
    "Gemini": (
        [
            {"role": "user", "parts": [{"text": "How many?"}]},
            {
                "role": "model",
                "parts": [
                    {"executable_code": {"language": "PYTHON", "code": "print(1)"}},
                    {"code_execution_result": {"outcome": "OUTCOME_OK", "output": "1"}},
                    {"text": "It is 1."},
                ],
            },
            {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {"x": 1}}}]},
            {"role": "user", "parts": [{"functionResponse": {"response": {"result": "2"}}}]},
        ],
        [
            ("user", "How many?"),
            ("assistant", FENCE),
            ("tool", "1"),
            ("assistant", "It is 1."),
            ("tool", "2"),
        ],
    ),
    "LangChain": (
        [
            {"type": "human", "data": {"content": "How many?"}},
            {
                "lc": 1,
                "type": "constructor",
                "id": ["langchain", "schema", "messages", "AIMessage"],
                "kwargs": {"content": "I count."},
            },
            {"type": "tool", "data": {"content": "1"}},
            {"type": "ai", "data": {"content": "It is 1."}},
        ],
        [
            ("user", "How many?"),
            ("assistant", "I count."),
            ("tool", "1"),
            ("assistant", "It is 1."),
        ],
    ),
    "ShareGPT": (
        [{"from": "human", "value": "How many?"}, {"from": "gpt", "value": "3"}],
        [("user", "How many?"), ("assistant", "3")],
    ),
    "Open Interpreter": (
        [
            {"role": "user", "type": "message", "content": "How many?"},
            {"role": "assistant", "type": "code", "format": "python", "content": "print(1)"},
            {"role": "computer", "type": "console", "format": "active_line", "content": "1"},
            {"role": "computer", "type": "console", "format": "output", "content": "1"},
            {"role": "assistant", "type": "message", "content": "It is 1."},
        ],
        [("user", "How many?"), ("assistant", FENCE), ("tool", "1"), ("assistant", "It is 1.")],
    ),
}


@pytest.mark.parametrize("name", CHATS)
def test_the_messages_of_a_chat(name: str) -> None:
    chat, expected = CHATS[name]
    assert list(read_messages(chat)) == expected


@pytest.mark.parametrize("name", CHATS)
def test_every_chat_has_steps(name: str) -> None:
    found = from_native({"transcript_id": "a", "ground_truth": "1", "messages": CHATS[name][0]})
    assert found.problem is None
    assert found.task.question == "How many?"


def test_a_call_that_hands_in_several_values_names_them() -> None:
    call = function("submit", '{"result": {"test": "t", "p": 2e-9}, "summary": "In all, 9."}')
    (said,) = read_messages([{"role": "assistant", "tool_calls": [call]}])
    assert said.text == "Final answer: test: t; p: 2e-09"


def test_a_call_that_runs_code_with_a_fence_or_no_code_says_nothing() -> None:
    calls = [
        function("python", '{"code": "```"}'),
        function("plot", '{"path": "x"}'),
        "no call",
    ]
    assert list(read_messages([{"role": "assistant", "tool_calls": calls}])) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(
        st.sampled_from(
            ["role", "type", "content", "parts", "tool_calls", "function", "arguments", "text",
             "data", "kwargs", "id", "outputs", "functionCall", "tool_result"]
        ),
        inner,
    ),
)  # fmt: skip


@given(JSON)
def test_any_json_is_read(value: object) -> None:
    for role, text in read_messages(value):
        assert isinstance(role, str) and isinstance(text, str)
