"""A number in its context: what the rules look at."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...numbers import Quantity
from ...text.formats import BlockKind
from ..naming import label_name, last_words, named_topic, topic_if_adjusted
from ..question import Question

_BEFORE, _AFTER = 64, 40
NEAR = 240  # characters in which the sentence of a number is looked for
_SENTENCE_START = re.compile(r"(?:[.!?]\s|\n)[\s*_>(-]{0,6}(?=[A-Z])")


class Context(NamedTuple):
    """A number, what stands around it in its text, and the question that it might answer."""

    number: Quantity
    text: str
    kind: BlockKind
    question: Question
    before: str
    after: str
    line: str  # what stands before it on its line
    last_word: str  # the last word before it, in lower case
    words: tuple[str, ...]  # the last words before it, less fillers and signs
    topic: str | None  # what they call it


def in_context(
    number: Quantity, text: str, kind: BlockKind, question: Question, *, may_be_named: bool = True
) -> Context:
    """A number in its context (64 characters before, 40 after). may_be_named: False if the
    text is known to name no number."""
    start, end = number.start, number.end
    first = start - _BEFORE
    if first > 0:
        before = text[first:start]
        if before[0].isalpha() and text[first - 1].isalpha():
            before = before.partition(" ")[2] or before  # not the "t" of "that"
    else:
        before = text[:start]
    line = before.rpartition("\n")[2]
    last_word = before.rstrip().rpartition(" ")[2].lower()
    words = last_words(before)
    topic = named_topic(before, words) if may_be_named else None
    if question.wants_adjusted:
        topic = topic_if_adjusted(topic)
    after = text[end : end + _AFTER]
    if kind == "execution":  # in output, only the same line
        after = after[: after.find("\n") + 1] or after
    return Context(number, text, kind, question, before, after, line, last_word, words, topic)


def is_the_one_asked_for(context: Context) -> bool:
    """True for `store 12` where the question asks which store."""
    asked = context.question.asks_which
    if not asked or context.question.wants_count:
        return False
    return label_name(context.words, asked) in asked


def near_before(context: Context) -> str:
    """The 240 characters before a number."""
    start = context.number.start
    return context.text[start - NEAR if start > NEAR else 0 : start]


def last_sentence_of(near: str) -> str:
    """The last sentence of what stands before a number."""
    starts = [match.end() for match in _SENTENCE_START.finditer(near)]
    return near[starts[-1] :] if starts else near.lstrip("*_>(- ")
