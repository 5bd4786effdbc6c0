"""When a number counts as right: within tolerance of the published one, or in a published range."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from .extraction.asked import asks_for_group, may_be_range, name_of_one
from .extraction.question import Question, read_question
from .extraction.rules.counts import wants_year
from .numbers import Quantity, find_numbers, parse_number
from .settings import GradeSettings
from .tolerance import matches
from .truth import is_year, published_number, without_label

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
# Between a number and another one that goes with it: 12-18, 25 or 31, 24 ± 3.
_JOINED = re.compile(r"\s?%?\s?(?:[-–—±,]|\bto\b|\bor\b)\s?[-$€£]?\.?[0-9][0-9.,]*%?")
_JOINED_BEFORE = re.compile(
    r"[-$€£]?\b[0-9][0-9.,]{0,20}%?\s?(?:[-–—±,]|\bto\b|\bor\b|\band\b)\s?[$€£]?$"
)
_QUALIFIED = re.compile(
    r"\b(?:at least|at most|more than|less than|fewer than|over|under|above|below|up to|beyond)"
    r"\s[*_`$€£~]{0,4}$"
)
_OR_MORE = re.compile(r"\s?%?[*_`]{0,3}\s?or\s(?:more|less|fewer|higher|lower|above|below)\b")
_EDGE = 1 + 1e-9  # keeps the ends of a range in it, whatever its middle rounds to


class Criterion(NamedTuple):
    """A published number with the tolerance around it; of a published range, its middle and half
    its width, and the range itself as `ends`."""

    number: Quantity
    settings: GradeSettings
    ends: tuple[Quantity, Quantity] | None = None

    def is_met_by(self, given: Quantity) -> bool:
        """Whether a number counts as the published one."""
        return matches(given, self.number, self.settings)

    def goes_beyond(self, text: str, span: tuple[int, int]) -> bool:
        """Whether a text leaves a published range with the number text[slice(*span)], which is in
        it: the number is the end of another range, an alternative, or a bound (`24 to 31`, `25 or
        31`, `at least 25`)."""
        start, end = span
        if _QUALIFIED.search(text, 0, start) or _OR_MORE.match(text, end):
            return True
        beside = [_JOINED.match(text, end), _JOINED_BEFORE.search(text, 0, start)]
        numbers = [number for match in beside if match for number in find_numbers(match[0])]
        return not all(map(self.is_met_by, numbers))


def criterion_for(truth: str, question: Question, settings: GradeSettings) -> Criterion | None:
    """When a number answers a question right; None if the published answer is no number. Where a
    year is asked for and published, only that year does. Any number in a published range does, both
    ends included, and no tolerance is added.

    >>> asked = read_question("What is the odds ratio?")
    >>> rule = criterion_for("(1.50, 1.54)", asked, GradeSettings())
    >>> [rule.is_met_by(parse_number(text)) for text in ("1.50", "1.55")]
    [True, False]
    """
    number = published_number(truth)
    if number is None:
        ends = accepted_range(truth, question.text)
        return _inside(*ends, settings) if ends else None
    if wants_year(question) and is_year(truth):
        settings = settings.model_copy(update={"relative_tolerance": 0.0})
    return Criterion(number, settings)


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


def _inside(low: Quantity, high: Quantity, settings: GradeSettings) -> Criterion:
    middle, half = (low.value + high.value) / 2, (high.value - low.value) / 2
    tolerance = half * _EDGE / abs(middle) if middle else 0.0
    width = {"relative_tolerance": tolerance, "absolute_at_zero": half * _EDGE}
    number = high._replace(value=middle)
    return Criterion(number, settings.model_copy(update=width), (low, high))
