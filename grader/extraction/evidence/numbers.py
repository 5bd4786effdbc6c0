"""Evidence for and against one number, from the words right beside it and from its form."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from ...number_edges import is_money
from ...numbers import Quantity
from ..parts import Marked
from ..question import Question
from ..rules import Context
from ..units import has_unit
from .named_as_asked import is_other_share, note_name
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
    names: list[str] = []
    _note_place(names, mark, pointed_at, question)
    _note_form(names, mark.context, question)
    note_name(names, mark, question)
    if question.unit is not None:
        is_in_it = has_unit(question.unit, mark.context.after)
        if is_in_it is not None:
            names.append("unit_as_asked" if is_in_it else "other_unit")
    if printed and _is_rounded_from(printed, mark.number):
        names.append("printed")
    for name in names:
        named[name] = WEIGHTS[name]
    if mark.rule is not None:
        named[mark.rule.name] = -mark.rule.penalty


def _note_place(names: list[str], mark: Marked, pointed_at: bool, question: Question) -> None:
    """Add the names of the evidence that the words and signs beside a number are."""
    context = mark.context
    before = context.before
    if "boxed{" in before and _BOXED.search(before):
        names.append("boxed")
    elif pointed_at:
        names.append("answer_phrase")
    if _is_stated(context.line) or _OF_ALL.match(context.after) or _counts(mark, question):
        names.append("stated")
    if mark.emphasised:
        names.append("emphasised")


def _counts(mark: Marked, question: Question) -> bool:
    """True for `12 large models`, `12 of them` where the number of models is asked for."""
    if not question.wants_count or not mark.number.is_integer:
        return False
    if (found := _ARE.match(mark.context.after)) and found[1].lower() in question.target:
        return True
    things = _THINGS.match(mark.context.after)
    return things is not None and (
        things[1] in _ALL_OF_THEM or not question.focus.isdisjoint(things[0].lower().split())
    )


def _is_stated(line: str) -> bool:
    """True if the words before a number state it: "is", "equals", "=", ":", a table cell."""
    lead = line.rstrip(" \t*_`$(\\")
    return lead.endswith(_STATING_MARKS) or lead.rpartition(" ")[2].lower() in _STATING_WORDS


def _note_form(names: list[str], context: Context, question: Question) -> None:
    """Add the names of the evidence that the way is in which a number is written."""
    number = context.number
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
    if question.wants_percent and number.is_percent and not is_other_share(context, question):
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
