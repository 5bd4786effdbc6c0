"""A chat -> steps: what the user says instructs, what the assistant says and tools print is output.

Only output is graded, so a user's "answer with a number, for example 4" is never taken for the
agent's answer. Some agents get the output of their code in the user's turns; these are known by
the tags and openers of `FORMATS`. If the agent's turn ends in code, also by openers before words
("Observation: 3 rows"), by reports ("exitcode: 0"), and if they have no words or one fence.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..records import InstructionType, Step
from ..text.blocks import is_opener
from ..text.formats import TAGS
from ..text.keywords import has_word
from .messages import Message

_OUTPUT_TAGS = "|".join(tag for tag, kind in TAGS.items() if kind == "execution")
_CODE_TAGS = "|".join(tag for tag, kind in TAGS.items() if kind == "code")
# Contains no tag like itself, so that no text is scanned twice.
_TAGGED = re.compile(
    rf"<({_OUTPUT_TAGS})\b[^<>]*>((?:(?!<\1\b).)*?)</\1>", re.DOTALL | re.IGNORECASE
)
_ENDS_IN_CODE = re.compile(
    rf"(?:```|</(?:{_CODE_TAGS})>)\s*\Z|^Action:", re.MULTILINE | re.IGNORECASE
)
# What frameworks write before the output of code that has just run: a line of its own, or before a
# value.
_REPORT = re.compile(
    r"""
    [\W_]* (?: the \s | your \s | here \s is \s (?: the \s )? )?
    (?: exitcode: \s -?[0-9]+ [^\n]{0,40}
      | exit \s (?: code | status ) :? \s -?[0-9]+
      | out \[ [0-9]+ \] :
      | (?: code | cell | python | program | script | command | console | execution | tool | shell
          | kernel ) (?: \s execution )?
        (?: \s (?: output | results? | logs? | stdout ) (?: \s is )?
          | \s (?: printed | produced | returned ) (?: \s (?: this | the \s following ) )?
            (?: \s output )?
          | \s (?: was \s )? (?: executed | ran | run | finished | completed | succeeded )
            (?: \s successfully )? (?: \s in \s [0-9.]+ \s? \w{1,12} )? [.:,]?
            (?: \s (?: output | result ) )? )
      | execution \s output \s of \s \[ \w+ \]
      | (?: output | result ) \s of \s (?: the | your | running )
        (?: \s (?: last | python | above ) )* \s (?: code | cell | script | program | execution )
        (?: \s is )?
      | output | stdout | returned | return \s value )
    [^\S\n]*+ (?: :?+ [*_]*+ [^\S\n]*+ (?: \n | \Z ) | : [*_]*+ \s (?= [^\n]* \Z ) )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_AMBIGUOUS = frozenset({"output", "result", "results", "error", "prints"})  # "Output: a number"
# Said to the agent, not printed by its code.
_INSTRUCTS = re.compile(
    r"\b(?:please|only|exactly|just|e\.g|such as|for example|expected|should|must|your|answer|reply"
    r"|format|instead|wrong)\b|\?",
    re.IGNORECASE,
)
_FENCED = re.compile(
    r"\s*```(?:output|stdout|text|txt|console|plaintext)?[ \t]*\n(?:(?!```).)*```\s*", re.DOTALL
)
# All that an agent says that has answered before.
_LEAVES = re.compile(r"\W*(?:<finish>\W*(?:exit)?\W*</finish>|/?exit|TERMINATE)\W*", re.IGNORECASE)
_ERROR = re.compile(
    r"\s*(?:(?:execution )?error\b|traceback \(most recent call last\)|\w+error:)", re.IGNORECASE
)


@dataclass
class _Exchange:
    """An instruction and the output that followed. after_code: the agent's turn before it ended in
    code."""

    said: list[str] = field(default_factory=list)
    output: list[str] = field(default_factory=list)
    after_code: bool = False


def steps_of(messages: Iterable[Message], question: str = "") -> tuple[Step, ...]:
    """The steps of a chat on a question. A step begins where the user speaks after output; an
    instruction without an answer is left out, and so is one that the agent answers by leaving."""
    exchanges = [_Exchange()]
    for role, text in messages:
        last = exchanges[-1]
        if role == "assistant":
            last.output.append(text)
        elif role == "tool":
            last.output.append(_printed(text))
        elif role == "user" and not last.output:
            last.said.append(text)
        elif role == "user":
            after_code = _ENDS_IN_CODE.search(last.output[-1]) is not None
            printed, said = _parted(text, after_code)
            if printed:
                last.output.append(printed)
                last.said.extend(said)
            else:
                exchanges.append(_Exchange(said, after_code=after_code))
    answered = [one for one in exchanges if one.output]
    while len(answered) > 1 and _LEAVES.fullmatch("".join(answered[-1].output)):
        answered.pop()
    return tuple(
        _step(one, _kind(one, question) if one is not exchanges[0] else "original_prompt")
        for one in answered
    )


def _step(exchange: _Exchange, kind: InstructionType) -> Step:
    return Step(
        instruction_type=kind,
        instruction_text="\n\n".join(exchange.said),
        raw_output="\n\n".join(filter(None, exchange.output)),
    )


def _kind(exchange: _Exchange, question: str) -> InstructionType:
    """The type of an instruction that is not the first: a revision if it reports an error or is
    about code, else a nudge."""
    said = "\n\n".join(exchange.said)
    if exchange.after_code or _ERROR.match(said):
        return "inspector_revision"
    return "nudge_original" if question and question in said else "nudge_generic"


def _printed(text: str) -> str:
    """A text marked as execution output; tags in it have no meaning."""
    tagged = _TAGGED.fullmatch(text.strip())
    return _marked(*tagged.groups()) if tagged else _marked("pre", text)


def _marked(tag: str, output: str) -> str:
    return f"<{tag.lower()}>{html.escape(output, quote=False)}</{tag.lower()}>"


def _parted(text: str, after_code: bool) -> tuple[str, list[str]]:
    """The execution output in a user's turn ("" if there is none), and the user's own words."""
    tagged = list(_TAGGED.finditer(text))
    if tagged and (after_code or not text[: tagged[0].start()].strip()):
        printed = "\n".join(_marked(*one.groups()) for one in tagged)
        said = _TAGGED.sub("", text).strip()
        return printed, [said] if said else []
    opener, colon, value = text.lstrip().partition("\n")[0].partition(":")
    is_open = is_opener(opener.strip(" []") + colon)
    is_output = is_open and not has_word(value)
    if after_code and not is_output:
        first_line = text.lstrip().partition("\n")[0]
        is_plain = is_open and opener.strip(" []*_").lower() not in _AMBIGUOUS
        may_be = not _ERROR.match(text) and (is_plain or not _INSTRUCTS.search(first_line))
        is_bare = not has_word(text) or _FENCED.fullmatch(text) is not None
        is_output = may_be and (is_open or is_bare or _REPORT.match(text) is not None)
    return (_printed(text), []) if is_output else ("", [text])
