"""Whether a number is called what the question asks for: a statistic, a change, a bound."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...text.keywords import COMPARATIVES, STOP_WORDS
from ..naming import RATIOS, named_statistic
from ..parts import Marked
from ..question import Question, once
from ..rules import (
    LIKELIER,
    Context,
    interval_end,
    is_asked_limit,
    is_in_deviations,
    is_of_variation,
    is_the_one_asked_for,
    named_percentile,
)

_STATISTIC = (" statistic", "-statistic", " test statistic", " value", "-value")
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
_SYMBOL = re.compile(  # Cohen's <d>; but not Student's t
    r"\b[A-Z]\w+(?:['’]s|s['’])\s((?![tzF]\b)[A-Za-z]|alpha|kappa|omega|rho|tau)\b"
)
_EXPONENTIATED = re.compile(
    r"\bexponentiat(?:ed|ing)\b[^.;\n0-9]*$|\bexp\([^()]*\)\s?[=≈:]?\s?$", re.IGNORECASE
)
_EQUATING = ("=", "≈", ":")
_SUBJECT = re.compile(  # Its CAGR over the seven years is about <5.5%>
    r"\b([A-Z]{3,5})\b(?:\s[a-z-]+){0,8}?\s(?:is|was|equals)\s(?:about\s|roughly\s|around\s)?"
    r"[*_`$]{0,3}$"
)
_NO_NAMES = frozenset({"percent", "proportion", "sample_size", "estimate"})


def note_name(names: list[str], mark: Marked, question: Question) -> None:
    """Add the names of the evidence that a number is called what the question asks for."""
    if _is_named_as_asked(mark, question):
        names.append("named_as_asked")
        if mark.context.topic == "statistic" and _is_statistic_of(mark.context, question):
            names.append("statistic_as_asked")
    elif (
        question.wants_difference
        and _is_change(mark, question)
        and not is_other_share(mark.context, question)
    ):
        names.append("more_as_asked")
    elif _is_called_as_asked(mark, question):
        names.append("called_as_asked")
        name = " ".join(mark.context.words[-2:]).lower()
        if " " in name and name in question.text.lower():
            names.append("called_in_full")
    if question.bound is not None and _is_bound_as_asked(mark.context, question.bound):
        names.append("right_end")


def is_other_share(context: Context, question: Question) -> bool:
    """True for `0.78 percentage points` where a relative difference is asked for, and for `73% more
    likely` where percentage points are."""
    if "point" in context.number.text:
        return "relative" in question.keywords
    return "points" in question.keywords and context.after.startswith(LIKELIER)


def _is_named_as_asked(mark: Marked, question: Question) -> bool:
    """True if the words beside a number say that it is the statistic asked for."""
    return (
        mark.context.topic in question.topics
        or _is_ratio_as_asked(mark, question)
        or _is_explained_as_asked(mark, question)
        or is_the_one_asked_for(mark.context)
        or _is_percentile_as_asked(mark, question)
        or _has_share_below(mark, question)
        or is_in_deviations(mark.context)
        or _is_symbol_as_asked(mark.context, question)
    )


def _is_symbol_as_asked(context: Context, question: Question) -> bool:
    """True for `d = 0.64` where Cohen's d is asked for."""
    if not context.words or context.words[-1] not in _symbols(question):
        return False
    return context.line.rstrip(" $*_`").endswith(_EQUATING)


@once
def _symbols(question: Question) -> frozenset[str]:
    return frozenset(_SYMBOL.findall(question.text))


def _is_statistic_of(context: Context, question: Question) -> bool:
    """True for `t = -12.27` where the t statistic is asked for, by this name; not in a table, whose
    rows may hold those of several tests."""
    name = None if context.line.startswith("|") else named_statistic(context.words)
    asked = f" {question.text.lower()}"
    return name is not None and any(f" {name.lower()}{end}" in asked for end in _STATISTIC)


def _is_ratio_as_asked(mark: Marked, question: Question) -> bool:
    """True for `0.64 times that of the others` and `exp(-0.45) = 0.64` where a ratio is asked
    for."""
    if question.topics.isdisjoint({*RATIOS, "ratio"}):
        return False
    context = mark.context
    return context.after.startswith(" times ") or _EXPONENTIATED.search(context.before) is not None


def _is_explained_as_asked(mark: Marked, question: Question) -> bool:
    """True for `86% of the variation` where R² is asked for."""
    is_asked = "r_squared" in question.topics and not question.wants_adjusted
    return is_asked and is_of_variation(mark.context)


def _is_percentile_as_asked(mark: Marked, question: Question) -> bool:
    """True for the row `50%` that pandas prints, where the median is asked for, and for `P90`."""
    if question.percentile is None:
        return False
    if (named := named_percentile(mark.context.line)) is not None:
        return named == question.percentile
    label = mark.context.line.strip()
    is_row = mark.context.kind == "execution" or mark.context.line.endswith("   ")
    if label[-1:] != "%" or not is_row:
        return False
    return label[:-1].removesuffix(".0") == f"{question.percentile:g}"


def _has_share_below(mark: Marked, question: Question) -> bool:
    """True for `nine out of ten took at most 233` where the 90th percentile is asked for."""
    if question.percentile is None:
        return False
    found = _SHARE_BELOW.search(mark.context.before)
    if found is None:
        return False
    percent = float(found[1]) if found[1] else _SHARES.get(found[2].lower())
    return percent == question.percentile


def _is_change(mark: Marked, question: Question) -> bool:
    """True for `4 % more`, `an increase of 4`, `raised it by 4`; not for `4 % less` where a rise is
    asked for. Where a difference of differences is asked for, each of these is called so too."""
    if follows := _MORE_FOLLOWS.match(mark.context.after):
        return not (_FEWER.search(follows[0]) and _asks_for_rise(question))
    if "differences" in question.text.lower():
        return False
    before = mark.context.before
    if change := _CHANGE_OF.search(before):
        return not (_is_fall(change[0]) and _asks_for_rise(question))
    changed = _CHANGED_BY.search(before) if "by " in before else None
    return changed is not None and _PER_UNIT.search(before) is None


def _is_fall(change: str) -> bool:
    return change.lower().startswith(("decrease", "decline", "drop", "fall", "reduction"))


def _asks_for_rise(question: Question) -> bool:
    return _RISE.search(question.text.lower()) is not None and not question.names_a_fall


def _is_called_as_asked(mark: Marked, question: Question) -> bool:
    """True for `a lift of 4` where the lift is asked for, and no topic says what that is. The terms
    of a difference, and what is counted, are called as it is."""
    words = mark.context.words
    if question.wants_difference or question.wants_count:
        return False
    if question.percentile is not None and not _is_percentile_as_asked(mark, question):
        return False
    if not words or words[-1] not in mark.context.line:
        return False
    if question.acronyms:
        subject = _SUBJECT.search(mark.context.line)
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


def _is_bound_as_asked(context: Context, bound: str) -> bool:
    """True for the upper end of an interval where the upper `bound` is asked for."""
    ends = (interval_end(context), _named_bound(context.words, context.line))
    return bound in ends or is_asked_limit(context)


def _named_bound(words: Sequence[str], line: str) -> str | None:
    """ "upper" or "lower" if the last words before a number, or its clause, call it that bound of
    an interval. line: what stands before it."""
    said = [word.lower() for word in words[-2:]]
    near = next((bound for bound in ("upper", "lower") if bound in said), None)
    if near is None and "er " in line and (named := _BOUND.search(line)):
        return named[1].lower()
    return near
