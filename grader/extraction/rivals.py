"""Two numbers of one sentence that hold for different things: "among smokers the rate is 0.31,
compared with 0.12 for non-smokers". What only one of their clauses says tells which is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ..numbers import Quantity
from ..text.keywords import STOP_WORDS, words
from ..tolerance import agree
from .parts import PLAIN, Marked, Part
from .question import Question
from .weights import WEIGHTS

# Between the clauses of two numbers; nothing between them is another number or is put in brackets.
_PARTS_CLAUSES = re.compile(
    r"[^0-9()]*?(?:;\s|,?\s(?:and|but|yet|while|whereas|versus|vs\.?|against|compared (?:with|to)"
    r"|as opposed to)\s|,\s(?!i\.e|or\b|that is|which\b))"
)
_NO_NUMBER = re.compile(r"[^0-9()]*")
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
    "s respectively reaches reached achieves achieved scores scored shows showed averages averaged"
    " earns earned".split()
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
    if any("qualified" in named for _, named in rivals):  # `coordination` has seen to it
        return
    (first, of_first), (second, of_second) = rivals
    start = _end_of_clause(first.number, second.number, text)
    if start is None or question.may_be_difference or question.bound:
        return
    one = words(text[part.start : start]) - _NO_WORDS
    other = words(text[start : part.end]) - _NO_WORDS
    of_one, of_other = one - other, other - one
    asked = _asked_words(question)
    asks_first, asks_second = of_one & asked - {question.head}, of_other & asked
    lead = sum(of_first.values()) - sum(of_second.values())
    if _is_of_second(of_first, of_second, asks_first, asks_second, of_other):
        if lead >= 0:
            _add(of_first, of_second, -lead - _MARGIN, lead)
    elif first.standing == PLAIN and asks_first and of_other and not asks_second and lead <= 0:
        _add(of_first, of_second, -lead, lead - _MARGIN)


@lru_cache(maxsize=4096)
def _asked_words(question: Question) -> frozenset[str]:
    """The words of a question that say what is asked for, not how it is to be estimated."""
    of_model = [word for found in _MODEL.findall(question.text) for word in words(found)]
    return question.target - question.held_fixed - (frozenset(of_model) - question.focus)


def _is_of_second(
    of_first: dict[str, float],
    of_second: dict[str, float],
    asks_first: set[str],
    asks_second: set[str],
    of_other: set[str],
) -> bool:
    """Whether the second number is what is asked for: the first is known to hold for something
    else, or only the clause of the second has words of the question, and few others."""
    if "holds_otherwise" in of_first:
        return "holds_otherwise" not in of_second
    return not asks_first and len(asks_second) > _LEAST_SHARE * len(of_other)


def _add(
    of_first: dict[str, float], of_second: dict[str, float], first: float, second: float
) -> None:
    of_first["rival"], of_second["rival"] = WEIGHTS["rival"] * first, WEIGHTS["rival"] * second


def _may_be_rival(mark: Marked, question: Question) -> bool:
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
