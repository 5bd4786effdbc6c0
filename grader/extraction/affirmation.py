"""Questions of yes or no that an output answers by a sentence: one that says all that the question
says, or denies it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from ..text import Block
from ..text.keywords import STOP_WORDS, words
from .mentions import sentence_around

_AUXILIARY = r"(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|had)"
_ASKED = re.compile(
    rf"(?:^|[.!?:,\n]\s{{0,3}})(?:so\s|and\s)?{_AUXILIARY}\b[^.!?\n]{{1,300}}\?", re.IGNORECASE
)
_DENIAL = re.compile(rf"\b{_AUXILIARY}(?:\s\w+)?\s+not\b|n['’]t\b|\bcannot\b", re.IGNORECASE)
_DENIES_OR_COMPARES = re.compile(r"\b(?:not|never|no|than)\b|n['’]t\b", re.IGNORECASE)
# A sentence with one of these says something else, or leaves it open.
_LEAVES_OPEN = re.compile(
    r"""
    \b (?: not | cannot | neither | nor | no | none | never | without | if | unless | whether
         | possibl[ey] | might | may | perhaps | maybe | probably | likely | unlikely | could
         | would | should | seems? | appears? | doubtful | impossible | unclear | uncertain
         | although | though | while | but | however | or | than | too | only | some | sometimes
         | information | evidence | claim | suggest\w* | hypothes\w* | test(?: s | ed | ing )? ) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_FEWEST_WORDS = 2
_STEM = 5


class _Asked(NamedTuple):
    stems: frozenset[str]  # of its content words
    open_words: frozenset[str]


def said_affirmation(blocks: Iterable[Block], question: str) -> tuple[Block, int, int, str] | None:
    """The block, place and answer ("yes" or "no") of the last sentence of an output, if it holds
    every content word of a question of yes or no and leaves nothing open. None else."""
    asked = _asked(question)
    said = [block for block in blocks if block.kind in ("prose", "answer")]
    if asked is None or not said:
        return None
    text = said[-1].text.rstrip()
    start, end = sentence_around(text, max(0, len(text) - 2), len(text))
    sentence = text[start:end]
    if "?" in sentence or not asked.stems <= _stems(words(sentence)):
        return None
    denials = _DENIAL.findall(sentence)
    if len(denials) > 1 or _open_words(_DENIAL.sub(" ", sentence)) - asked.open_words:
        return None
    return said[-1], start, end, "no" if denials else "yes"


@lru_cache(maxsize=1024)
def _asked(question: str) -> _Asked | None:
    """The last question of yes or no in a text; None if there is none, or if it denies, compares
    or has few words."""
    asked = _ASKED.findall(question)
    if not asked or _DENIES_OR_COMPARES.search(asked[-1]):
        return None
    stems = _stems(words(asked[-1]) - STOP_WORDS)
    return _Asked(stems, _open_words(asked[-1])) if len(stems) >= _FEWEST_WORDS else None


def _open_words(text: str) -> frozenset[str]:
    return frozenset([word.lower() for word in _LEAVES_OPEN.findall(text)])


def _stems(said: Iterable[str]) -> frozenset[str]:
    """Words less their endings: `causes`, `caused` and `cause` are one."""
    return frozenset([word[:_STEM] if len(word) > _STEM else word.rstrip("s") for word in said])
