"""Evidence for and against one number, from the words right beside it and from its form."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from ..number_edges import is_money
from ..numbers import Quantity
from ..text.keywords import COMPARATIVES, STOP_WORDS
from .naming import RATIOS
from .parts import Marked
from .question import Question
from .rules import (
    LIKELIER,
    Sight,
    interval_end,
    is_asked_limit,
    is_of_variation,
    is_the_one_asked_for,
    named_percentile,
)
from .units import has_unit
from .weights import WEIGHTS

_STATING_WORDS = frozenset(
    "is are was were be at of to by equal equals give gives yield yields approximately about"
    " roughly around report reports obtain obtains obtained get found has contain contains had"
    " only i.e. namely predicts making totalling totaling leaves leaving thus hence out"
    " therefore averaged averages exactly precisely just reads totals".split()
)
_STATING_MARKS = (":", "=", "≈", "→", "|", "~", "\\approx", "\\simeq")
_OF_ALL = re.compile(r"\**\s(?:out )?of (?:the |all |all the )?[0-9]")
_ARE = re.compile(r"\s(?:are|were|is|was)\s([a-z]+)", re.IGNORECASE)  # 15 are left
_THINGS = re.compile(r"\s((?:[a-z]+\s)?[a-z]+)(?:\s[a-z]+)?\b", re.IGNORECASE)
_ALL_OF_THEM = frozenset({"of them", "of these", "of those"})
_OF_FREEDOM = re.compile(r"[*_`$]{0,3}\s(?:degrees?\sof\sfreedom|d\.?f\b)")
_MORE_FOLLOWS = re.compile(
    rf"[*_`]{{0,3}}(?:\s[a-zA-Z%°€£]+){{0,2}}?\s(?:{COMPARATIVES}|above|below|apart)\b"
)
_CHANGE_OF = re.compile(
    r"\b(?:increase|rise|decrease|decline|drop|fall|gain|growth|reduction|difference|gap|change)\sof"
    r"\s(?:about\s|roughly\s|only\s)?[*_`$€£-]{0,4}$"
)
_CHANGED_BY = re.compile(  # the billboard increased deposits in the city by <6.5>
    r"\b(?:increas|decreas|rais|reduc|lower|boost|rose|fell|grew|improv|cut|shorten)(?:[a-z]{0,4})\s"
    r"(?:[^.;,:\n0-9]{0,50}\s)?by\s(?:about\s|roughly\s|only\s|an average of\s)?[*_`$€£-]{0,4}$"
)
_PER_UNIT = re.compile(r"\b(?:each|every|per|additional)\b")  # as each coefficient is told
_BOUND = re.compile(  # the lower bound of the 95% interval is <0.118>
    r"\b(upper|lower)\s(?:bound|limit|end)\b[^.,;:\n]{0,60}$", re.IGNORECASE
)
_FEWER = re.compile(
    r"\b(?:less|fewer|lower|smaller|shorter|younger|lighter|worse|cheaper|slower|below)$"
)
_RISE = re.compile(r"\b(?:increas|rise|gain|growth|grow|higher|more\b|larger|greater|longer)")
# Shares of all in words -> percent.
_SHARES = {
    "half": 50.0, "a quarter": 25.0, "one quarter": 25.0, "three quarters": 75.0,
    "three-quarters": 75.0, "one in ten": 10.0, "a tenth": 10.0, "nine out of ten": 90.0,
    "nine in ten": 90.0, "nine tenths": 90.0,
}  # fmt: skip
_SHARE_BELOW = re.compile(
    rf"\b(?:([0-9]{{1,2}}(?:\.[0-9]+)?)\s?(?:%|percent)|({'|'.join(_SHARES)}))"
    r"(?:\s(?!and\b)[a-z-]+){0,7}?\s(?:at most|at or below|(?:less|lower|shorter|fewer) than"
    r"|below|under|no more than|up to|within)\s(?:about\s)?[$€£*_`]{0,3}$",
    re.IGNORECASE,
)
_SUBJECT = re.compile(  # Its CAGR over the seven years is about <5.5%>
    r"\b([A-Z]{3,5})\b(?:\s[a-z-]+){0,8}?\s(?:is|was|equals)\s(?:about\s|roughly\s|around\s)?"
    r"[*_`$]{0,3}$"
)
_NO_NAMES = frozenset({"percent", "proportion", "sample_size", "estimate"})
_BOXED = re.compile(r"\\boxed\{[^{}]{0,20}$")


def add_number_evidence(
    named: dict[str, float],
    mark: Marked,
    pointed_at: bool,
    question: Question,
    printed: Sequence[float],
) -> None:
    """Add the evidence for or against one number in its place. pointed_at: by an answer phrase;
    printed: what the code printed, in order of size."""
    number = mark.number
    names: list[str] = []
    _note_place(names, mark, pointed_at, question)
    _note_form(names, mark.sight, question)
    if (
        mark.sight.topic in question.topics
        or _is_ratio_as_asked(mark, question)
        or _is_explained_as_asked(mark, question)
        or is_the_one_asked_for(mark.sight)
        or _is_percentile_as_asked(mark, question)
        or _has_share_below(mark, question)
        or ("freedom" in question.topics and _OF_FREEDOM.match(mark.sight.after))
    ):
        names.append("named_as_asked")
    elif (
        question.wants_difference
        and _is_change(mark, question)
        and not _is_other_share(mark.sight, question)
    ):
        names.append("more_as_asked")
    elif _is_called_as_asked(mark, question):
        names.append("called_as_asked")
        name = " ".join(mark.sight.words[-2:]).lower()
        if " " in name and name in question.text.lower():
            names.append("called_in_full")
    if question.bound is not None and (
        question.bound
        in (interval_end(mark.sight), _named_bound(mark.sight.words, mark.sight.line))
        or is_asked_limit(mark.sight)
    ):
        names.append("right_end")
    if question.unit is not None:
        is_in_it = has_unit(question.unit, mark.sight.after)
        if is_in_it is not None:
            names.append("unit_as_asked" if is_in_it else "other_unit")
    if printed and _is_rounded_from(printed, number):
        names.append("printed")
    for name in names:
        named[name] = WEIGHTS[name]
    if mark.rule is not None:
        named[mark.rule.name] = -mark.rule.penalty


def _is_called_as_asked(mark: Marked, question: Question) -> bool:
    """True for `a lift of 4` where the lift is asked for, and no topic says what that is. The terms
    of a difference, and what is counted, are called as it is."""
    words = mark.sight.words
    if question.wants_difference or question.wants_count:
        return False
    if question.percentile is not None and not _is_percentile_as_asked(mark, question):
        return False
    if not words or words[-1] not in mark.sight.line:
        return False
    if question.acronyms:
        subject = _SUBJECT.search(mark.sight.line)
        if words[-1] in question.acronyms or (subject and subject[1] in question.acronyms):
            return True
    is_called = words[-1].lower() == question.head and question.topics <= _NO_NAMES
    return is_called and _is_same_kind(words[-2:-1], question)


def _is_same_kind(before: Sequence[str], question: Question) -> bool:
    """False for `income` in "the income elasticity" where the price elasticity is asked for."""
    kinds = [word.lower() for word in before]
    asked = question.focus
    return all(
        kind in asked or f"{kind}s" in question.keywords or not kind.isalpha() or kind in STOP_WORDS
        for kind in kinds
    )


def _is_ratio_as_asked(mark: Marked, question: Question) -> bool:
    """True for `0.64 times that of the others` where a ratio is asked for."""
    after = mark.sight.after
    return after.startswith(" times ") and not question.topics.isdisjoint({*RATIOS, "ratio"})


def _is_explained_as_asked(mark: Marked, question: Question) -> bool:
    """True for `86% of the variation` where R² is asked for."""
    is_asked = "r_squared" in question.topics and not question.wants_adjusted
    return is_asked and is_of_variation(mark.sight)


def _named_bound(words: Sequence[str], line: str) -> str | None:
    """ "upper" or "lower" if the last words before a number, or its clause, call it that bound of
    an interval. line: what stands before it."""
    said = [word.lower() for word in words[-2:]]
    near = next((bound for bound in ("upper", "lower") if bound in said), None)
    if near is None and "er " in line and (named := _BOUND.search(line)):
        return named[1].lower()
    return near


def _is_percentile_as_asked(mark: Marked, question: Question) -> bool:
    """True for the row `50%` that pandas prints, where the median is asked for, and for `P90`."""
    if question.percentile is None:
        return False
    if (named := named_percentile(mark.sight.line)) is not None:
        return named == question.percentile
    label = mark.sight.line.strip()
    is_row = mark.sight.kind == "execution" or mark.sight.line.endswith("   ")
    if label[-1:] != "%" or not is_row:
        return False
    return label[:-1].removesuffix(".0") == f"{question.percentile:g}"


def _has_share_below(mark: Marked, question: Question) -> bool:
    """True for `nine out of ten took at most 233` where the 90th percentile is asked for."""
    if question.percentile is None:
        return False
    found = _SHARE_BELOW.search(mark.sight.before)
    if found is None:
        return False
    percent = float(found[1]) if found[1] else _SHARES.get(found[2].lower())
    return percent == question.percentile


def _is_change(mark: Marked, question: Question) -> bool:
    """True for `4 % more`, `an increase of 4`, `raised it by 4`; not for `4 % less` where a rise is
    asked for. Where a difference of differences is asked for, each of these is called so too."""
    if follows := _MORE_FOLLOWS.match(mark.sight.after):
        asked = question.text.lower()
        return not (_FEWER.search(follows[0]) and _RISE.search(asked) and not question.names_a_fall)
    if "differences" in question.text.lower():
        return False
    before = mark.sight.before
    if _CHANGE_OF.search(before):
        return True
    changed = _CHANGED_BY.search(before) if "by " in before else None
    return changed is not None and _PER_UNIT.search(before) is None


def _note_place(names: list[str], mark: Marked, pointed_at: bool, question: Question) -> None:
    """Add the names of the evidence that the words and signs beside a number are."""
    sight = mark.sight
    before = sight.before
    if "boxed{" in before and _BOXED.search(before):
        names.append("boxed")
    elif pointed_at:
        names.append("answer_phrase")
    if _is_stated(sight.line) or _OF_ALL.match(sight.after) or _counts(mark, question):
        names.append("stated")
    if mark.emphasised:
        names.append("emphasised")


def _counts(mark: Marked, question: Question) -> bool:
    """True for `12 large models`, `12 of them` where the number of models is asked for."""
    if not question.wants_count or not mark.number.is_integer:
        return False
    if (found := _ARE.match(mark.sight.after)) and found[1].lower() in question.target:
        return True
    things = _THINGS.match(mark.sight.after)
    return things is not None and (
        things[1] in _ALL_OF_THEM or not question.focus.isdisjoint(things[0].lower().split())
    )


def _is_stated(line: str) -> bool:
    """True if the words before a number state it: "is", "equals", "=", ":", a table cell."""
    lead = line.rstrip(" \t*_`$(\\")
    return lead.endswith(_STATING_MARKS) or lead.rpartition(" ")[2].lower() in _STATING_WORDS


def _note_form(names: list[str], sight: Sight, question: Question) -> None:
    """Add the names of the evidence that the way is in which a number is written."""
    number = sight.number
    wants_count = question.wants_count and not question.decimals  # but for expected counts
    if question.decimals is not None and not wants_count:
        places = number.decimals
        if number.is_percent and not question.wants_percent and "point" not in number.text:
            # 86% is an R² of 0.86; else a percentage is rarely what was to be rounded
            places = places + 2 if "r_squared" in question.topics else -1
        if places == question.decimals and (places or number.is_integer):
            names.append("decimals_as_asked")
        elif question.decimals == 0 and not number.is_percent and number.value % 1:
            names.append("finer_than_asked")
    if question.wants_percent and number.is_percent and not _is_other_share(sight, question):
        names.append("percent_as_asked")
    if number.scale != 1.0 and number.scale == question.scale:
        names.append("scale_as_asked")
    if wants_count:
        whole = number.value == int(number.value) and not number.is_percent
        names.append("count_as_asked" if whole else "not_a_count")
    if question.wants_money and is_money(number.text):
        names.append("money_as_asked")
    if question.wants_negative and number.value < 0:
        names.append("sign_as_asked")


def _is_other_share(sight: Sight, question: Question) -> bool:
    """True for `0.78 percentage points` where a relative difference is asked for, and for `73% more
    likely` where percentage points are."""
    if "point" in sight.number.text:
        return "relative" in question.keywords
    return "points" in question.keywords and sight.after.startswith(LIKELIER)


def _is_rounded_from(printed: Sequence[float], number: Quantity) -> bool:
    """True if `number` is a printed one, rounded to the decimals that `number` has (percent form
    included)."""
    value, slack = number.value, 0.5 * 10.0**-number.decimals * (1 + 1e-9)
    if _has_near(printed, value, slack):
        return True
    return number.is_percent and _has_near([one * 100 for one in printed], value, slack)


def _has_near(values: Sequence[float], value: float, slack: float) -> bool:
    """True if one of the values, which are in order of size, is no farther from `value` than
    `slack`."""
    place = bisect_left(values, value)
    if place < len(values) and values[place] - value <= slack:
        return True
    return place > 0 and value - values[place - 1] <= slack
