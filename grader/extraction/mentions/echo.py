"""Sentences that repeat a question's words in their order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_WORD = re.compile(r"[^\W_](?:[\w.’'-]*[^\W_])?")
_ENDING = re.compile(r"(?:ed|es|[’']?s|ing|e|d)$")
_SHORT = 3
_LITTLE = frozenset(
    """
    a an the this that these those there it its or so thus hence therefore overall clearly indeed
    also is are was were be been do does did has have had can will
    occur occurs occurred happened recorded observed achieved reached found seen measured
    of in on at by to for from with during who which what where when how many much
    """.split()
)


def told(text: str) -> tuple[str, ...]:
    """The words of a text in their order, in lower case, without articles, auxiliary verbs and
    other words that mean little."""
    return tuple([word for word in _WORD.findall(text.lower()) if word not in _LITTLE])


def repeats(said: Sequence[str], asked: Sequence[str]) -> bool:
    """Whether words are the same ones in the same order, up to endings: `causes` and `caused`."""
    return len(said) == len(asked) and all(map(_is_same, said, asked))


def is_drawn_from(said: Iterable[str], asked: Iterable[str]) -> bool:
    """Whether words are some of a question's words, in the same order."""
    left = iter(asked)
    return all(any(_is_same(word, other) for other in left) for word in said)


def are_among(said: Iterable[str], asked: Sequence[str]) -> bool:
    """Whether words are some of a question's words, in any order."""
    return all(any(_is_same(word, other) for other in asked) for word in said)


def _is_same(one: str, other: str) -> bool:
    return one == other or (len(one) > _SHORT and _ENDING.sub("", one) == _ENDING.sub("", other))
