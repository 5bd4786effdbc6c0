"""Dumps of agent frameworks, as they write them to disk: AutoGen's, pydantic-ai's, smolagents'."""

from __future__ import annotations

from dataclasses import dataclass, field
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


def asked_of_pydantic_ai(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"parts": [*parts], "instructions": None, "kind": "request", "run_id": "r1"}


def said_by_pydantic_ai(*parts: dict[str, Any]) -> dict[str, Any]:
    usage = {"input_tokens": 57, "output_tokens": 12, "details": {}}
    return {"parts": [*parts], "usage": usage, "model_name": "m", "kind": "response"}


RAN = {
    "tool_name": "run_python", "args": '{"code":"print(df.x.mean())"}', "tool_call_id": "c1",
    "part_kind": "tool-call",
}  # fmt: skip
PRINTED = {
    "tool_name": "run_python", "content": {"stdout": "3.14159\n", "exit_code": 0},
    "tool_call_id": "c1", "part_kind": "tool-return",
}  # fmt: skip
BEGUN = [
    asked_of_pydantic_ai(
        {"content": "Be exact.", "dynamic_ref": None, "part_kind": "system-prompt"},
        {"content": ASKED, "timestamp": "2026-01-02T03:04:05Z", "part_kind": "user-prompt"},
    ),
    said_by_pydantic_ai({"content": "About 9?", "id": None, "part_kind": "thinking"}, RAN),
    asked_of_pydantic_ai(PRINTED),
]
THOUGHT = Message("assistant", f"<think>About 9?</think>\n{CALL.text}")


def test_messages_of_pydantic_ai() -> None:
    chat = [*BEGUN, said_by_pydantic_ai({"content": "The mean is 3.14.", "part_kind": "text"})]
    assert [one for one in read_messages(chat) if one.role != "system"] == [
        ("user", ASKED), THOUGHT, ("tool", "3.14159\n"), ("assistant", "The mean is 3.14."),
    ]  # fmt: skip
    found = from_native({"transcript_id": "a", "ground_truth": "3.14", "messages": chat})
    assert (found.problem, found.task.question, len(found.steps)) == (None, ASKED, 1)
    assert verify(chat, "3.14", ASKED) == 1.0
    assert verify(chat, "12", ASKED) == 0.0


@pytest.mark.parametrize("tool", ["final_result", "final_result_Mean"])
def test_a_result_of_pydantic_ai_is_the_final_answer(tool: str) -> None:
    result = {"tool_name": tool, "args": {"response": 3.14}, "part_kind": "tool-call"}
    heard = {"tool_name": tool, "content": "Final result processed.", "part_kind": "tool-return"}
    chat = [*BEGUN, said_by_pydantic_ai(result), asked_of_pydantic_ai(heard)]
    assert list(read_messages(chat))[-1] == ("assistant", "Final answer: 3.14")


def test_pydantic_ais_parts_of_other_kinds() -> None:
    retry = {"content": [{"type": "missing", "loc": ["mean"]}], "part_kind": "retry-prompt"}
    words = {"content": "Call the tool.", "tool_name": None, "part_kind": "retry-prompt"}
    rows = {"tool_name": "rows", "content": [{"mean": 3.14}], "part_kind": "tool-return"}
    shown = {"content": ["And this?", {"url": "x.png", "kind": "image-url"}],
             "part_kind": "user-prompt"}  # fmt: skip
    asked = asked_of_pydantic_ai({**retry, "tool_name": "final_result"}, words, rows, shown)
    assert [(one.role, one.text.strip()) for one in read_messages([asked])] == [
        ("tool", '[{"type": "missing", "loc": ["mean"]}]'), ("user", "Call the tool."),
        ("tool", '[{"mean": 3.14}]'), ("user", "And this?"),
    ]  # fmt: skip
    server = said_by_pydantic_ai(
        {**RAN, "tool_name": "code_execution", "part_kind": "builtin-tool-call"},
        {**PRINTED, "tool_name": "code_execution", "part_kind": "builtin-tool-return"},
        {"content": "It is 3.14.", "part_kind": "text"},
    )
    assert list(read_messages([server])) == [
        CALL, ("tool", "3.14159\n"), ("assistant", "It is 3.14."),
    ]  # fmt: skip


def step(number: int, said: str | None, printed: str | None, **others: object) -> dict[str, Any]:
    """A step of smolagents' memory, as `get_full_steps()` gives it."""
    return {
        "step_number": number, "timing": {"start_time": 1.0, "end_time": 3.5, "duration": 2.5},
        "model_input_messages": [{"role": "user", "content": [{"type": "text", "text": "99"}]}],
        "tool_calls": [], "error": None,
        "model_output_message": {"role": "assistant", "content": said},
        "model_output": said, "code_action": None, "observations": printed,
        "observations_images": None, "action_output": None,
        "token_usage": {"input_tokens": 880, "output_tokens": 41, "total_tokens": 921},
        "is_final_answer": False, **others,
    }  # fmt: skip


