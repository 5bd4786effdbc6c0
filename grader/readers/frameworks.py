"""What agent frameworks write, as messages that have a role and a content, like those of APIs.

Read: AutoGen's messages and events (`TaskResult.model_dump()`, and what its models are sent), the
chats of AutoGen 0.2 and AG2 (`chat_history`), whose roles are those that one agent sees,
pydantic-ai's requests and responses (`all_messages_json()`), and the steps of smolagents' memory
(`get_full_steps()`, `RunResult`). A message that a framework writes to itself is of role `system`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ..files.json_input import as_list, as_mapping, as_text

Record = Mapping[str, Any]
# AutoGen's types of messages -> role; "" is that of the source.
_AUTOGEN = {
    **dict.fromkeys(
        ("TextMessage", "MultiModalMessage", "StructuredMessage", "HandoffMessage",
         "ToolCallSummaryMessage"),
        "",
    ),
    **dict.fromkeys(("ToolCallRequestEvent", "CodeGenerationEvent", "AssistantMessage"),
                    "assistant"),
    **dict.fromkeys(("ToolCallExecutionEvent", "CodeExecutionEvent",
                     "FunctionExecutionResultMessage"), "tool"),
    **dict.fromkeys(("StopMessage", "UserInputRequestedEvent", "MemoryQueryEvent", "SelectorEvent",
                     "SelectSpeakerEvent", "ModelClientStreamingChunkEvent"), "system"),
    "ThoughtEvent": "assistant", "UserMessage": "user",
}  # fmt: skip
_USERS = re.compile(r"(?:user|human)(?:[\W_]?(?:proxy|agent))*[\W_]?\d*", re.I)
_EXECUTORS = re.compile(r"\w*(?:execut|terminal|interpreter)\w*", re.I)
# AutoGen 0.2's names of agents that speak for the user, beside _USERS, and of those that answer.
_PROXIES = re.compile(r"admin|\w*(?:proxy|execut)\w*", re.I)
_ANSWERER = re.compile(r"assistant|agent|coder|engineer|analyst|scientist", re.I)
# pydantic-ai's kinds of parts: of requests -> role, of responses -> type.
_REQUESTED = {"user-prompt": "user", "tool-return": "tool", "retry-prompt": "tool"}
_RESPONDED = {
    "text": "text", "thinking": "thinking", "tool-call": "function_call",
    "builtin-tool-call": "function_call", "builtin-tool-return": "tool_result",
}  # fmt: skip
_RUNS_CODE = "python_interpreter"  # smolagents' name of the call for code that the agent wrote
_CODE = re.compile(r"<code>\n((?:(?!<code>).)*?)\n?</code>", re.DOTALL)


def plain(record: Record) -> list[Record]:
    """The messages that one record of a framework stands for; any other record alone."""
    for fields, read in FRAMEWORKS:
        if fields <= record.keys():
            return read(record)
    return [record]


def by_name(records: list[Record]) -> list[Record]:
    """Records with the roles that their names imply. To each of AutoGen 0.2's agents its own turns
    are the assistant's and all others the user's: so the task is the assistant's in a chat that the
    user's proxy has kept, and all is the user's in one of a group. Other chats are unchanged."""
    spoken = [one for one in records if _is_spoken(one)]
    names = list(map(_speaker, spoken))
    if not all(names) or len(set(names)) < 2:
        return records
    others = set(names) - {names[0]}
    is_seen = spoken[0]["role"] == "assistant" or all(one["role"] == "user" for one in spoken)
    if not is_seen or not (_asks(names[0]) or all(map(_ANSWERER.search, others))):
        return records
    asking = {names[0], *filter(_asks, others)}
    roles = {name: "user" if name in asking else "assistant" for name in names}
    return [{**one, "role": roles[_speaker(one)]} if _is_spoken(one) else one for one in records]


def _is_spoken(record: Record) -> bool:
    return record.get("role") in ("user", "assistant")


def _speaker(record: Record) -> str:
    return as_text(record.get("name")) or ""


def _asks(name: str) -> bool:
    return bool(_USERS.fullmatch(name) or _PROXIES.fullmatch(name))


def _autogen(record: Record) -> list[Record]:
    kind = (as_text(record["type"]) or "").partition("[")[0]  # StructuredMessage[Answer]
    if kind not in _AUTOGEN:
        return [record]
    content = record.get("content")
    if kind == "StructuredMessage":
        content = as_text(content)
    elif kind == "CodeExecutionEvent":
        content = as_mapping(record.get("result")).get("output")
    elif isinstance(content, list):
        content = [_call(part) for part in content]
    thought = content if kind == "ThoughtEvent" else record.get("thought")
    role = _AUTOGEN[kind] or _role_of(record)
    if thought:
        thinking = {"type": "thinking", "thinking": thought}
        content = [thinking, *([] if kind == "ThoughtEvent" else as_list(content))]
    return [{"role": role, "content": content}]


def _role_of(record: Record) -> str:
    """The role of AutoGen's agent of that name: an agent that only runs code uses no model."""
    source = as_text(record.get("source")) or ""
    if _USERS.fullmatch(source):
        return "user"
    is_executor = _EXECUTORS.fullmatch(source) and not record.get("models_usage")
    return "tool" if is_executor else "assistant"


