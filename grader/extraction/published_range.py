"""Published answers that are a range: any number in it is right, or it is the name of a group."""

from __future__ import annotations

import re
from functools import lru_cache

from ..numbers import Quantity, parse_number
from ..truth import published_number, without_label
from .question import read_question
from .question.one_number import asks_for_group, may_be_range, name_of_one

_RANGE = re.compile(
    r"""
    \( \s* (?P<one> [^\s,()]{1,40} ) \s* , \s* (?P<other> [^\s,()]{1,40} ) \s* \)    # (24,26)
    | (?: about \s | approximately \s | roughly \s | ~ \s? | ≈ \s? )?
      (?: between \s (?P<from> \S{1,40} ) \s and \s (?P<upto> \S.{0,60} )
        | (?: from \s )? (?P<low> \S{1,40}? ) (?: \s? [-–—−] \s? | \s to \s )
          (?P<high> \S.{0,60} ) )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_BELOW = re.compile(r"(?: p \s? )? [<≤] \s? (?P<most> \S{1,40} )", re.IGNORECASE | re.VERBOSE)


@lru_cache(maxsize=4096)
def accepted_range(truth: str, question: str) -> tuple[Quantity, Quantity] | None:
    """The ends of a range that a publisher accepts as the answer: `(24,26)`, `0.2-0.3`, `4 to 6
    days`, `33-36% increase`, `<0.001` of a p-value. None for other answers, and unless the question
    clearly asks for one number: two (an interval, "the mean and the median") are a list, and
    `18-25` is a name where it asks for an age group."""
    bare = without_label(truth)
    if below := _BELOW.fullmatch(bare):
        asked = read_question(question)
        most = parse_number(below["most"]) if "p_value" in asked.topics else None
        return (most._replace(value=0.0), most) if most and most.value > 0 else None
    found = _RANGE.fullmatch(bare)
    name = name_of_one(question) if found else None
    if found is None or name is None:
        return None
    is_pair = found["one"] is not None
    if not may_be_range(name, is_pair):
        return None
    first = parse_number(found["one"] or found["from"] or found["low"])
    second = published_number(found["other"] or found["upto"] or found["high"])
    if first is None or second is None:
        return None
    if not first.is_percent and first.scale == 1.0:  # 33-36%, 4 to 6 million
        first = first._replace(is_percent=second.is_percent, scale=second.scale)
    if first.value > second.value and (is_pair or second.value < 0):  # -0.2 to -0.3
        first, second = second, first
    same_unit = first.is_percent == second.is_percent and first.scale == second.scale
    return (first, second) if same_unit and first.value < second.value else None


def is_group(truth: str, question: str) -> bool:
    """Whether a published range is the name of a group that the question asks for: `18-25`."""
    found = _RANGE.fullmatch(without_label(truth))
    return found is not None and found["low"] is not None and asks_for_group(question)
