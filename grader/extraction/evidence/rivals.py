"""Two numbers, in a sentence or in two, that hold for different things: "among smokers the rate is
0.31, compared with 0.12 for non-smokers". What only one of their clauses says, or what one says in
place of a thing that the question names, tells which is asked for. That one gets the better of
their two scores, so that the pair gains nothing over others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ...numbers import Quantity
from ...text.keywords import COMPARATIVES, STOP_WORDS, words
from ...tolerance import agree
from ..parts import PLAIN, Marked, Part, Weighed
from ..question import Question
from .substitutes import asked_words, asks_of_things, replaced_in, stems
from .weights import WEIGHTS

# Between two numbers there is no other one, but for those in brackets.
_PARTS_CLAUSES = re.compile(
    r"\)?[^0-9()]*?"
    r"(?:;\s|,?\s(?:and|but|yet|while|whereas|though|although|versus|vs\.?|against"
    r"|compared (?:with|to)|as opposed to)\s|,\s(?!i\.e|or\b|that is|which\b))"
)
_NO_NUMBER = re.compile(r"\)?(?:[^0-9()]++|\([^()]{0,80}\))*+")
_LONGEST = 400
_MOST_NUMBERS = 60  # of a block; among more, none is compared with each other
_LEAST_SHARE = 0.5  # of what only a clause says, that the question names
_MARGIN = 0.3
# Words that say what a number holds for only where the question has them.
_SAID_IF_ASKED = frozenset(COMPARATIVES.split("|")) | {"set", "data", "sample"}
# What a clause may say of its number whatever it holds for.
_NO_WORDS = (
    STOP_WORDS
    | _SAID_IF_ASKED
    | frozenset(
        "s one respectively reach reaches reached reaching achieve achieves achieved scores scored"
        " show shows showed averages averaged earn earns earned noticeably considerably slightly"
        " significantly substantially somewhat clearly roughly approximately however contrast"
        " comparison figure mere corresponding value stands stood".split()
    )
)

Evidence = dict[str, float]


def add_rivals(
    found: Sequence[tuple[Marked, Evidence]], part: Part, text: str, question: Question
) -> None:
    """Add the evidence of being the one of two numbers, all that a sentence has, that holds for
    what is asked for. The second need not name again what the first is called."""
    if part.end - part.start > _LONGEST:
        return
    rivals = [one for one in found if _may_be_rival(one[0], question)]
    if len(rivals) != 2:
        return
    (first, of_first), (second, of_second) = rivals
    if not _may_differ(first.number, second.number, question):
        return
    topic = first.context.topic
    if "named_as_asked" in of_second and topic is not None and topic not in question.topics:
        return  # of two kinds: a mean of 12.3 and an SD of 4.6
    start = _end_of_clause(first.number, second.number, text)
    if start is None:
        return
    is_second = _is_known_of_second(of_first, of_second)
    if is_second is None:
        one, other = words(text[part.start : start]), words(text[start : part.end])
        is_second = _is_said_of_second(one, other, question)
    if is_second or first.standing == PLAIN:
        _settle(of_first, of_second, is_second=is_second)


def add_rival_behind(before: Weighed, behind: Weighed, question: Question) -> None:
    """The same for the only numbers of two sentences, where the second is asked for: "The mean
    salary of men is 51,000. Women earn 43,000 on average."."""
    (first, _, part, of_first), (second, _, other, of_second) = before, behind
    if _may_rival(first, second, question) and _is_said_of_second(
        part.words, other.words - {question.head}, question
    ):
        _settle(of_first, of_second, is_second=True)


