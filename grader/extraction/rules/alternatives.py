"""Values beside another: left open, `the mean is 5-10`, `the answer is 1 or 9`, or given in two
writings, `0.08 (8%)`."""

from __future__ import annotations

import re

from ...numbers import parse_number
from ...tolerance import agree
from ..question import Question
from .sight import Sight
from .statistics import interval_end

# In the examples, <5> is the number that is judged. A pair stands where a value is stated, and
# nothing but its unit follows.
_NUMBER = r"[$€£]? [0-9] [0-9.,]{0,15} %? (?: \s? [KkMB] \b )?"
_LEAD = r"[*_`~≈(\[$€£]{0,3}"
_STATED = rf"""
    (?: (?: \b (?: is | are | was | were | be | answer | about | around | approximately
                 | roughly | gets? | got | finds? | found | obtain (?: s | ed )? | gives? | gave
                 | yield (?: s | ed )? | return (?: s | ed )? )
          | [:=≈~] ) \s* | \A \W* )
    {_LEAD}
"""
_ANSWERED = rf"(?: \b answer (?: [ ] (?: is | would[ ]be ) \b )? \s* :? \s* | \A \W* ) {_LEAD}"
_JOINT = r"(?: \s? [–—] \s? | - | \s (?: to | or ) \s )"
_PAIR_ENDS = r"""
    %? (?: \s? (?! and \b | or \b ) [A-Za-z%°]{1,12} ){0,2}             # days
    [*_`)\]$]{0,3} (?: [.,;!?] (?!\d) | \s* (?: \n | $ ) )
"""
_FLAGS = re.IGNORECASE | re.VERBOSE
_STATED_BEFORE = re.compile(rf"{_STATED} (?: between \s )? $", _FLAGS)
_ANSWERED_BEFORE = re.compile(rf"{_ANSWERED} $", _FLAGS)
_BETWEEN_BEFORE = re.compile(rf"{_STATED} between \s $", _FLAGS)
_OTHER_FOLLOWS = re.compile(rf"{_JOINT} ({_NUMBER}) {_PAIR_ENDS}", _FLAGS)
_AND_OTHER_FOLLOWS = re.compile(rf"\s and \s ({_NUMBER}) {_PAIR_ENDS}", _FLAGS)
_OTHER_STATED = re.compile(rf"{_STATED} ({_NUMBER}) {_JOINT} $", _FLAGS)  # is 5-<10>
_AND_OTHER_STATED = re.compile(  # the answer is 5 and <10>
    rf"(?: {_ANSWERED} | {_STATED} between \s ) ({_NUMBER}) \s and \s $", _FLAGS
)
_ENDS = re.compile(_PAIR_ENDS, _FLAGS)
_RATIO = re.compile(r"\b(?:ratio|odds|score)\b", re.IGNORECASE)
_ABOUT = r"(?: (?: about | approximately | i\.e\.,? ) \s | [≈~] \s? )?"
_PLAIN = r"[-−+]? [0-9] [0-9.,]{0,15}"
_PERCENT_FOLLOWS = re.compile(  # 0.08 (8%), 0.08 or 8%
    rf"\s? (?: \( | or | = | , ) \s? {_ABOUT} ( {_PLAIN} \s? \\?% )", re.VERBOSE
)
_PROPORTION_BEFORE = re.compile(rf"(?<![0-9.]) ( {_PLAIN} ) \s? \( {_ABOUT} $", re.VERBOSE)
_PLACES = re.compile(r"\sto\s[0-9]\s(?:decimal|d\.p|digit|place|significant)")
_WITHIN = re.compile(  # lies between <5> and 10, is in the range <5>-10, the 95% CI is [5, <10>
    r"\b(?:lies|falls|somewhere|range|interval|CI)\b(?:[^.;\n]|\.(?=[0-9]))*$", re.IGNORECASE
)
_NUMBER_ENDS = frozenset("0123456789.,%KkMmBb\N{KELVIN SIGN}")
_JOINT_SIGNS = ("-", "–", "—", " to", " or", " and")
_JOINT_STARTS = ("-", "–", "—", "to ", "or ", "and ")
_OF_RANGES = frozenset({"interval", "year"})
_EXTREMES = frozenset("maximum minimum max min oldest youngest earliest latest".split())


def wants_no_range(question: Question) -> bool:
    return question.topics.isdisjoint(_OF_RANGES) and question.keywords.isdisjoint(_EXTREMES)


def is_left_open(sight: Sight) -> bool:
    """One of two numbers between which the text leaves its answer open."""
    other = _other(sight)
    if other is None or _RATIO.search(sight.line):
        return False
    return not _agree(other, sight)  # but `0.081 or 8.1%`


def is_of_interval(sight: Sight) -> bool:
    """An end of what is called an interval, or of a range that a value lies in."""
    return interval_end(sight) is not None and _WITHIN.search(sight.before) is not None


def _other(sight: Sight) -> str | None:
    """What is stated beside a number with nothing but "or", "to", a dash or "and" between."""
    before, after = sight.before, sight.after
    lead = before.rstrip()
    if lead.endswith(_JOINT_SIGNS):
        if lead.rstrip("-–—toandr").rstrip()[-1:] not in _NUMBER_ENDS:
            return None
        found = _OTHER_STATED.search(before) or _AND_OTHER_STATED.search(before)
        return found[1] if found and _ENDS.match(after) else None
    if not after.lstrip().startswith(_JOINT_STARTS) or _PLACES.match(after):
        return None
    if found := _AND_OTHER_FOLLOWS.match(after):
        stated = _ANSWERED_BEFORE.search(before) or _BETWEEN_BEFORE.search(before)
    elif found := _OTHER_FOLLOWS.match(after):
        stated = _STATED_BEFORE.search(before)
    return found[1] if found and stated else None


def is_given_in_percent(sight: Sight) -> bool:
    """A proportion with its percentage right behind it: `0.0895 (8.95%)`, `0.0895 or 8.95%`."""
    if sight.number.is_percent or "%" not in sight.after:
        return False
    percent = _PERCENT_FOLLOWS.match(sight.after)
    return percent is not None and _agree(percent[1], sight)


def is_percent_form(sight: Sight) -> bool:
    """A percentage in brackets behind its proportion: `0.0895 (8.95%)`."""
    if not sight.number.is_percent:
        return False
    proportion = _PROPORTION_BEFORE.search(sight.before)
    return proportion is not None and _agree(proportion[1], sight)


def _agree(other: str, sight: Sight) -> bool:
    read = parse_number(other.rstrip(",."))  # `0.0134, or`
    return read is not None and agree(sight.number, read)
