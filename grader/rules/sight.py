"""A number in its place: what the rules look at."""

from __future__ import annotations

from typing import NamedTuple

from ..formats import BlockKind
from ..naming import last_words, named_topic
from ..numbers import Quantity
from ..question import Question

_BEFORE, _AFTER = 64, 40


class Sight(NamedTuple):
    """A number, what stands around it, and the question it might answer."""

    number: Quantity
    text: str
    kind: BlockKind
    question: Question
    before: str
    after: str
    words: tuple[str, ...]  # the last words before it
    topic: str | None  # what they call it


def look(number: Quantity, text: str, kind: BlockKind, question: Question) -> Sight:
    """A number with its surroundings (64 characters before, 40 after)."""
    before = text[max(0, number.start - _BEFORE) : number.start]
    words = last_words(before)
    topic = named_topic(before, words)
    after = text[number.end : number.end + _AFTER]
    return Sight(number, text, kind, question, before, after, words, topic)
