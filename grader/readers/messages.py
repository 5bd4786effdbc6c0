"""The messages of a recorded chat, in the shapes in which APIs and frameworks write them.

Read: OpenAI's chat completions (`role`, `content`, `tool_calls`) and responses (items with a
`type`), Anthropic's content blocks, Gemini's `parts`, LangChain's messages, ShareGPT (`from`,
`value`), Open Interpreter's typed messages, others' names of a content (`_CONTENTS`), and what
`frameworks.py` makes of other frameworks' records. What a tool returned is a message of role
`tool`, code that the agent ran is a fence, and an answer that a call hands in is said in words.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from ..files.json_input import as_list, as_mapping, as_text, json_or_none
from .chat_records import CALLS, KNOWN, RETURNS, THOUGHTS, TOOL_CALL, kind_of, records_in, role_of

log = logging.getLogger("grader")
_CODE_PARTS = frozenset({"executable_code", "executablecode"})
# Tools by which agents hand in their answer, and the arguments that hold it and code.
_SUBMITTING = re.compile(
    r"(?:(?:submit|give|return)_?)?(?:final_?)?answer|submit(?:_solution)?|finish|done"
    r"|final_result(?:_\w+)?",  # pydantic-ai's
    re.I,
)
_ANSWER_ARGUMENTS = (
    "answer", "final_answer", "result", "solution", "value", "response", "message", "text",
)  # fmt: skip
_CODE_ARGUMENTS = ("code", "python_code", "source", "command", "cmd", "query", "sql")
_PRINTED = ("stdout", "output", "stderr", "error")  # of a tool that returns an object
# A call in words: <function=finish><parameter=message>It is 3.</parameter></function>
_CALL_IN_WORDS = re.compile(
    r"<function=(?P<name>\w+)>\s*(?P<arguments>(?:(?!<function=).)*?)</function>", re.DOTALL
)
_PARAMETER = re.compile(r"<parameter=(\w+)>\n?((?:(?!<parameter=).)*?)\n?</parameter>", re.DOTALL)
# What holds the content of a message: LlamaIndex has `blocks`, Semantic Kernel `items`, Cohere
# `message`.
_CONTENTS = ("content", "parts", "value", "text", "blocks", "items", "message")
_LONGEST_ANSWER = 200
DEEPEST = 20  # parts of messages that are read


class Message(NamedTuple):
    """A chat message. role: `user`, `assistant` or `tool`; messages of other roles are left out."""

    role: str
    text: str


def read_messages(items: object) -> Iterator[Message]:
    """The messages in a list of records, whatever the types in it; what is no record is left out,
    and so is what a tool returns to an answer that was handed in."""
    handed_in = False
    for record in records_in(items):
        for message in _read(record):
            if message.role != "tool" or not handed_in:
                yield message
        if role_of(record) != "tool":
            handed_in = _hands_in(record)


def words(content: object, depth: int = 0) -> str:
    """The text of a message, which may be one text or a list of parts, some of them texts; not of
    parts nested very deeply."""
    if depth > DEEPEST:
        return ""
    if isinstance(content, list):
        return "\n".join([words(part, depth + 1) for part in content])
    if isinstance(content, dict):
        if "stdout" in content:
            return _streams(content)
        return words(
            _first(content, "text", "output", "content", "response", "result", "value"), depth + 1
        )
    return as_text(content) or ""


def _first(record: Mapping[str, Any], *names: str) -> Any:
    return next((record[name] for name in names if record.get(name) is not None), None)


def _printed(returned: object) -> str:
    """What a tool returned, in words; what it printed, of an object with its exit code."""
    text = words(returned)
    record = as_mapping(json_or_none(text)) if text.lstrip().startswith("{") else {}
    return _streams(record) if any(name in record for name in _PRINTED) else text


def _streams(record: Mapping[str, Any]) -> str:
    return "\n".join(filter(None, (as_text(record.get(name)) for name in _PRINTED)))


def _read(record: Mapping[str, Any]) -> Iterator[Message]:
    role, kind = role_of(record), kind_of(record)
    if role == TOOL_CALL:
        yield Message("assistant", _fenced(words(record.get("content"))))
    elif CALLS.fullmatch(kind):
        yield Message("assistant", _called(record))
    elif CALLS.fullmatch(role):
        yield Message("assistant", _called_in_text(words(_first(record, *_CONTENTS))))
    elif RETURNS.fullmatch(kind):
        if record.get("format") != "active_line":  # where Open Interpreter is in its code
            yield Message("tool", _printed(record))
    elif kind == "confirmation":  # Open Interpreter's, of code that follows
        return
    elif kind == "code" and role == "assistant":
        yield Message(role, _fenced(as_text(record.get("content")) or ""))
    elif kind == "code_interpreter_call":
        yield Message("assistant", _fenced(as_text(record.get("code")) or ""))
        yield from _returned(_first(record, "outputs", "results"))
    else:
        if record.get("role") and role not in KNOWN:
            _warn_of_role(role)
        yield from _of_parts(role, record)


@lru_cache(maxsize=100)
def _warn_of_role(role: str) -> None:
    """Warn once of each unknown role; a chat with such messages can still be graded."""
    log.warning("messages of the role %r are left out: it is neither agent, user nor tool", role)


def _of_parts(role: str, record: Mapping[str, Any]) -> Iterator[Message]:
    """What is said in a message and its calls, between what tools returned in it."""
    content = _first(record, *_CONTENTS)
    said: list[str] = []
    for part in content if isinstance(content, list) else [content]:
        kind, inner = _part(part)
        if RETURNS.fullmatch(kind):
            if any(said):
                yield Message(role, "\n".join(said))
            said = []
            yield Message("tool", _printed(inner))
        elif CALLS.fullmatch(kind):
            said.append(_called(inner))
        elif kind in _CODE_PARTS:
            said.append(_fenced(words(as_mapping(inner).get("code"))))
        elif kind in THOUGHTS or as_mapping(inner).get("thought") is True:
            thought = as_mapping(inner).get(kind)
            said.append(f"<think>{words(inner if thought is None else thought)}</think>")
        else:
            said.append(_CALL_IN_WORDS.sub(_called_in_words, words(inner)))
    if isinstance(content, dict) and not any(said) and not kind_of(content):  # {"answer": 30}
        said = [as_text(content) or ""]
    made = [*as_list(record.get("tool_calls")), *as_list(record.get("function_call"))]
    calls = [_called(call) for call in made]
    if text := "\n\n".join(filter(None, ["\n".join(said), *calls])):
        yield Message(role, _printed(text) if role == "tool" else text)


def _part(part: object) -> tuple[str, object]:
    """The type of a part and what it holds; Gemini's parts have their type as a name."""
    for name, inner in as_mapping(part).items():
        lower = name.lower()
        is_kind = lower in _CODE_PARTS or CALLS.fullmatch(lower) or RETURNS.fullmatch(lower)
        if is_kind and inner is not None:
            return lower, inner
    return kind_of(as_mapping(part)), part