def add_replaced(found: Sequence[Weighed], text: str, question: Question) -> None:
    """The same for the only numbers of sentences, where one says of something else, in the words of
    the question, what another says of what is asked for: "Women earn 43,000 on average. The mean
    salary of men is 51,000."."""
    if not 1 < len(found) <= _MOST_NUMBERS or not asks_of_things(question):
        return
    of_parts = Counter([one.part.start for one in found])
    alone = [one for one in found if of_parts[one.part.start] == 1]
    said = [text[one.part.start : one.part.end].lower() for one in alone]
    replaced = [replaced_in(sentence, question) for sentence in said]
    asked = [place for place, things in enumerate(replaced) if not things]
    for other, things in enumerate(replaced):
        for one in asked if things else ():
            is_of_asked = any(thing in said[one] for thing in things)
            if is_of_asked and _may_rival(alone[one].mark, alone[other].mark, question):
                _settle(alone[one].evidence, alone[other].evidence, is_second=False)


def _may_rival(first: Marked, second: Marked, question: Question) -> bool:
    """Whether the only numbers of two sentences may be the same of two things."""
    return (
        first.standing == PLAIN == second.standing
        and _may_be_rival(first, question)
        and _may_be_rival(second, question)
        and _may_differ(first.number, second.number, question)
    )


def _settle(of_first: Evidence, of_second: Evidence, *, is_second: bool | None) -> None:
    """Give the better score to the second of two numbers, or to the first; to neither if it is not
    known which is asked for."""
    lead = sum(of_first.values(), 0.0) - sum(of_second.values(), 0.0)
    if is_second and lead >= 0:
        more_of_first, more_of_second = -lead - _MARGIN, lead
    elif is_second is False and lead <= 0:
        more_of_first, more_of_second = -lead, lead - _MARGIN
    else:
        return
    of_first["rival"] = WEIGHTS["rival"] * more_of_first
    of_second["rival"] = WEIGHTS["rival"] * more_of_second


def _is_known_of_second(of_first: Evidence, of_second: Evidence) -> bool | None:
    """Whether it is known already that the second of two numbers holds for what is asked for; None
    if nothing is."""
    if "qualified" in of_first and "qualified" in of_second:
        lead = of_second["qualified"] - of_first["qualified"]
        return lead > 0 if lead else None
    if "holds_otherwise" in of_first and "holds_otherwise" not in of_second:
        return True
    return None


def _is_said_of_second(one: set[str], other: set[str], question: Question) -> bool | None:
    """Whether, of the words of two clauses, only those of the second are words of the question, and
    few others. False if only those of the first are; None if that tells nothing."""
    no_words = _NO_WORDS - (question.target & _SAID_IF_ASKED)
    said, said_of_other = stems(one - no_words), stems(other - no_words)
    if not said:  # At 4.3%, unemployment in the north is below the 11.2% of the south
        return None
    of_one, of_other = said - said_of_other, said_of_other - said
    asked = asked_words(question)
    asks_first, asks_second = of_one & asked - stems({question.head}), of_other & asked
    if asks_second and asks_first:
        may_leave_out = asks_second == of_other and len(asks_first) <= _LEAST_SHARE * len(of_one)
        return True if may_leave_out else None
    if asks_second:
        return True if len(asks_second) > _LEAST_SHARE * len(of_other) else None
    return False if asks_first and of_other else None


def _may_be_rival(mark: Marked, question: Question) -> bool:
    if mark.pinned or mark.announced:
        return False
    if any(mark.number.value == number.value for number in question.numbers):
        return False
    return mark.standing == PLAIN or (mark.rule is not None and mark.rule.name == "compared")


def _may_differ(first: Quantity, second: Quantity, question: Question) -> bool:
    """Whether two numbers may be the same of two things: no two writings of one number, and no ends
    of an interval or terms of a difference that is asked for."""
    if question.may_be_difference or question.bound or first.is_percent != second.is_percent:
        return False
    return not agree(first, second)


def _end_of_clause(first: Quantity, second: Quantity, text: str) -> int | None:
    """Where the clause of the second of two numbers begins; None if they share one."""
    if _NO_NUMBER.fullmatch(text, first.end, second.start) is None:
        return None
    found = _PARTS_CLAUSES.match(text, first.end, second.start)
    return found.end() if found else None
