"""Relations among the numbers of an output: one is the difference or the ratio of two others, or
the size of a negative one."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import combinations, pairwise

from ..numbers import Quantity
from ..text.keywords import COMPARATIVES, words

_JOINS = re.compile(r"[%$*_`]{0,4}\s?(?:to|and|,|;|–|—|through)\s?[%$*_`]{0,4}")
_CALLED = re.compile(
    r"\b(?:difference|increase|rise|rose|decrease|decline|drop|fall|fell|gap|change|gain|growth|grew"
    r"|up|down|by|improvement|reduction|excess|effect)\b[^.;!?0-9\n]*$",
    re.IGNORECASE,
)
_FALL = re.compile(
    r"\b(?:(?:decline|decrease|drop|fall|loss|reduction) of|(?:declined|decreased|dropped|fell) by)"
    r"\s(?:about\s)?[*_$≈]{0,3}$",
    re.IGNORECASE,
)
_RISE = re.compile(
    r"\b(?:(?:gain|growth|improvement|increase|rise) of|(?:gained|grew|increased|rose) by)"
    r"\s(?:about\s)?[*_$≈]{0,3}$", re.IGNORECASE,
)  # fmt: skip
_CALLED_BEHIND = re.compile(
    rf"[*_`$%]{{0,4}}(?:\s[a-zA-Z%°€£]+){{0,2}}?\s(?:{COMPARATIVES}|above|below)\b"
)
_BESIDE_ONE = re.compile(  # what stands between 2.69 and 23.09 in "2.69 °C above the mean of 23.09"
    r"[*_`$%]{0,4}(?:\s[a-zA-Z%°€£]+){0,2}?\s(?:(?P<above>above|(?:more|higher|larger) than)"
    r"|below|(?:less|fewer|lower|smaller) than)\b[^.;,!?\n]*$"
)
_LEAVES = re.compile(
    r"\b(?:leaves?|leaving|left|remain(?:s|ed|ing)?)\s(?:(?:us|me|you|with|only|are|is|just)\s){0,3}$",
    re.IGNORECASE,
)
_SO = re.compile(
    r"\b(?:so|hence|thus|therefore|total|sum|i\.e\.|that is|makes|together|altogether)\b|="
)
_IN_ALL = re.compile(r"[^.;,\n0-9]{0,30}\b(?:in (?:all|total)|altogether|together|overall)\b")
_NOUN = re.compile(r"\s([A-Za-z-]+)")
_NEAR = 40
_MOST_SLACK = 0.03  # share of a number within which its rounding is looked for
_LONGEST_ROW = 2000
_MOST_BESIDE_RATIOS = 50  # among more numbers, the terms of no ratio are looked for
MOST_TERMS = 12  # among more numbers, no difference is looked for


def terms_of_differences(numbers: Sequence[Quantity], text: str) -> frozenset[int]:
    """The starts of numbers whose difference the text also gives, before or after them: 26.25 and
    20.58 in "26.25, 20.58, a gap of 5.67". If there are many, it must be on the same line."""
    if len(numbers) <= MOST_TERMS:
        return _terms(numbers, text)
    found = frozenset[int]()
    first = 0
    for place in range(1, len(numbers) + 1):
        if place == len(numbers) or "\n" in text[numbers[place - 1].end : numbers[place].start]:
            found |= _terms(numbers[first:place], text)
            first = place
    return found


def _terms(numbers: Sequence[Quantity], text: str) -> frozenset[int]:
    if not 2 < len(numbers) <= MOST_TERMS:
        return frozenset()
    found = set()
    for three in combinations(numbers, 3):
        result = _difference(*three, text)
        found |= {term.start for term in three if result and term is not result}
    return frozenset(found)


def _difference(one: Quantity, other: Quantity, last: Quantity, text: str) -> Quantity | None:
    """The one of three numbers, in order, that is the difference of the two others by their digits:
    the last or the first. If both can be (24.75 is 337.15 - 312.40, and 312.40 is 337.15 - 24.75),
    the one that the text calls so. The second in "25.78, which is 2.69 above the mean of 23.09".
    """
    if not (one.is_percent == other.is_percent == last.is_percent):
        return None
    unit = 10.0 ** -min(one.decimals, other.decimals, last.decimals)
    if min(abs(one.value), abs(other.value), abs(last.value)) <= 10 * unit:
        return None
    slack = 1.1 * unit
    if abs(other.value - last.value) <= slack or abs(one.value - other.value) <= slack:
        return None  # 0.42, and elsewhere 0.21 (0.2128)
    is_last = abs(abs(one.value - other.value) - abs(last.value)) <= slack
    is_first = abs(abs(other.value - last.value) - abs(one.value)) <= slack
    # One that is said to fall may have no sign, and another one: falls by 55.9 and 28.5, so -27.4.
    have_signs = min(one.value, other.value, last.value) < 0 and not is_last
    if have_signs and abs(abs(abs(one.value) - abs(other.value)) - abs(last.value)) <= slack:
        is_last = True
    are_unlike = abs(abs(one.value) - abs(last.value)) > slack and (
        have_signs or min(one.value, last.value) > 0
    )
    if is_first and not is_last and _are_opposed(one, other, last, text):
        return last
    if is_last and is_first and are_unlike:
        is_last, is_first = _is_called_difference(last, text), _is_called_difference(one, text)
    is_other = _is_between(one, other, last, text)
    if is_other and abs(abs(one.value - last.value) - other.value) <= slack:
        return other
    if is_last == is_first:
        return None
    return last if is_last else one


def _is_between(one: Quantity, other: Quantity, last: Quantity, text: str) -> bool:
    """Whether the second of three numbers is said to be by how much the first is above or below the
    last: "25.78, which is 2.69 above the mean of 23.09"."""
    beside = _BESIDE_ONE.match(text[other.end : last.start])
    return beside is not None and (one.value > last.value) == (beside["above"] is not None)


def _are_opposed(one: Quantity, other: Quantity, last: Quantity, text: str) -> bool:
    """Whether one of two numbers is said to be a fall and the other a rise, and the third, by which
    they differ, what the second is: "a decline of 1.74 ... a gain of 0.69 ... a gain of 2.43"."""
    before = [text[max(0, number.start - _NEAR) : number.start] for number in (one, other, last)]
    falls = [_FALL.search(said) is not None for said in before]
    rises = [_RISE.search(said) is not None for said in before]
    return falls in ([True, False, False], [False, True, True]) and rises == [not f for f in falls]


def _is_called_difference(number: Quantity, text: str) -> bool:
    line = text.rfind("\n", max(0, number.start - _LONGEST_ROW), number.start) + 1
    if text.startswith("|", line):  # by its row's label
        before = text[line : text.find("|", line + 1, number.start)]
    else:
        before = text[max(0, number.start - _NEAR) : number.start]
    return bool(_CALLED.search(before) or _CALLED_BEHIND.match(text, number.end))


def terms_of_ratios(numbers: Sequence[Quantity]) -> frozenset[int]:
    """The starts of numbers whose ratio follows them: 41.7 and 23.1 in "41.7 and 23.1, that is,
    1.81 times as much"."""
    found = set[int]()
    if len(numbers) > _MOST_BESIDE_RATIOS:
        return frozenset()
    for place, ratio in enumerate(numbers):
        if place < 2 or ratio.decimals < 2 or ratio.is_percent:
            continue
        slack = 0.5 * 10.0**-ratio.decimals
        for one, other in combinations(numbers[max(0, place - MOST_TERMS) : place], 2):
            if one.is_percent == other.is_percent and _divides(one, other, ratio, slack):
                found |= {one.start, other.start}
    return frozenset(found)


