"""The words that are a number's own in a sentence of several numbers."""

from __future__ import annotations

import re
from itertools import pairwise

from ..parts import Part

# In the examples, <5> or the like is the number.
_SUBJECT_FOLLOWS = re.compile(r"(?:\b(?:and|while|whereas|but|of which)|,|^)\s?[*_`(]{0,4}$")
_LONGEST_LEAD = 14  # characters that _SUBJECT_FOLLOWS can match
_TIMES = frozenset("·⋅×*")
_FACTOR = re.compile(r"\s?[·⋅×*]\s?([A-Za-z_]\w*)")
_SUBJECT_OF = re.compile(r"[*_`]{0,4}\s(?!and\b|in\b|for\b|on\b|among\b)[a-z]+\s[a-z]")
_NO_THING = r"(?:in|for|at|on|of|with|from|by|to|is|are|was|were|had|have|has|and|or|than)\b"
_THING = re.compile(rf"[*_`]{{0,3}}(?:\s(?!{_NO_THING})[^\W\d][\w'’-]*){{1,4}}")
_THING_AND = re.compile(rf"{_THING.pattern},?\s(?:and|or)\s[*_`]{{0,3}}")
_WHOSE = re.compile(  # 172 of whom lean to Clinton and <116> to Dole
    r"[*_`]{0,3}\s(?:to|for|of\swh(?:om|ich))\s(?:(?!(?:and|but)\b)[\w'’-]++\s?+){1,5}+"
)


def own_words(part: Part, place: int, text: str, *, counts: bool) -> str:
    """The words from the number before to this one; those from this one to the next for the subject
    of a clause: `17 tested positive, and <33> tested negative`; the variable that it multiplies;
    the things that it counts, or whose they are, if it is asked how many there are.

    place: of the number among those of the sentence.
    """
    mark, start = part.marks[place], part.marks[place].number.start
    if counts and (thing := _thing(part, place, text)):
        return thing
    if counts and (whose := _WHOSE.match(text, mark.number.end)):
        return whose[0]
    if mark.context.after.lstrip()[:1] in _TIMES:
        factor = _FACTOR.match(text, mark.number.end)
        if factor:
            return factor[1]
    before = text[part.marks[place - 1].number.end if place else part.start : start]
    if not _SUBJECT_OF.match(text, mark.number.end):
        return before
    if not _SUBJECT_FOLLOWS.search(before, max(0, len(before) - _LONGEST_LEAD)):
        return before
    following = part.marks[place + 1 : place + 2]
    return text[mark.number.end : following[0].number.start if following else part.end]


def _thing(part: Part, place: int, text: str) -> str:
    """What a number counts, if another one counts the next of two things: `false negatives` of <5>
    in "10 false positives and <5> false negatives"; empty if not."""
    for one, other in pairwise(part.marks[max(0, place - 1) : place + 2]):
        if _THING_AND.fullmatch(text, one.number.end, other.number.start):
            thing = _THING.match(text, part.marks[place].number.end)
            return thing[0] if thing else ""
    return ""
