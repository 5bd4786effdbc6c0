"""Numbers said to be another percentile than the one asked for."""

from __future__ import annotations

import re

from ..question import Question
from .sight import Sight

_PERCENTILE = re.compile(
    r"\b(?:P([0-9]{1,2})\b|([0-9]{1,2})(?:st|nd|rd|th)[ -](?:percen|quan)tile)", re.IGNORECASE
)


def named_percentile(line: str) -> float | None:
    """The last percentile that the line before a number names: 90 for `P90`."""
    named = _PERCENTILE.findall(line)
    return float("".join(named[-1])) if named else None


def wants_percentile(question: Question) -> bool:
    return question.percentile is not None


def is_other_percentile(sight: Sight) -> bool:
    """`2.59` of "the 10th percentile is 2.59" where the 90th is asked for."""
    return named_percentile(sight.line) not in (None, sight.question.percentile)