def _divides(one: Quantity, other: Quantity, ratio: Quantity, slack: float) -> bool:
    """True if a number is the ratio of two others, in either order, as far as these are rounded."""
    if one.value == 0 or other.value == 0 or ratio.value in (one.value, other.value):
        return False
    rounded = sum(0.5 * 10.0**-term.decimals / abs(term.value) for term in (one, other))
    within = slack + rounded * abs(ratio.value)
    if within > _MOST_SLACK * abs(ratio.value):
        return False
    quotient = one.value / other.value
    return min(abs(quotient - ratio.value), abs(1 / quotient - ratio.value)) <= within


def terms_of_remainders(numbers: Sequence[Quantity], text: str) -> frozenset[int]:
    """The starts of numbers of which the text gives the rest: 640 and 25 in "640 rows; removing 25
    leaves 615"."""
    found = set()
    for place, rest in enumerate(numbers):
        if place < 2 or _LEAVES.search(text[max(0, rest.start - _NEAR) : rest.start]) is None:
            continue
        for one, other in combinations(numbers[max(0, place - MOST_TERMS) : place], 2):
            if one.value - other.value == rest.value:
                found |= {one.start, other.start}
    return frozenset(found)


def terms_of_sums(numbers: Sequence[Quantity], text: str, asked: frozenset[str]) -> frozenset[int]:
    """The starts of numbers whose sum the text gives behind them: 60 and 68 in "60 men and 68
    women, so 128"; not if what is asked for names one of them, as men. asked: its words."""
    found: set[int] = set()
    if len(numbers) > _MOST_BESIDE_RATIOS:
        return frozenset()
    for place, total in enumerate(numbers):
        terms = numbers[max(0, place - 2) : place]
        if len(terms) < 2 or not _adds_up(terms, total):
            continue
        between = text[terms[-1].end : total.start]
        if not (_SO.search(between) or _IN_ALL.match(text, total.end)):
            continue
        starts = [numbers[place - 3].end if place > 2 else 0, terms[0].end]
        own = [
            _words_around(term, start, text) & asked
            for term, start in zip(terms, starts, strict=True)
        ]
        if own[0] == own[1]:
            found |= {term.start for term in terms}
    return frozenset(found)


