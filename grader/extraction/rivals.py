"""Two numbers of one sentence that hold for different things: "among smokers the rate is 0.31,
compared with 0.12 for non-smokers". What only one of their clauses says tells which is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from ..numbers import Quantity
from ..text.keywords import STOP_WORDS, words
from ..tolerance import agree
from .parts import PLAIN, Marked, Part
from .question import Question
from .weights import WEIGHTS

# Between the clauses of two numbers there is no other number, and nothing in brackets.
_PARTS_CLAUSES = re.compile(
    r"\)?[^0-9()]*?"
    r"(?:;\s|,?\s(?:and|but|yet|while|whereas|versus|vs\.?|against|compared (?:with|to)"
    r"|as opposed to)\s|,\s(?!i\.e|or\b|that is|which\b))"
)
_NO_NUMBER = re.compile(r"\)?[^0-9()]*")
# Behind it stand terms of the model, as in "a regression on price and income".
_MODEL = re.compile(
    r"\b(?:regress|model)"
    r"(?:(?!\band (?:report|give|state|compute|calculate|find|what|how))[^.;?!\n])*",
    re.IGNORECASE,
)
_LONGEST = 400
_LEAST_SHARE = 0.5  # of what only a clause says, that the question names
_MARGIN = 0.3
_NO_WORDS = STOP_WORDS | frozenset(
    "s one respectively reach reaches reached achieve achieves achieved scores scored show shows"
    " showed averages averaged earn earns earned".split()
)


def add_rivals(
    found: Sequence[tuple[Marked, dict[str, float]]], part: Part, text: str, question: Question
) -> None:
    """Give the better of the scores of two numbers, all that a sentence has, to the one that holds
    for what is asked for: its clause has words of the question that the other's lacks. The second
    need not name again what the first is called."""
    rivals = [one for one in found if _may_be_rival(one[0], question)]
    if len(rivals) != 2 or part.end - part.start > _LONGEST:
        return
    if question.may_be_difference or question.bound:
        return
    (first, of_first), (second, of_second) = rivals
    start = _end_of_clause(first.number, second.number, text)
    if start is None:
        return
    is_second = _is_of_second(of_first, of_second)
    if is_second is None:
        clauses = text[part.start : start], text[start : part.end]
        is_second = _is_said_of_second(*clauses, question)
    lead = sum(of_first.values()) - sum(of_second.values())
    if is_second and lead >= 0:
        _add(of_first, of_second, -lead - _MARGIN, lead)
    elif is_second is False and first.standing == PLAIN and lead <= 0:
        _add(of_first, of_second, -lead, lead - _MARGIN)


def _is_of_second(of_first: dict[str, float], of_second: dict[str, float]) -> bool | None:
    """Whether it is known already that the second of two numbers holds for what is asked for; None
    if nothing is."""
    if "qualified" in of_first and "qualified" in of_second:
        lead = of_second["qualified"] - of_first["qualified"]
        return lead > 0 if lead else None
    if "holds_otherwise" in of_first:
        return True if "holds_otherwise" not in of_second else None
    return None


def _is_said_of_second(one: str, other: str, question: Question) -> bool | None:
    """Whether only the second of two clauses has words of the question, and few others. False if
    only the first has; None if that tells nothing."""
    said, said_of_other = _stems(words(one) - _NO_WORDS), _stems(words(other) - _NO_WORDS)
    of_one, of_other = said - said_of_other, said_of_other - said
    asked = _asked_words(question)
    asks_first, asks_second = of_one & asked - _stems({question.head}), of_other & asked
    if asks_second and asks_first:
        may_leave_out = asks_second == of_other and len(asks_first) <= _LEAST_SHARE * len(of_one)
        return True if may_leave_out else None
    if asks_second:
        return True if len(asks_second) > _LEAST_SHARE * len(of_other) else None
    return False if asks_first and of_other and not asks_second else None


@lru_cache(maxsize=4096)
def _asked_words(question: Question) -> frozenset[str]:
    """The words of a question that say what is asked for, not how it is to be estimated."""
    of_model = [word for found in _MODEL.findall(question.text) for word in words(found)]
    return _stems(question.target - question.held_fixed - (frozenset(of_model) - question.focus))


def _stems(said: Collection[str]) -> frozenset[str]:
    """Words without the s of a plural."""
    return frozenset([word.removesuffix("s") for word in said])


def _add(
    of_first: dict[str, float], of_second: dict[str, float], first: float, second: float
) -> None:
    of_first["rival"], of_second["rival"] = WEIGHTS["rival"] * first, WEIGHTS["rival"] * second


def _may_be_rival(mark: Marked, question: Question) -> bool:
    if mark.pinned or mark.announced:
        return False
    if any(mark.number.value == number.value for number in question.numbers):
        return False
    return mark.standing == PLAIN or (mark.rule is not None and mark.rule.name == "compared")


def _end_of_clause(first: Quantity, second: Quantity, text: str) -> int | None:
    """Where the clause of the second of two numbers begins; None if they share one, or are two
    writings of the same."""
    if first.is_percent != second.is_percent or agree(first, second):
        return None
    if _NO_NUMBER.fullmatch(text, first.end, second.start) is None:
        return None
    found = _PARTS_CLAUSES.match(text, first.end, second.start)
    return found.end() if found else None
