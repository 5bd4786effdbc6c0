"""Numbers that a question lets choose from: "which number of clusters from 2 to 5 ...", "among 2, 3
and 4 components". An output that gives one of them does not repeat the question."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...numbers import Quantity

_NUMBER = r"[0-9]++(?:\.[0-9]++)?"
_LIST = (
    rf"{_NUMBER}(?:,\s?{_NUMBER}){{0,20}}(?:,?\s?(?:to|and|or|through)\s|\s?[-–]\s?|,\s?(?:\.{{3}},\s?)?)"
    rf"{_NUMBER}"
)
_TUNED = (
    r"(?:k|clusters?|components?|factors?|degrees?|orders?|lags?|depths?|max_depth|n_[a-z_]+"
    r"|neighbou?rs?|bins?|knots?|topics?|states?|trees?|segments?|alphas?|lambdas?)"
)
_TIMES = r"(?:months?|hours?|weekdays?|grades?|weeks?|quarters?)"
_OFFERED = re.compile(
    rf"""
    \b (?: {_TUNED} | (?<= which\s ) {_TIMES} ) [,:]? \s? [(]?    # number of clusters (2 to 5)
      (?: (?: from | between | among | in | of | = | ∈ ) \s )? [\[{{(]? ( {_LIST} ) \b
    | \b ( {_LIST} ) \s {_TUNED} \b                               # 2, 3 or 4 clusters
    | \b among \s (?: the \s )? (?: values \s )? [\[{{(]? ( {_LIST} ) [\]}})]?
      (?= [,.?;] | \s (?: gives | has | yields | is | minimi[sz]es | maximi[sz]es ) \b )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DIGITS = re.compile(_NUMBER)
_LETTERED = re.compile(rf"(?<!\S)\(?[A-H][.):]\s[$€£]?(?={_NUMBER})")  # B. 13.1
_LETS_CHOOSE = re.compile(
    rf"""
    \b (?: which | what | how\smany | best | optimal | ideal ) \s
    (?: is\sthe\s )? (?: (?: best | optimal | ideal ) \s )? (?: value\sof\s )? (?: [\w-]+\s )?
    (?: number | {_TUNED} | {_TIMES} ) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)


def offered_numbers(question: str, numbers: Iterable[Quantity]) -> list[Quantity]:
    """Those of the numbers of a question that it lets choose from."""
    spans = [match.span() for match in _OFFERED.finditer(question)]
    if not spans or not _LETS_CHOOSE.search(question):
        return []
    starts = {digits.start() for span in spans for digits in _DIGITS.finditer(question, *span)}
    return [one for one in numbers if one.start in starts]


def lettered_numbers(question: str, numbers: Iterable[Quantity]) -> list[Quantity]:
    """Those of the numbers of a question that are options with letters."""
    starts = {match.end() for match in _LETTERED.finditer(question)}
    return [one for one in numbers if one.start in starts]
