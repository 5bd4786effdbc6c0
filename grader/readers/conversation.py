"""A chat -> steps: what the user says instructs, what the assistant says and tools print is output.

Only output is graded, so a user's "answer with a number, for example 4" is never taken for the
agent's answer. Some agents get the output of their code in the user's turns; these are known by
the tags and openers of `FORMATS`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from ..records import InstructionType, Step
from ..text.blocks import is_opener
from ..text.formats import TAGS
from ..text.keywords import has_word

_OUTPUT_TAGS = "|".join(tag for tag, kind in TAGS.items() if kind == "execution")
_TAGGED = re.compile(rf"\s*<({_OUTPUT_TAGS})>.*</\1>", re.DOTALL)
_ERROR = re.compile(r"\s*(?:execution )?error\b", re.IGNORECASE)


class Turn(NamedTuple):
    """A message. role: `user`, `assistant` or `tool`; those of any other are left out."""

    role: str
    text: str


@dataclass
class _Exchange:
    """What the user said, and what came back."""

    said: list[str] = field(default_factory=list)
    output: list[str] = field(default_factory=list)


def steps_of(turns: Iterable[Turn], question: str = "") -> tuple[Step, ...]:
    """The steps of a chat on a question: a step begins where the user speaks after output. An
    instruction that nobody answered is left out."""
    exchanges = [_Exchange()]
    for role, text in turns:
        last = exchanges[-1]
        if role == "assistant":
            last.output.append(text)
        elif role == "tool":
            last.output.append(_printed(text))
        elif role == "user" and last.output and (printed := _printed_in(text)):
            last.output.append(printed)
        elif role == "user" and last.output:
            exchanges.append(_Exchange([text]))
        elif role == "user":
            last.said.append(text)
    return tuple(
        _step(one, _kind(one, question) if index else "original_prompt")
        for index, one in enumerate(exchanges)
        if one.output
    )


def _step(exchange: _Exchange, kind: InstructionType) -> Step:
    return Step(
        instruction_type=kind,
        instruction_text="\n\n".join(exchange.said),
        raw_output="\n\n".join(filter(None, exchange.output)),
    )


def _kind(exchange: _Exchange, question: str) -> InstructionType:
    """Of an instruction that is not the first: it reports an error, or it urges the agent on."""
    said = "\n\n".join(exchange.said)
    if _ERROR.match(said):
        return "inspector_revision"
    return "nudge_original" if question and question in said else "nudge_generic"


def _printed(text: str) -> str:
    """Execution output, marked as such."""
    if _TAGGED.fullmatch(text.rstrip()):
        return text
    return f"<pre>{html.escape(text, quote=False)}</pre>"


def _printed_in(said: str) -> str:
    """The execution output that a user's turn begins with, "" if it is an instruction."""
    if tagged := _TAGGED.match(said):
        return tagged[0]
    first = said.lstrip().partition("\n")[0]
    opener, colon, value = first.partition(":")
    return _printed(said) if is_opener(opener + colon) and not has_word(value) else ""