def _call(part: object) -> object:
    """A part of a message, one that is a call as such."""
    is_call = {"name", "arguments"} <= as_mapping(part).keys()
    return {"type": "function_call", **as_mapping(part)} if is_call else part


def _pydantic_ai(record: Record) -> list[Record]:
    parts = [as_mapping(part) for part in as_list(record["parts"])]
    if record["kind"] == "response":
        return [{"role": "assistant", "content": [_responded(part) for part in parts]}]
    return [_requested(part) for part in parts] if record["kind"] == "request" else [record]


def _requested(part: Record) -> Record:
    kind, content = as_text(part.get("part_kind")) or "", part.get("content")
    role = _REQUESTED.get(kind, "system")
    if kind == "retry-prompt" and not part.get("tool_name"):
        role = "user"
    is_words = role == "user" or isinstance(content, str | dict)
    return {"role": role, "content": content if is_words else as_text(content)}


def _responded(part: Record) -> Record:
    kind = _RESPONDED.get(as_text(part.get("part_kind")) or "", "")
    if kind == "function_call":
        return {"type": kind, "name": part.get("tool_name"), "arguments": part.get("args")}
    return {"type": kind, "text": part.get("content")} if kind else {}


def _smolagents(record: Record) -> list[Record]:
    """What the model wrote in a step, what its code or tools printed, and the run's result."""
    said, result = record.get("model_output"), record.get("action_output")
    if isinstance(said, str):
        said = _CODE.sub(r"```python\n\1\n```", said)
    is_last = bool(record.get("is_final_answer"))
    is_cut_short = not said and not record.get("tool_calls")  # by the limit of steps
    hands_in = (is_last or is_cut_short) and result is not None
    told = {_RUNS_CODE: said, "final_answer": hands_in}
    calls = [call for call in as_list(record.get("tool_calls")) if not told.get(_name(call))]
    error = record.get("error")
    messages: list[Record] = [
        {"role": "assistant", "content": said, "tool_calls": calls},
        {"role": "tool", "content": record.get("observations")},
        {"role": "tool", "content": as_mapping(error).get("message") or as_text(error)},
    ]
    if hands_in:
        call = {"name": "final_answer", "arguments": {"answer": result}}
        messages.append({"role": "assistant", "tool_calls": [call]})
    return messages


def _name(call: object) -> str:
    record = as_mapping(call)
    return as_text((as_mapping(record.get("function")) or record).get("name")) or ""


def _planned(record: Record) -> list[Record]:
    return [{"role": "assistant", "content": record["plan"]}]


def _asked(record: Record) -> list[Record]:
    is_step = record.keys() <= {"task", "task_images"}
    return [{"role": "user", "content": record["task"]}] if is_step else [record]


# The fields by which a record is known -> how it is read.
FRAMEWORKS: tuple[tuple[frozenset[str], Callable[[Record], list[Record]]], ...] = (
    (frozenset({"type", "content"}), _autogen),
    (frozenset({"type", "result", "source"}), _autogen),  # CodeExecutionEvent
    (frozenset({"kind", "parts"}), _pydantic_ai),
    (frozenset({"step_number", "timing"}), _smolagents),
    (frozenset({"model_output", "observations"}), _smolagents),  # of older versions
    (frozenset({"plan", "model_output_message"}), _planned),
    (frozenset({"task"}), _asked),
)
