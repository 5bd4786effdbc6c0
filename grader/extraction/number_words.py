"""Small whole numbers in words: `fourteen of them`, `there are no duplicates`."""

from __future__ import annotations

import re

from ..numbers import Quantity

_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty"
).split()
_VALUES = {word: float(value) for value, word in enumerate(_WORDS)} | {"no": 0.0, "none": 0.0}
# "one" is mostly a pronoun, and "no" mostly an answer or a denial.
_NUMBER_WORD = re.compile(
    r"\b(?:zero|t(?:wo|hree|en|welve|hirteen|wenty)|f(?:our|ive|ourteen|ifteen)|s(?:ix|even|ixteen"
    r"|eventeen)|eight(?:een)?|nine(?:teen)?|eleven|none|(?:only|exactly|just|is) (one)"
    r"|(?:there (?:is|are|was|were)|found|contains?|has|have) (no)(?= \w))\b(?![-'’])",
    re.IGNORECASE,
)


def find_number_words(text: str) -> list[Quantity]:
    """Every small whole number that a text gives in words, in order."""
    found = []
    for match in _NUMBER_WORD.finditer(text):
        group = match.lastindex or 0
        start, end = match.span(group)
        value = _VALUES[match[group].lower()]
        found.append(Quantity(value, text=match[group], start=start, end=end, is_integer=True))
    return found
