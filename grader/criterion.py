"""When a number counts as right: within tolerance of the published one, or in a published range."""

from __future__ import annotations

import re
from typing import NamedTuple

from .extraction.published_range import accepted_range
from .extraction.question import Question, read_question
from .numbers import Quantity, find_numbers
from .records import Task
from .settings import GradeSettings
from .tolerance import matches
from .truth import is_year, published_number

# Between a number and another one that goes with it: 12-18, 25 or 31, 24 ± 3.
_JOINED = re.compile(r"\s?%?\s?(?:[-–—±,]|\bto\b|\bor\b)\s?[-$€£]?\.?[0-9][0-9.,]*%?")
_JOINED_BEFORE = re.compile(
    r"[-$€£]?\b[0-9][0-9.,]{0,20}%?\s?(?:[-–—±,]|\bto\b|\bor\b|\band\b)\s?[$€£]?$"
)
_QUALIFIED = re.compile(
    r"\b(?:(?P<less>(?<!not )(?<!n.t )"
    r"(?:at most|(?:less|lower|smaller|fewer) than|under|below|up to)"
    r"|not? (?:more|greater|higher|larger) than)"
    r"|at (?:least|most)|(?:more|greater|higher|larger|less|lower|smaller|fewer) than|over|above"
    r"|under|below|up to|beyond|exceed(?:s|ed|ing)?)"
    r"\s[*_`$€£~]{0,4}$"
)
_OR_MORE = re.compile(
    r"\s?%?[*_`]{0,3}\s?or\s(?:(?P<less>less|fewer|lower|below)|more|higher|above)\b"
)
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
        qualified = _QUALIFIED.search(text, 0, start), _OR_MORE.match(text, end)
        if any(found and not self._is_limit_below(found) for found in qualified):
            return True
        beside = [_JOINED.match(text, end), _JOINED_BEFORE.search(text, 0, start)]
        numbers = [number for match in beside if match for number in find_numbers(match[0])]
        return not all(map(self.is_met_by, numbers))

    def _is_limit_below(self, qualified: re.Match[str]) -> bool:
        """Whether `less than 0.001` or `0.001 or less` says what is published as `<0.001`."""
        is_limit = self.ends is not None and self.ends[0].text == self.ends[1].text
        return is_limit and qualified["less"] is not None


def criterion_for(truth: str, question: Question, settings: GradeSettings) -> Criterion | None:
    """When a number answers a question right; None if the published answer is no number. Where a
    year is asked for and published, only that year does. Any number in a published range does, both
    ends included, and no tolerance is added.

    >>> from grader.numbers import parse_number
    >>> asked = read_question("What is the odds ratio?")
    >>> rule = criterion_for("(1.50, 1.54)", asked, GradeSettings())
    >>> [rule.is_met_by(parse_number(text)) for text in ("1.50", "1.55")]
    [True, False]
    """
    number = published_number(truth)
    if number is None:
        ends = accepted_range(truth, question.text)
        return _inside(*ends, settings) if ends else None
    if question.wants_year and is_year(truth):
        settings = settings.model_copy(update={"relative_tolerance": 0.0})
    return Criterion(number, settings)


def criterion_of(task: Task, settings: GradeSettings) -> Criterion | None:
    """When a number answers a task right; None if its published answer is none or no number."""
    return criterion_for(task.ground_truth or "", read_question(task.question), settings)


def _inside(low: Quantity, high: Quantity, settings: GradeSettings) -> Criterion:
    middle, half = (low.value + high.value) / 2, (high.value - low.value) / 2
    tolerance = half * _EDGE / abs(middle) if middle else 0.0
    width = {"relative_tolerance": tolerance, "absolute_at_zero": half * _EDGE}
    number = high._replace(value=middle)
    return Criterion(number, settings.model_copy(update=width), (low, high))
