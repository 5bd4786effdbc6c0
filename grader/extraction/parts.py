"""The sentences and lines of a block, with the numbers in them."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..numbers import Quantity
from ..text import Block
from ..text.keywords import words
from .rules import Context, Mark

# They all begin with one of a few signs, for speed; that of a sentence with its last sign.
_STOPS = ".!?"
_END = (
    rf"[{_STOPS}\n,](?:"
    rf"(?<=[{_STOPS}])(?:"
    r"(?<!\b[ie]\.[eg]\.)(?<!\bvs\.)(?<!\b[Nn]o\.)[*_)\"”]*\s+(?=[A-Z*_(\[\"“$\\−-])"
    r"|(?<=[a-z]{4}.)(?<!approx\.)\s+(?=[0-9])"
    r"|(?<=[0-9]{2}\.)\s+(?=[0-9][0-9,.]*%?\s(?:of|[a-z]{3,})\b)"  # is 0.27. 9 days are missing
    r")|(?<=\n)(?![ \t]*[=≈] )|(?<=,)\s*(?=\"\w+\"\s*:))"
)
# The end of a sentence, of a line that no `= 5` continues, or of a field of a JSON object.
_SENTENCE_END = re.compile(_END)
_FIELD_END = re.compile(_END + r"|[,;]?\s+(?=@\w+\[)")  # and of `@name[value] @other[value]`
_LABEL = re.compile(r"[ \t>#-]{0,6}(?:[0-9]{1,2}[.)] )?[*_]{1,3}[^*_\n]{2,60}[.:!][*_]{1,3}[ \t]+")
_BOLD = re.compile(r"\*\*[^*\n]{0,62}$")
_BOLD_END = re.compile(r"[^*\n]{0,30}\*\*")
_LONGEST_LINE = 2000  # characters before a number in which the marks of bold are counted

BARRED, FALLBACK, PLAIN = 0, 1, 2  # how good a candidate a number is


class Marked(NamedTuple):
    """A number with its surroundings and its mark, from the first rule that fires on it, if any.

    standing: PLAIN, FALLBACK for one that may come back when no plain one is left, or BARRED for
    one that can never be an answer. pinned: an explicit phrase ("final answer:", a box,
    `"answer":`) points at it; announced: a weaker one does ("the answer is", "conclusion:").
    emphasised: it is set in bold, with at most a short sentence around it. computed: a formula
    gives it as the value of an expression.
    """

    number: Quantity
    rule: Mark | None
    context: Context
    standing: int
    pinned: bool = False
    announced: bool = False
    emphasised: bool = False
    computed: bool = False


class Part(NamedTuple):
    """A sentence or line of a block: its numbers (offsets are the block's) and, where it has
    any, its words."""

    start: int
    end: int
    marks: tuple[Marked, ...]
    words: set[str]


class Weighed(NamedTuple):
    """A candidate, its place, and its evidence: weights by name."""

    mark: Marked
    block: Block
    part: Part
    evidence: dict[str, float]


def is_emphasised(context: Context) -> bool:
    """True if a number is set in bold, with at most a short sentence around it."""
    if "**" not in context.line or _BOLD.search(context.line) is None:
        return False
    if _BOLD_END.match(context.after) is None:
        return False
    text, start = context.text, context.number.start
    line_start = text.rfind("\n", max(0, start - _LONGEST_LINE), start) + 1
    return text.count("**", line_start or max(0, start - _LONGEST_LINE), start) % 2 == 1


def cut(text: str, marks: tuple[Marked, ...], all_words: set[str]) -> list[Part]:
    """Parts of a text, each with the marks inside it. A cut inside a number is no cut."""
    parts: list[Part] = []
    start = index = 0
    has_names = "_" in text  # whose pieces are words too: median_fare
    may_label = has_names or "*" in text
    ending = _FIELD_END if "@" in text else _SENTENCE_END
    ends = [
        (found.start() + (found[0][0] in _STOPS), found.end()) for found in ending.finditer(text)
    ]
    for stop, following in [*ends, (len(text), len(text) + 1)]:
        first = index
        while index < len(marks) and marks[index].number.start < following:
            index += 1
        if index > first and marks[index - 1].number.end > following:
            index = first
            continue
        if may_label and stop < len(text) and _LABEL.fullmatch(text, start, following):
            index = first  # `*Direct effect.*` names the topic of its line
            continue
        end = max(stop, start)
        whole = not parts and end == len(text)
        said = all_words if whole else words(text[start:end]) if index > first else set()
        if has_names and index > first:
            said = said.union(*[word.split("_") for word in said if "_" in word])
        parts.append(Part(start, end, marks[first:index], said))
        start = following
    return parts
