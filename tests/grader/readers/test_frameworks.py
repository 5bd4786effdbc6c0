"""Dumps of agent frameworks, as they write them to disk: AutoGen's."""

from __future__ import annotations

from typing import Any

import pytest

from grader import verify
from grader.readers import from_native
from grader.readers.messages import Message, read_messages

ASKED = "What is the mean of x?"
CALL = Message("assistant", "```python\nprint(df.x.mean())\n```")


def autogen(type: str, source: str, content: object, **others: object) -> dict[str, Any]:
    """A message of AutoGen, as `model_dump(mode="json")` writes it."""
    stated: dict[str, Any] = {"id": "1f0c", "source": source, "models_usage": None, "metadata": {}}
    made = {"created_at": "2026-01-02T03:04:05Z", "content": content, "type": type}
    return {**stated, **made, **others}


USED = {"models_usage": {"prompt_tokens": 71, "completion_tokens": 9}}
TASK = autogen("TextMessage", "user", ASKED)
CALLED = {"id": "call_1", "arguments": '{"code": "print(df.x.mean())"}', "name": "run_python"}
RETURNED = {"content": "3.14159\n", "name": "run_python", "call_id": "call_1", "is_error": False}
AUTOGEN: dict[str, list[dict[str, Any]]] = {
    "tools": [
        TASK,
        autogen("MemoryQueryEvent", "analyst", [{"content": "7 rows", "mime_type": "text/plain"}]),
        autogen("ToolCallRequestEvent", "analyst", [CALLED], **USED),
        autogen("ToolCallExecutionEvent", "analyst", [RETURNED]),
        autogen("TextMessage", "analyst", "The mean is 3.14.", **USED),
        autogen("StopMessage", "MaxMessageTermination", "Maximum number of messages 10 reached"),
    ],
    "code of one agent": [
        TASK,
        autogen(
            "CodeGenerationEvent", "coder", CALL.text, retry_attempt=0, code_blocks=[], **USED
        ),
        {
            "id": "1f0d", "source": "coder", "models_usage": None, "metadata": {},
            "retry_attempt": 0, "result": {"exit_code": 0, "output": "3.14159\n"},
            "type": "CodeExecutionEvent",
        },
        autogen("TextMessage", "coder", "The mean is 3.14.", **USED),
    ],
    "an agent that only runs code": [
        autogen("TextMessage", "user_proxy", ASKED),
        autogen("TextMessage", "coder", CALL.text, **USED),
        autogen("TextMessage", "code_executor", "3.14159\n"),
        autogen("TextMessage", "coder", "The mean is 3.14.", **USED),
    ],
    "what the model is sent": [
        {"content": "You are an analyst.", "type": "SystemMessage"},
        {"content": ASKED, "source": "user", "type": "UserMessage"},
        {"content": [CALLED], "thought": None, "source": "a", "type": "AssistantMessage"},
        {"content": [RETURNED], "type": "FunctionExecutionResultMessage"},
        {"content": "The mean is 3.14.", "source": "a", "type": "AssistantMessage"},
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", AUTOGEN)
def test_messages_of_autogen(name: str) -> None:
    messages = [one for one in read_messages(AUTOGEN[name]) if one.role in ("user", "assistant")]
    assert messages == [("user", ASKED), CALL, ("assistant", "The mean is 3.14.")]
    tools = [one.text for one in read_messages(AUTOGEN[name]) if one.role == "tool"]
    assert tools == ["3.14159\n"]
    found = from_native({"transcript_id": "a", "ground_truth": "3.14", "messages": AUTOGEN[name]})
    assert (found.problem, found.task.question, len(found.steps)) == (None, ASKED, 1)
    assert verify(AUTOGEN[name], "3.14", ASKED) == 1.0
    assert verify(AUTOGEN[name], "10", ASKED) == 0.0


def test_autogens_structured_answers_and_thoughts() -> None:
    answer = autogen(
        "StructuredMessage[Answer]", "a", {"text": "high", "mean": 3.14}, format_string=None
    )
    assert list(read_messages([autogen("ThoughtEvent", "a", "About 9?"), answer])) == [
        ("assistant", "<think>About 9?</think>"),
        ("assistant", '{"text": "high", "mean": 3.14}'),
    ]
    thoughtful = {"content": [CALLED], "thought": "I count.", "type": "AssistantMessage"}
    assert list(read_messages([thoughtful])) == [
        ("assistant", f"<think>I count.</think>\n{CALL.text}")
    ]


def test_autogens_summary_of_a_tool_is_what_the_agent_says() -> None:
    summary = autogen("ToolCallSummaryMessage", "a", "3.14", tool_calls=[CALLED], results=[])
    assert list(read_messages([summary])) == [("assistant", "3.14")]


def test_a_type_of_another_meaning_is_none_of_autogens() -> None:
    said = {"role": "assistant", "type": "message", "content": [{"type": "text", "text": "3"}]}
    assert list(read_messages([said])) == [("assistant", "3")]
