"""The records of a chat: whose each is, whether they are a chat at all, and if the agent speaks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..files.json_input import as_list, as_mapping, as_text, json_or_none
from .frameworks import by_name, plain

_ROLES = {
    **dict.fromkeys(("human", "user", "humanmessage"), "user"),
    **dict.fromkeys(("agent", "ai", "assistant", "gpt", "chatbot", "chatgpt", "llm", "model", "bot",
                     "aimessage", "aimessagechunk"), "assistant"),
    **dict.fromkeys(
        ("code_interpreter", "computer", "console", "environment", "execution", "executor",
         "function", "functionresponse", "interpreter", "ipython", "jupyter", "observation", "tool",
         "tool-response", "tool_response", "tool_result", "toolmessage"),
        "tool",
    ),
}  # fmt: skip
TOOL_CALL = "tool-call"  # smolagents': a turn that repeats the calls of the one before
KNOWN = frozenset({*_ROLES.values(), "system", "developer", "systemmessage", "chatmessage"})
# Types of parts and items; those of calls and of their results may have a tool's name in front.
CALLS = re.compile(r"(?:function|(?:custom_)?tool)_?call|(?:\w+_)?tool_?use")
RETURNS = re.compile(
    r"function_?response|console|code_?execution_?result|tool_call_(?:result|response)"
    r"|(?:\w+_)?(?:tool_?result|call_output)"
)
THOUGHTS = frozenset({"thinking", "reasoning"})

# Fields in which events hold a message -> what a message in them has.
_HOLDERS = {"message": {"role"}, "content": {"role", "parts"}, "raw_item": {"type"}}


def records_in(items: object) -> Iterator[Mapping[str, Any]]:
    """The records in a list, with what is nested in them and as messages of one form."""
    yield from by_name([one for item in as_list(items) for one in plain(_whole(as_mapping(item)))])


def _whole(record: dict[str, Any]) -> dict[str, Any]:
    """A record with what LangChain nests in it; of an event that holds a message (of Google's ADK,
    of Claude Code, of OpenAI's agents, a choice), the message in place of it."""
    for name, wanted in _HOLDERS.items():
        held = as_mapping(record.get(name))
        if "role" not in record and wanted <= held.keys():
            return {**{key: one for key, one in record.items() if key != name}, **held}
    return {**record, **(as_mapping(record.get("kwargs")) or as_mapping(record.get("data")))}


def role_of(record: Mapping[str, Any]) -> str:
    named = record.get("role") or record.get("from") or record.get("type")
    name = as_text(named) or ""
    if name == "constructor":  # a serialised object: its class is the last part of its id
        name = as_text((as_list(record.get("id")) or [""])[-1]) or ""
    return _ROLES.get(name.lower(), name.lower())


def kind_of(record: Mapping[str, Any]) -> str:
    """The type of a record; Vercel's types have hyphens where others have underscores."""
    return (as_text(record.get("type")) or "").lower().replace("-", "_")


def has_turn(items: object) -> bool:
    """Whether the agent has a turn in a list of records, be it empty."""
    return any(role_of(record) == "assistant" for record in records_in(items))


def are_messages(items: object) -> bool:
    """Whether each item of a list is an object with what says who speaks in it."""
    return all(
        isinstance(item, Mapping)
        and not any({"role", "from", "type"}.isdisjoint(one) for one in records_in([item]))
        for item in as_list(items)
    )


def chat_in(value: object) -> list[Any] | None:
    """The messages of a chat: a list of nothing but them, or an object that has them as `messages`,
    or a JSON text of either. None for any other value, also for our own steps, and for the JSON
    text that is an agent's answer."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", errors="replace")
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        value = json_or_none(value)
    if isinstance(value, dict):
        value = value.get("messages")
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        return None
    if any("raw_output" in item for item in value):
        return None
    return value if all(map(_is_message, records_in(value))) and has_turn(value) else None


def _is_message(record: Mapping[str, Any]) -> bool:
    """Whether a record can be nothing but a message: others may have a `type` too."""
    kind = kind_of(record) or role_of(record)
    if CALLS.fullmatch(kind) or RETURNS.fullmatch(kind) or kind in THOUGHTS:
        return True
    return not {"role", "from", "content"}.isdisjoint(record) and role_of(record) in KNOWN


def why_no_turn(items: object) -> str:
    """The reason why a list of records has no turn of the agent; "" without records."""
    records = list(records_in(items))
    if any(role_of(record) in KNOWN for record in records):
        return "the messages hold no turn of the agent"
    keys = ", ".join(dict.fromkeys(key for record in records for key in record)) or "none"
    return f"no role known in the messages (keys: {keys[:120]})" if records else ""
