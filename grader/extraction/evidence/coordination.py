"""Numbers in a row that are called the same and hold for different things: "R² is 0.53 on the
training data and 0.45 on the test data"; "for men it is 0.53, for women 0.45"."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise

from ...numbers import Quantity
from ...text.keywords import content_words, words
from ..naming import topic_named
from ..question import Question
from .substitutes import asked_words, stems
from .weights import WEIGHTS

_LISTS = re.compile(r"[*_`]{0,3}%?(?:,\s(?:and\s)?|\sand\s)[*_`$€£−-]{0,4}")
_FOR = (
    r"(?:on|in|for|of|among|at|under|with|without|during|over|across)\s"
    r"((?:[\w`-]{1,40}\s){0,4}?[\w`-]{1,40})"
)
_CLOSES = r"[*_`]{0,3}%?\)?"
_AND = r"(?:,?\s(?:and|vs\.?|versus|but|while|whereas)|[,;])\s"
_IS = r"(?:,?\s(?:(?:it|this|that)\s)?(?:is|was|are|were)|:)?\s(?:about\s|only\s)?[*_`$€£−-]{0,4}"
_FIRST = re.compile(rf"{_CLOSES}\s(?:{_FOR}|(overall|in total)){_AND}[*_`$€£−-]{{0,4}}")
_SECOND = re.compile(rf"{_CLOSES}\s{_FOR}(?=[,.;)]|\s\(|\s(?:and|so|but|which|while|whereas)\b|$)")
_AHEAD_OF_FIRST = re.compile(rf"\b{_FOR}{_IS}$", re.IGNORECASE)
_AHEAD_OF_SECOND = re.compile(rf"{_CLOSES}(?:\s[a-z]{{1,12}})?{_AND}{_FOR}{_IS}")
# By sex: male 30.7, female 27.9
_NAME = r"([^\W\d][\w'’-]{0,30}(?:\s[^\W\d][\w'’-]{0,30})?)\s[*_`$€£−-]{0,4}"
_NAME_OF_FIRST = re.compile(rf"[:;(,]\s?(?:and\s)?{_NAME}$")
_NAME_OF_SECOND = re.compile(rf"{_CLOSES}[,;]\s(?:and\s)?{_NAME}")
# Men averaged 5.1 and women 6.2
_NAME_BEFORE_VERB = re.compile(
    r"(?:^|[.;:,(]\s?)([^\W\d][\w'’-]{1,30})\s(?:averaged?|score[ds]?|earn(?:ed|s)?|is|was|had|has"
    r"|made|got|spent|paid|took|waited|lived|weighed)\s[*_`$€£−-]{0,4}$"
)
_NAME_BEHIND = re.compile(
    rf"{_CLOSES}(?:\s[a-z]{{1,12}})?,?\sand\s([^\W\d][\w'’-]{{1,30}})\s[*_`$€£−-]{{0,4}}"
)
_RESTATES = re.compile(r"[*_`]{0,3},?\s(?:or|i\.e\.,?|that is,?|=|≈|\()\s?[*_`]{0,3}")
# -7.72 (hundreds of dollars), i.e. about <772> dollars
_IN_OTHER_UNITS = re.compile(
    r"[*_`]{0,3}%?[^.;:\n0-9]{0,40}[,(]\s?(?:i\.e\.|that is|in other words),?\s"
    r"(?:about\s|roughly\s|approximately\s|some\s)?[*_`$€£−-]{0,4}"
)
_PRONOUNS = frozenset({"it", "them"})
_CONTRAST = re.compile(r",\s(?:while|whereas)\s")
_SHARED = ("stated", "named_as_asked", "other_statistic", "focus")
_NO_TERMS = frozenset({"year", "question_number"})  # marks of what only says what another is of
_WHOLE = frozenset({"all", "overall"})  # holds for more than is asked for
_NEAR = 80
_SAME_DIGITS = 0.003  # of a decimal logarithm: 0.7 %, as rounding may differ
_SHORTEST = len(" in x, ")  # what stands at least between two such numbers
_LEAST_SHARE = 0.5  # numbers that hold for less of the question than this hold for something else


def add_coordination(
    found: Sequence[tuple[Quantity, dict[str, float]]], text: str, question: Question
) -> None:
    """Add to the evidence of the numbers of a sentence what those in a row share, to each how much
    less of what it holds for the question names than of what another does, and to others that they
    stand behind a contrast."""
    if len(found) > 2:
        _add_listed(found, text)
        found = [one for one in found if _NO_TERMS.isdisjoint(one[1])]
    shares: dict[int, float] = {}
    may_be_restated = "i.e." in text or "that is" in text or "in other words" in text
    may_contrast = "while" in text or "whereas" in text
    for place, ((first, of_first), (second, of_second)) in enumerate(pairwise(found)):
        if may_contrast and _CONTRAST.search(text, first.end, second.start):
            of_second["contrasted"] = WEIGHTS["contrasted"]
        if first.is_percent != second.is_percent and _is_restated(text, first, second):
            of_second.update({name: of_first[name] for name in _SHARED if name in of_first})
            continue
        if may_be_restated and _is_in_other_units(text, first, second):
            of_second.pop("stated", None)
            of_second.update({name: of_first[name] for name in _SHARED if name in of_first})
            continue
        phrases = _held_for(text, first, second, question)
        if phrases is None:
            continue
        of_second.update({name: of_first[name] for name in _SHARED if name in of_first})
        if not _PRONOUNS.isdisjoint(phrases):
            continue  # 2.1 without it and 1.4 with it
        for number, phrase in enumerate(phrases, place):
            said = content_words(phrase.lower()) | (words(phrase) & _WHOLE - words(question.text))
            if said:  # not only a year, which `circumstances.holds` looks at
                shares[number] = sum(_is_asked(word, question) for word in said) / len(said)
    most = max([_LEAST_SHARE, *shares.values()])
    for number, share in shares.items():
        found[number][1].pop("contrasted", None)
        found[number][1]["qualified"] = WEIGHTS["qualified"] * (share - most)


def _is_asked(word: str, question: Question) -> bool:
    """Whether a word is one of what is asked for, or the plural or singular of one."""
    return not asked_words(question).isdisjoint(stems([word]))


def _is_restated(text: str, first: Quantity, second: Quantity) -> bool:
    """True for `0.0134, or 1.34%`."""
    if _RESTATES.fullmatch(text, first.end, second.start) is None:
        return False
    times = 100 if second.is_percent else 0.01
    slack = 0.5 * 10.0**-second.decimals * (1 + 1e-9)
    return abs(first.value * times - second.value) <= slack


def _is_in_other_units(text: str, first: Quantity, second: Quantity) -> bool:
    """True for `2.5 thousand dollars, i.e. 2,500 dollars`: the same digits, scaled."""
    if _IN_OTHER_UNITS.fullmatch(text, first.end, second.start) is None:
        return False
    values = abs(first.value), abs(second.value)
    if not (all(values) and all(map(math.isfinite, values))):
        return False
    power = math.log10(values[1]) - math.log10(values[0])
    return round(power) != 0 and abs(power - round(power)) < _SAME_DIGITS


def _add_listed(found: Sequence[tuple[Quantity, dict[str, float]]], text: str) -> None:
    """Add to three numbers or more in a row that they are listed: "of 27, 67, 58 and 61"."""
    first = 0
    for place in range(1, len(found) + 1):
        if place < len(found):
            one, other = found[place - 1][0], found[place][0]
            if _LISTS.fullmatch(text, one.end, other.start):
                continue
        if place - first > 2:
            for _, named in found[first:place]:
                named["listed"] = WEIGHTS["listed"]
        first = place


def _held_for(
    text: str, first: Quantity, second: Quantity, question: Question
) -> tuple[str, str] | None:
    """What two numbers hold for, if the text between them says it in the same form for both."""
    if second.start - first.end < _SHORTEST:
        return None
    if behind := _FIRST.fullmatch(text, first.end, second.start):
        after = _SECOND.match(text, second.end)
        if after and behind[2] and not all(_is_asked(w, question) for w in content_words(after[1])):
            return None
        return (behind[1] or behind[2], after[1]) if after else None
    lead = text[max(0, first.start - _NEAR) : first.start]
    if ahead := _AHEAD_OF_SECOND.fullmatch(text, first.end, second.start):
        before = _AHEAD_OF_FIRST.search(lead)
        return (before[1], ahead[1]) if before else None
    if ahead := _NAME_OF_SECOND.fullmatch(text, first.end, second.start):
        before = _NAME_OF_FIRST.search(lead)
        names = (before[1], ahead[1]) if before else None
        return names if names and all(map(_has_no_little_word, names)) else None
    if (other := _NAME_BEHIND.fullmatch(text, first.end, second.start)) and (
        one := _NAME_BEFORE_VERB.search(lead)
    ):
        names = one[1], other[1]
        is_of_things = not any(map(topic_named, names))
        return names if is_of_things and all(map(_has_no_little_word, names)) else None
    return None


def _has_no_little_word(name: str) -> bool:
    return set(name.lower().split()) <= content_words(name.lower())