def call_of(tool: str, arguments: object) -> dict[str, object]:
    function = {"name": tool, "arguments": arguments}
    return {"tool_calls": [{"id": "call_2", "type": "function", "function": function}]}


TASK_STEP: dict[str, Any] = {"task": ASKED, "task_images": None}
LOGS = "Execution logs:\n3.14159\nLast output from code snippet:\nNone"
FIRST = step(
    1, "Thought: I compute it.\n<code>\nprint(df.x.mean())\n</code>", LOGS,
    **call_of("python_interpreter", "print(df.x.mean())"),
)  # fmt: skip
FIRST_SAID = ("assistant", f"Thought: I compute it.\n{CALL.text}")
LAST = step(
    3, "Thought: Done.\n<code>\nfinal_answer(round(m, 2))\n</code>",
    "Execution logs:\nLast output from code snippet:\n3.14", action_output=3.14,
    is_final_answer=True, **call_of("python_interpreter", "final_answer(round(m, 2))"),
)  # fmt: skip


def test_steps_of_smolagents() -> None:
    plan: dict[str, Any] = {
        "model_input_messages": [], "model_output_message": {"role": "assistant", "content": "9"},
        "plan": "I load the data.", "timing": {}, "token_usage": None,
    }  # fmt: skip
    failure = {"type": "AgentExecutionError", "message": "NameError: m"}
    failed = step(2, "<code>\nm\n</code>", None, error=failure)
    steps = [TASK_STEP, plan, FIRST, failed, LAST]
    assert list(read_messages(steps)) == [
        ("user", ASKED), ("assistant", "I load the data."), FIRST_SAID, ("tool", LOGS),
        ("assistant", "```python\nm\n```"), ("tool", "NameError: m"),
        ("assistant", "Thought: Done.\n```python\nfinal_answer(round(m, 2))\n```"),
        ("tool", "Execution logs:\nLast output from code snippet:\n3.14"),
        ("assistant", "Final answer: 3.14"),
    ]  # fmt: skip
    assert verify(steps, "3.14", ASKED) == 1.0
    assert verify(steps, "921", ASKED) == 0.0


@pytest.mark.parametrize("name", ["messages", "steps"])
def test_a_record_may_call_them_steps(name: str) -> None:
    run = {"output": 3.14, "state": "success", name: [TASK_STEP, FIRST, LAST], "timing": {}}
    found = from_native({"transcript_id": "a", "ground_truth": "3.14", **run})
    assert (found.problem, found.task.question, len(found.steps)) == (None, ASKED, 1)
    assert found.steps[0].raw_output.endswith("Final answer: 3.14")


def test_steps_with_an_output_are_no_messages() -> None:
    steps = [{"role": "assistant", "content": "I add.", "raw_output": "It is 3."}]
    found = from_native({"transcript_id": "a", "ground_truth": "3", "steps": steps})
    assert [one.raw_output for one in found.steps] == ["It is 3."]


def test_steps_of_smolagents_without_their_empty_fields() -> None:
    steps = [TASK_STEP, step(1, None, "3.14159", **call_of("mean", {"column": "x"})), LAST]
    filled = [{name: one for name, one in each.items() if one is not None} for each in steps]
    assert list(read_messages(filled)) == list(read_messages(steps))


def test_calls_of_tools_of_smolagents() -> None:
    mean = step(1, None, "3.14159", **call_of("mean", {"column": "x"}))
    answer = step(
        2, "I know it.", "3.14", action_output=3.14, is_final_answer=True,
        **call_of("final_answer", {"answer": 3.14}),
    )  # fmt: skip
    assert list(read_messages([TASK_STEP, mean, answer]))[1:] == [
        ("tool", "3.14159"), ("assistant", "I know it."), ("tool", "3.14"),
        ("assistant", "Final answer: 3.14"),
    ]  # fmt: skip


def test_what_smolagents_answers_at_its_limit_of_steps() -> None:
    error = {"type": "AgentMaxStepsError", "message": "Reached max steps."}
    limit = step(9, None, None, error=error, action_output="The mean is 3.14.")
    assert list(read_messages([TASK_STEP, FIRST, limit]))[1:] == [
        FIRST_SAID, ("tool", LOGS), ("tool", "Reached max steps."),
        ("assistant", "Final answer: The mean is 3.14."),
    ]  # fmt: skip


class Failure(Exception):
    """An error that cannot be copied, as those of smolagents."""

    def __init__(self, message: str, log: object) -> None:
        super().__init__(message)


@dataclass
class ActionStep:
    step_number: int
    model_output: str
    timing: dict[str, float] = field(default_factory=dict)
    observations: str | None = None
    error: Failure | None = None
    action_output: object = None
    is_final_answer: bool = False


def test_steps_of_smolagents_may_be_its_objects() -> None:
    failed = ActionStep(1, "<code>\nm\n</code>", error=Failure("NameError: m", None))
    last = ActionStep(2, "It is done.", action_output=3.14, is_final_answer=True)
    steps: list[Any] = [TASK_STEP, failed, last]
    assert verify(steps, "3.14", ASKED) == 1.0
