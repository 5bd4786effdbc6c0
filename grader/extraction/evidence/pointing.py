"""What the wording of sentences points at: the numbers that an answer phrase introduces, the
conclusion within a sentence, the sentence before ("This is the effect"), "the one you asked for".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...text.keywords import words
from .. import phrases
from ..parts import BARRED, PLAIN, Marked, Part
from ..question import Question

_DRAWING_WORDS = frozenset({"so", "thus", "therefore", "hence"})
_DRAWING = re.compile(r"\b(?:so|thus|therefore|hence)\b", re.IGNORECASE)
_COMMON_TOPICS = frozenset({"mean", "median", "estimate", "sample_size", "percent", "proportion"})
_CONTRASTS = re.compile(
    r";|\b(?:against|versus|vs|while|whereas|than|compared|but)\b", re.IGNORECASE
)
_POINTS_BACK = re.compile(r"(?:This|That|It) (?:is|was|represents|equals|gives)\b")
_OF_METHOD = re.compile(r"\basked for an?\b")  # as you asked for a plain t-test
_POINTS_AT_ONE = re.compile(r"(?:(?:So|And),? t|T)he (?:(latter|second|last)|former|first)\b")


def said_of(following: Part, text: str) -> set[str] | None:
    """The words of the sentence after one, if it says what that gave: "This is the effect"."""
    if following.marks or not _POINTS_BACK.match(text, following.start, following.end):
        return None
    return words(text[following.start : following.end])


def pointed_at(part: Part, text: str, question: Question) -> set[int]:
    """The starts of the numbers in a sentence that an answer phrase points at. A weak phrase points
    at numbers in bold, if there are any. If the sentence goes on to call a number what is asked
    for, that is the one: "Final answer: the dives average 401 m and have a standard deviation of
    88 m"."""
    pinned = [mark for mark in part.marks if mark.pinned]
    announced = [mark for mark in part.marks if mark.announced]
    if not (pinned or announced):
        return set()
    bold = [mark.number.start for mark in part.marks if mark.emphasised and mark.standing == PLAIN]
    if all(map(_is_called_other, (*pinned, *announced))):
        topics = question.topics - _COMMON_TOPICS
        named = [m for m in part.marks if m.standing == PLAIN and m.context.topic in topics]
        first = (*pinned, *announced)[0].number.end
        if named and not _CONTRASTS.search(text, first, max(first, named[0].number.start)):
            return {mark.number.start for mark in named}
    return {
        *(mark.number.start for mark in pinned),
        *(bold if bold and announced else [mark.number.start for mark in announced]),
    }


def _is_called_other(mark: Marked) -> bool:
    """Whether the words right before a number are not those of an answer phrase."""
    return not any(word.lower().startswith("answer") for word in mark.context.words)


def conclusion_of(part: Part, text: str) -> int:
    """The start of the conclusion in a sentence (`... by 0.67, so the effect is 0.36`) if it has a
    plain number; else the start of the sentence."""
    if len(part.marks) > 1 and not part.words.isdisjoint(_DRAWING_WORDS):
        drawing = _DRAWING.finditer(text, part.start, part.end)
        start = max((word.start() for word in drawing), default=part.end)
        if any(mark.number.start > start and mark.standing == PLAIN for mark in part.marks):
            return start
    return part.start


def _refers(part: Part, text: str) -> bool:
    """Whether a sentence says of a number, in it or before, that it is what was asked for."""
    if not phrases.refers_to_question(text, part.start, part.end):
        return False
    return bool(part.marks) or _OF_METHOD.search(text, part.start, part.end) is None


def asked_for(parts: Sequence[Part], text: str) -> set[int]:
    """The starts of the numbers that "the one you asked for" points at: those of its own sentence,
    or if that has no plain number, of the last one before it, or else of the next. "This is what
    you asked for" points at the last sentence before it with any number, "The latter is what you
    asked for" at the last number of it."""
    found: set[int] = set()
    if not phrases.may_refer(text):
        return found
    before: Sequence[Marked] = ()
    last: Sequence[Marked] = ()
    is_pending = False
    for part in parts:
        if any(mark.standing == PLAIN for mark in part.marks):
            before = part.marks
        if is_pending or _refers(part, text):
            numbers = before
            if not part.marks and _POINTS_BACK.match(text, part.start, part.end):
                numbers = last
            elif not part.marks and (one := _POINTS_AT_ONE.match(text, part.start, part.end)):
                numbers = _one_of(before, is_last=bool(one[1]))
            is_pending = not numbers
            found.update(mark.number.start for mark in numbers)
        if any(mark.standing > BARRED for mark in part.marks):
            last = part.marks
    return found


def _one_of(marks: Sequence[Marked], is_last: bool) -> Sequence[Marked]:
    """The first or the last plain number of a sentence, alone."""
    plain = [mark for mark in marks if mark.standing == PLAIN]
    return plain[-1:] if is_last else plain[:1]