def _adds_up(terms: Sequence[Quantity], total: Quantity) -> bool:
    """Whether a number is the sum of others, as far as they are rounded."""
    slack = sum(0.5 * 10.0**-term.decimals for term in terms if term.decimals) * (1 + 1e-9)
    are_alike = all(term.is_percent == total.is_percent for term in terms)
    return are_alike and abs(sum(term.value for term in terms) - total.value) <= slack


def _words_around(number: Quantity, start: int, text: str) -> set[str]:
    """The words between the number before, which ends at `start`, and a number, and the one behind
    each, which is its own."""
    of_last, noun = _NOUN.match(text, start), _NOUN.match(text, number.end)
    start = max(of_last.end() if of_last and start else start, number.start - _NEAR)
    return words(text[start : number.start]) | words(noun[1] if noun else "")


def is_size_of_one(number: Quantity, negative: list[float]) -> bool:
    """True if a number, rounded as it is, is the size of one of the negative values (sorted); for a
    percentage, also of one written as a proportion."""
    slack = min(0.5 * 10.0**-number.decimals, _MOST_SLACK * number.value) * (1 + 1e-9)
    if _has_near(negative, -number.value, slack):
        return True
    return number.is_percent and _has_near(negative, -number.value / 100, slack / 100)


def intervals_of(numbers: Sequence[Quantity], text: str) -> list[tuple[Quantity, Quantity]]:
    """The intervals that numbers in a row are the ends of: `-0.131 to -0.009`."""
    return [
        (one, other)
        for one, other in pairwise(numbers)
        if one.value < other.value and _JOINS.fullmatch(text, one.end, other.start)
    ]


def is_size_within(number: Quantity, intervals: Sequence[tuple[Quantity, Quantity]]) -> bool:
    """True if a number with a minus sign is in one of the intervals, in one of its readings."""
    return any(
        low.value < -reading < high.value
        for low, high in intervals
        for reading in number.readings()
    )


def _has_near(values: list[float], wanted: float, slack: float) -> bool:
    """True if one of the sorted values is at most `slack` from the wanted one."""
    place = bisect_left(values, wanted - slack)
    return place < len(values) and values[place] <= wanted + slack
