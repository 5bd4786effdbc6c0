"""Sentences that repeat the question around its answer: "The school is located in Newbury"."""

from __future__ import annotations

import re

from ...dates import writings
from ..question import Question
from .echo import is_drawn_from, told

# In the examples, <Newbury> or the like is the answer.
_STARTS_SENTENCE = re.compile(
    r"[\W_]*(?:(?:on|in|at|during)\s)?(?:the\s|an?\s)?[\W_]*", re.IGNORECASE
)
_LEADS_TO_END = re.compile(
    r"\b(?:in|at|by|on|during|is|was|are|were|named|called)\s(?:the\s|an?\s)?[\W_]*$",
    re.IGNORECASE,
)
# What may follow a sentence that repeats the question: with 44 goals, than Wynalda
_ASIDE = re.compile(r"\s(?:with|than|because|since|as)\s.*|\s?\(.*", re.IGNORECASE | re.DOTALL)
_ENDS = re.compile(r"[\W_]*(?:\([^()\n]{1,60}\)[\W_]*)?")
# It was on <2015-01-03>, the peak occurred on <2015-01-03>, it peaked on <2015-01-03>
_ON_DATE = re.compile(
    r"\W*(?:it|that|this|(?P<what>[\w'’ -]{1,60}?))"
    r"\s(?:(?:is|was|were)(?:\sreached)?|took place|happened|occurred|fell|(?P<verb>[a-z]{3,}))"
    r"\s(?:on|in|at)\s(?:the\s)?[\s*_`]*",
    re.IGNORECASE,
)
# Words for one phase of what takes time; a date of another is no answer.
_PHASES = tuple(
    frozenset(words.split())
    for words in (
        "start starts started begin begins began begun beginning onset first earliest commenced",
        "end ends ended ending finish finished last latest final",
        "peak peaks peaked peaking highest maximum max most",
    )
)
_TIMES = frozenset("date day month quarter year time".split())
_FEWEST_WORDS, _LEAST_ECHO = 2, 0.6  # words, share of the question's


def echoes(before: str, after: str, mention: str, question: Question) -> bool:
    """Whether the words around a mention repeat the question, and say nothing else: `<Perry>
    captured the most vessels`, `The school is located in <Newbury>`."""
    after = _ASIDE.sub("", after)
    is_subject = _STARTS_SENTENCE.fullmatch(before)
    if not is_subject and not (_ENDS.fullmatch(after) and _LEADS_TO_END.search(before)):
        return False
    named = told(mention)
    asked = [word for word in told(question.text) if word not in named]
    said = told(f"{before} {after}")
    enough = len(said) >= max(_FEWEST_WORDS, _LEAST_ECHO * len(asked))
    return enough and is_drawn_from(said, asked)


def is_date_of(before: str, after: str, question: Question) -> bool:
    """Whether words say of a date between them that it is that of what is asked for, or of "it"."""
    lead = _ON_DATE.fullmatch(before)
    if lead is None or _ENDS.fullmatch(_ASIDE.sub("", after)) is None:
        return False
    asked = [word for word in told(question.text) if word not in _TIMES]
    if verb := (lead["verb"] or "").lower():
        phase = next((phase for phase in _PHASES if verb in phase), frozenset({verb}))
        others = [word for word in asked if not is_drawn_from((word,), phase)]
        if len(others) == len(asked):
            return False
        asked = others
    if lead["what"] is None:
        return True
    said = told(lead["what"])
    return len(said) >= max(1, _LEAST_ECHO * len(asked)) and is_drawn_from(said, asked)


def gives_date(clause: str, question: Question) -> bool:
    """Whether a clause gives a date, whichever it is, as that of what is asked for."""
    lead = _ON_DATE.match(clause)
    if lead is None or not writings(_ASIDE.sub("", clause[lead.end() :]).strip("*_`.! ")):
        return False
    return is_date_of(lead[0], "", question)
