"""Numbers said to be another percentile than the one asked for."""

from __future__ import annotations

import re

from ..question import Question
from .context import Context

_PERCENTILE = re.compile(
    r"\b(?:P([0-9]{1,2})\b|([0-9]{1,2})(?:st|nd|rd|th)[ -](?:percen|quan)tile)", re.IGNORECASE
)
# Looked for only where a quartile is asked for: Q1 may be a quarter too.
_QUARTILE = re.compile(
    r"\b(?:(?P<low>Q1|(?:first|lower|1st)\squartile)|(?P<high>Q3|(?:third|upper|3rd)\squartile)"
    r"|median)\b",
    re.IGNORECASE,
)
_QUARTILES = frozenset({25.0, 75.0})


def named_percentile(line: str) -> float | None:
    """The last percentile that the line before a number names: 90 for `P90`."""
    named = _PERCENTILE.findall(line)
    return float("".join(named[-1])) if named else None


def wants_percentile(question: Question) -> bool:
    """True if a percentile is asked for, the median among them."""
    return question.percentile is not None


def is_other_percentile(context: Context) -> bool:
    """`2.59` of "the 10th percentile is 2.59" where the 90th is asked for; `12` of "Q1 is 12" where
    the third quartile is."""
    asked = context.question.percentile
    named = named_percentile(context.line)
    if named is None and asked in _QUARTILES:
        named = _named_quartile(context.line)
    return named not in (None, asked)


def _named_quartile(line: str) -> float | None:
    """The last quartile that a line names: 50 for the median."""
    named = list(_QUARTILE.finditer(line))
    if not named:
        return None
    return 25.0 if named[-1]["low"] else 75.0 if named[-1]["high"] else 50.0
