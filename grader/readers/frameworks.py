"""What agent frameworks write, as messages that have a role and a content, like those of APIs.

Read: AutoGen's messages and events (`TaskResult.model_dump()`, and what its models are sent) and
pydantic-ai's requests and responses (`all_messages_json()`). A message that a framework writes to
itself is of role `system`.
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
# pydantic-ai's kinds of parts: of requests -> role, of responses -> type.
_REQUESTED = {"user-prompt": "user", "tool-return": "tool", "retry-prompt": "tool"}
_RESPONDED = {
    "text": "text", "thinking": "thinking", "tool-call": "function_call",
    "builtin-tool-call": "function_call", "builtin-tool-return": "tool_result",
}  # fmt: skip


def plain(record: Record) -> list[Record]:
    """The messages that one record of a framework stands for; any other record alone."""
    for fields, read in FRAMEWORKS:
        if fields <= record.keys():
            return read(record)
    return [record]


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


# The fields by which a record is known -> how it is read.
FRAMEWORKS: tuple[tuple[frozenset[str], Callable[[Record], list[Record]]], ...] = (
    (frozenset({"type", "content"}), _autogen),
    (frozenset({"type", "result", "source"}), _autogen),  # CodeExecutionEvent
    (frozenset({"kind", "parts"}), _pydantic_ai),
)
