"""Two numbers in a row that are called the same and hold for different things: "R² is 0.53 on the
training data and 0.45 on the test data"."""

from __future__ import annotations

import re

from ..text.keywords import content_words
from .question import Question
from .weights import WEIGHTS

_FOR = r"%?\)?\s(?:on|in|for|among|at|under|with|during)\s((?:[\w-]{1,40}\s){0,4}?[\w-]{1,40})"
_FIRST = re.compile(_FOR + r",?\s(?:and|vs\.?|versus)\s\$?[-−]?")
_SECOND = re.compile(_FOR + r"(?=[,.;)]|\s(?:and|so|but|which)\b|$)")
_SHARED = ("stated", "named_as_asked", "other_statistic")


def add_coordination(
    first: dict[str, float], second: dict[str, float], span: tuple[int, int, int], text: str,
    question: Question,
) -> None:  # fmt: skip
    """Add to the evidence of two numbers what they share, and for each the share of what it holds
    for that the question names. span: where in `text` the first number ends, and where the second
    starts and ends."""
    after_first, start, end = span
    held = _FIRST.fullmatch(text, after_first, start)
    holds = _SECOND.match(text, end) if held else None
    if held is None or holds is None:
        return
    second.update({name: first[name] for name in _SHARED if name in first})
    for named, phrase in ((first, held[1]), (second, holds[1])):
        said = content_words(phrase.lower())
        named["qualified"] = WEIGHTS["qualified"] * len(said & question.target) / max(1, len(said))