def _returned(outputs: object) -> Iterator[Message]:
    for output in as_list(outputs):
        yield Message("tool", _printed(_first(as_mapping(output), "logs", "output")))


def _called(call: object) -> str:
    """What a tool call says: the answer that it hands in, or the code that it runs, as a fence."""
    record = as_mapping(call)
    function = as_mapping(record.get("function")) or record
    written = _first(function, "arguments", "input", "args")
    parsed = json_or_none(written) if isinstance(written, str) else written
    arguments = as_mapping(parsed)
    texts = {name: text for name, value in arguments.items() if (text := _named(value))}
    if not arguments and (alone := as_text(written if parsed is None else parsed)):
        texts = {"": alone}
    return _said(_tool(record), texts)


def _called_in_text(text: str) -> str:
    """What the calls in a JSON text say, as ShareGPT has them; any other text is code."""
    calls = json_or_none(text)
    if not isinstance(calls, list | dict):
        return _fenced(text)
    return "\n\n".join(map(_called, as_list(calls)))


def _tool(call: Mapping[str, Any]) -> str:
    """The name of the tool that a call is for; inspect_ai has it as `function`."""
    function = call.get("function")
    stated = as_mapping(function).get("name") or _first(call, "name", "tool_name", "toolName")
    return as_text(stated or function) or ""


def _named(value: object, depth: int = 0) -> str:
    """A value in words; the values of an object with their names."""
    if not isinstance(value, dict) or depth > DEEPEST:
        return words(value)
    return "; ".join(f"{name}: {_named(inner, depth + 1)}" for name, inner in value.items())


def _called_in_words(call: re.Match[str]) -> str:
    return _said(call["name"], dict(_PARAMETER.findall(call["arguments"])))


def _said(tool: str, texts: Mapping[str, str]) -> str:
    if not _SUBMITTING.fullmatch(tool):
        return _fenced(_first(texts, *_CODE_ARGUMENTS) or "")
    answer = _first(texts, *_ANSWER_ARGUMENTS)
    if answer is None:
        answer = next(iter(texts.values())) if len(texts) == 1 else _named(texts)
    is_report = answer is not None and ("\n" in answer or len(answer) > _LONGEST_ANSWER)
    return (answer if is_report else f"Final answer: {answer}") if answer else ""


def _hands_in(record: Mapping[str, Any]) -> bool:
    """Whether a record calls a tool that hands in an answer."""
    parts = [_part(part)[1] for part in as_list(_first(record, *_CONTENTS))]
    calls = [record, *parts, *as_list(record.get("tool_calls"))]
    return any(_SUBMITTING.fullmatch(_tool(call)) for call in map(as_mapping, calls))


def _fenced(code: str) -> str:
    return f"```python\n{code}\n```" if code and "```" not in code else ""
