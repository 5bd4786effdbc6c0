"""Values beside another: left open, `the mean is 5-10`, `the answer is 1 or 9`, or given in two
writings, `0.08 (8%)`."""

from __future__ import annotations

import re

from ...numbers import parse_number
from ...tolerance import agree
from ..question import Question
from .context import Context
from .intervals import interval_end

# In the examples, <5> is the number that is judged. A pair stands where a value is stated, and
# nothing but its unit follows.
_NUMBER = r"[$€£]? [0-9] [0-9.,]{0,15} %? (?: \s? (?: [KkMB] | thousand | [mbtr]{1,2}illion ) \b )?"
_LEAD = r"[*_`~≈(\[$€£]{0,3}"
_STATED = rf"""
    (?: (?: \b (?: is | are | was | were | be | answer | about | around | approximately
                 | roughly | gets? | got | finds? | found | obtain (?: s | ed )? | gives? | gave
                 | yield (?: s | ed )? | return (?: s | ed )? )
          | [:=≈~] ) \s* | \A \W* )
    (?: either \s )? {_LEAD}
"""
_ANSWERED = rf"(?: \b answer (?: [ ] (?: is | would[ ]be ) \b )? \s* :? \s* | \A \W* ) {_LEAD}"
_MARKUP = r"[*_`$]{0,3}"
_JOINT = rf"{_MARKUP} (?: \s? [–—] \s? | - | \s (?: to | or ) \s ) {_MARKUP}"
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
_OF_SEVERAL = re.compile(  # is 5, 7 or <10>; more than four are ambiguous without this rule
    rf"{_STATED} (?P<all> {_NUMBER} (?: , \s {_NUMBER} ){{1,2}} ,? \s or \s {_NUMBER} )"
    rf"{_PAIR_ENDS}",
    _FLAGS,
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
# lies between <5> and 10, is in the range <5>-10, the 95% CI is [5, <10>, the estimates go from <5>
_WITHIN = re.compile(
    r"\b(?:lies|falls(?! from\b)|somewhere|range|interval|CI"
    r"|(?:estimates|results|values|figures) (?:go|run|vary))\b(?:[^.;\n]|\.(?=[0-9]))*$",
    re.IGNORECASE,
)
_NUMBER_ENDS = frozenset("0123456789.,%KkMmBbndND\N{KELVIN SIGN}")
_JOINT_SIGNS = ("-", "–", "—", " to", " or", " and")
_JOINT_STARTS = ("-", "–", "—", "to ", "or ", "and ")
_SIGNS_BESIDE = " \n\t*_`$"
# What stands before and after one of two numbers: signs, last and first letters, scales, markup.
PAIR_BEFORE: str = "-–—ord*_`$,"
PAIR_AFTER: str = "-–—toa*_`$,kKMBmb"
_OF_RANGES = frozenset({"interval", "year"})
_EXTREMES = frozenset("maximum minimum max min oldest youngest earliest latest".split())


def wants_no_range(question: Question) -> bool:
    """True unless an interval, a year or an extreme is asked for."""
    return question.topics.isdisjoint(_OF_RANGES) and question.keywords.isdisjoint(_EXTREMES)


def is_left_open(context: Context) -> bool:
    """One of two numbers between which the text leaves its answer open, or of several."""
    if not wants_no_range(context.question) and not _may_be_alternative(context):
        return False
    other = _other(context)
    if other is None:
        return _is_of_several(context)
    if _RATIO.search(context.line) and not _may_be_alternative(context):
        return False
    return not _agree(other, context)  # but `0.081 or 8.1%`


def _may_be_alternative(context: Context) -> bool:
    """Whether "or" stands beside a number."""
    before, after = context.before.rstrip(_SIGNS_BESIDE), _behind(context).lstrip(_SIGNS_BESIDE)
    return before.endswith(" or") or after.startswith("or ")


def _is_of_several(context: Context) -> bool:
    if " or " not in context.before + context.after:
        return False
    start = len(context.before)
    found = _OF_SEVERAL.search(f"{context.before}{context.number.text}{context.after}")
    return found is not None and found.start("all") <= start < found.end("all")


def _behind(context: Context) -> str:
    """What stands after a number and its scale."""
    return context.after.removeprefix(context.number.scale_word)


def is_of_interval(context: Context) -> bool:
    """An end of what is called an interval, or of a range that a value lies in."""
    return interval_end(context) is not None and _WITHIN.search(context.before) is not None


def _other(context: Context) -> str | None:
    """What is stated beside a number with nothing but "or", "to", a dash or "and" between."""
    before, after = context.before, _behind(context)
    lead = before.rstrip(_SIGNS_BESIDE)
    if lead.endswith(_JOINT_SIGNS):
        if lead.rstrip("-–—toandr").rstrip(_SIGNS_BESIDE)[-1:] not in _NUMBER_ENDS:
            return None
        found = _OTHER_STATED.search(before) or _AND_OTHER_STATED.search(before)
        return found[1] if found and _ENDS.match(after) else None
    if not after.lstrip(_SIGNS_BESIDE).startswith(_JOINT_STARTS) or _PLACES.match(after):
        return None
    if found := _AND_OTHER_FOLLOWS.match(after):
        stated = _ANSWERED_BEFORE.search(before) or _BETWEEN_BEFORE.search(before)
    elif found := _OTHER_FOLLOWS.match(after):
        stated = _STATED_BEFORE.search(before)
    return found[1] if found and stated else None


def is_given_in_percent(context: Context) -> bool:
    """A proportion with its percentage right behind it: `0.0895 (8.95%)`, `0.0895 or 8.95%`."""
    if context.number.is_percent or "%" not in context.after:
        return False
    percent = _PERCENT_FOLLOWS.match(context.after)
    return percent is not None and _agree(percent[1], context)


def is_percent_form(context: Context) -> bool:
    """A percentage in brackets behind its proportion: `0.0895 (8.95%)`."""
    if not context.number.is_percent:
        return False
    proportion = _PROPORTION_BEFORE.search(context.before)
    return proportion is not None and _agree(proportion[1], context)


def _agree(other: str, context: Context) -> bool:
    read = parse_number(other.rstrip(",."))  # `0.0134, or`
    if read is not None and context.question.wants_year:
        return read.value == context.number.value
    return read is not None and agree(context.number, read)
