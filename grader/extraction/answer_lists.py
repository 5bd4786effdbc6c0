"""Explicit answers that list several values where one is asked for: `\\boxed{5, 6}`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..numbers import Quantity
from ..text import Block
from ..tolerance import agree
from .question import Question
from .rules.alternatives import wants_no_range

_LONGEST = 200  # characters of a list
_MOST_BOXES = 50
_BOX = re.compile(r"\\boxed\s?\{")
_AND = r"(?: [,;&] | \b (?: and | or ) \b )"
_TEXT = re.compile(r"\\text\s?\{([^{}]*)\}")
# What stands between two boxes of one list, and between two numbers of one.
_BETWEEN_BOXES = re.compile(rf"\}} [$\s]* {_AND} (?: [$\s] | {_AND} )* \\boxed\s?\{{", re.VERBOSE)
_VALUE = r"\0 (?: \s{1,2} (?! (?: and | or ) \b ) [a-z]{1,20} (?! [a-z] ) )?"  # 5 days
_LIST = re.compile(
    rf"[^a-z0-9\0]* {_VALUE} (?: (?: [\s*_`$\\|–-] | {_AND} )+ {_VALUE} )+ [^a-z0-9\0]*",
    re.VERBOSE | re.IGNORECASE,
)
_LEAD = re.compile(r"\W* (?: .{0,60} \b answer [*_]* (?: \s is | : | \s = )? )?", re.VERBOSE | re.I)
_MARKED = re.compile(r"^\s*\#{4}\s", re.MULTILINE)


def listed_values(block: Block, numbers: Sequence[Quantity], question: Question) -> frozenset[int]:
    """Where the numbers of a block start that are all an explicit answer has, and disagree. Empty
    if the question asks for a range."""
    if len(numbers) < 2 or not (
        block.kind == "answer" or "\\boxed" in block.text or "####" in block.text
    ):
        return frozenset()
    if not wants_no_range(question):
        return frozenset()
    return frozenset(
        number.start
        for start, end in _explicit(block)
        for number in _listed(block.text, start, end, numbers)
    )


def _explicit(block: Block) -> Iterator[tuple[int, int]]:
    """Where the explicit answers of a block start and end."""
    text = block.text
    if block.kind == "answer" and len(text) < _LONGEST:
        lead = _LEAD.match(text)
        yield lead.end() if lead else 0, len(text)
    for marked in _MARKED.finditer(text):
        end = text.find("\n", marked.end())
        yield marked.end(), len(text) if end < 0 else end
    found = [box.end() for box in _BOX.finditer(text)][-_MOST_BOXES:]
    boxes = [(start, _closes(text, start)) for start in found]
    while boxes:
        start, end = boxes.pop(0)
        while boxes and _BETWEEN_BOXES.fullmatch(text, end, boxes[0][0]):
            end = boxes.pop(0)[1]
        yield start, end


def _closes(text: str, start: int) -> int:
    """Where the brace that opens right before `start` closes; `start` itself if it never does."""
    depth = 1
    for place in range(start, min(len(text), start + _LONGEST)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if not depth:
            return place
    return start


def _listed(text: str, start: int, end: int, numbers: Sequence[Quantity]) -> list[Quantity]:
    """The numbers of an explicit answer if it is nothing but a list of them, and two disagree."""
    inside = [number for number in numbers if start <= number.start and number.end <= end]
    if not 2 <= len(inside) <= _LONGEST or all(agree(inside[0], other) for other in inside[1:]):
        return []
    rest, place = "", start
    for number in inside:
        rest += text[place : number.start] + "\0"
        place = number.end
    bare = _BOX.sub(" ", _TEXT.sub(r"\1", rest + text[place:end])).replace("}", " ")
    return inside if _LIST.fullmatch(bare) else []
