"""What a question, in lower case, says of the form of its answer: decimals, scale, which end."""

from __future__ import annotations

import re

from ...number_edges import SCALES
from .topics import has_any

_PLACES = {
    "integer": 0, "whole": 0, "tenth": 1, "hundredth": 2, "thousandth": 3, "ten-thousandth": 4,
}  # fmt: skip
_COUNT_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_ROUND_TO = re.compile(
    r"(?:(\d)|(one|two|three|four|five|six))\s+(?:decimals?|digits? after|d\.p\.)"
    r"|nearest\s+(ten-thousandth|thousandth|hundredth|tenth|integer|whole)",
)
_UPPER = re.compile(r"\b(?:upper|maximum|largest|highest)\b")
_LOWER = re.compile(r"\b(?:lower|minimum|smallest|lowest)\b")


def wanted_scale(asked: str) -> float:
    """1e3 for "in thousands", 1e6 for "in millions" ...; 1.0 where none is named."""
    for word, scale in SCALES.items():
        if word in asked and f"in {word}s" in asked:
            return scale
    return 1.0


def wanted_bound(asked: str) -> str | None:
    """Which end of an interval, "upper" or "lower"; None for neither or both."""
    upper, lower = bool(_UPPER.search(asked)), bool(_LOWER.search(asked))
    if upper == lower:
        return None
    return "upper" if upper else "lower"


def wanted_decimals(asked: str) -> int | None:
    """The decimals that the answer is to have: 2 for "to the nearest hundredth"; None if unsaid."""
    if not has_any(asked, ("decimal", "digit", "d.p.", "nearest")):
        return None
    match = _ROUND_TO.search(asked)
    if match is None:
        return None
    if match[1]:
        return int(match[1])
    if match[2]:
        return _COUNT_WORDS[match[2]]
    return _PLACES[match[3]]
