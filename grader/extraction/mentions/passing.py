"""Mentions of an option in passing: no evidence speaks for them, and the text goes on to something
else."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...records import Candidate
from ...text.keywords import COMPARATIVES, share, words
from ...text.sentences import sentence_around
from ..question import Question
from .evidence import STANDS_OUT
from .finding import find_mentions

_RESTATED = 0.6  # the share of a question's keywords in a sentence that repeats it
_COMPARATIVES = frozenset(COMPARATIVES.split("|")).union(
    "most least highest lowest largest smallest greatest best worst longest shortest".split()
)
# Behind an option: , although its mean is lower
_CLAUSE_ENDS = re.compile(
    r";|,\s(?:even\s)?(?:although|though|but|while|whereas|however|followed|ahead|then)\b", re.I
)
_IN_BRACKETS = re.compile(r"\([^()\n]*\)")
_LEAVING_OPEN = frozenset({"whether", "unclear"})
_CONTRAST = re.compile(
    r"""
    \b (?: although | though | but | however | while | whereas | would | could | might | needs?
         | instead | otherwise | before | prior | expected ) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)


def is_passing_remark(
    text: str,
    mention: Candidate,
    names: list[str],
    known: Mapping[str, str],
    question: Question,
) -> bool:
    """Whether a mention without evidence is made in passing: beside a contrast, with more text
    after its sentence, or of a thing by its letter ("hospital A"). Not if its clause repeats the
    question."""
    if not STANDS_OUT.isdisjoint(names):
        return False
    first, last = sentence_around(text, *mention.span)
    if _repeats_question(text[first:last], mention.span[0] - first, known, question):
        return False
    behind = _IN_BRACKETS.sub("", text[mention.span[1] : last])
    said = text[first : mention.span[1]] + behind
    if mention.rule == "named" or _contrasts(said) - words(question.text):
        return True
    return bool(text[last : last + 300].strip(" .!?\n*_"))


def _contrasts(text: str) -> set[str]:
    return {word.lower() for word in _CONTRAST.findall(text)}


def _repeats_question(
    sentence: str, place: int, known: Mapping[str, str], question: Question
) -> bool:
    """Whether the clause at a place of a sentence has most words of the question, the same
    comparatives, one option, and leaves nothing open."""
    start = sentence.rfind(";", 0, place) + 1
    end = _CLAUSE_ENDS.search(sentence, place)
    clause = sentence[start : end.start() if end else len(sentence)]
    said, asked = words(clause), words(question.text)
    if share(question.target, said) < _RESTATED or not said.isdisjoint(_LEAVING_OPEN):
        return False
    if not _contrasts(clause) <= asked or said & _COMPARATIVES != asked & _COMPARATIVES:
        return False
    return len({mention.value for mention in find_mentions(clause, known)}) == 1
