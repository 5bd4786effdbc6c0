"""Published answers of several values (`Mean: 45.8, SD: 3.1`; `[4, 6]`) or names (`Chad, Mali`),
and whether a text gives them all: each value with its label, a list in its order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from ..numbers import Quantity, find_numbers
from ..settings import GradeSettings
from ..tolerance import matches
from ..truth import without_label

_WORD = re.compile(r"standard\s+dev(?:iation)?(?![^\W_])|[^\W_]+", re.IGNORECASE)
_SHORT_FORMS = {
    "sd": "std", "stdev": "std", "minimum": "min", "maximum": "max", "average": "mean",
    "avg": "mean",
}  # fmt: skip
_SEPARATOR = re.compile(r"[,;\n]")
_LIST = re.compile(r"\s*[\[({]")
_BEGINS_WITH_NUMBER = re.compile(r"[\W_]*\d")
# What stands between the numbers of one list: `4, 6 and 9`, `4 to 6`, bullets.
_IN_ROW = re.compile(
    r"[\s*_`\"']{0,9}(?:[,;]|\n\s*(?:[-*•]\s|\d{1,2}[.)])?|\band\b|[–—-]|\bto\b)(?:\s*and\b)?"
    r"[\s*_`\"']{0,9}"
)
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t>*_-]*\d{1,2}[.)]\Z")
_FILLERS = frozenset("a an and are for in is it of on the to was with".split())
_DENIALS = frozenset({"no", "not", "instead"})
_NAME = re.compile(r"\w[^.!?:]{0,60}", re.DOTALL)
_BEFORE_LIST = r"(?:\A|[:\n]|\b(?:is|are|include|namely))[\W_]{0,9}(?:1[.)][\W_]{0,9})?"
_FIGURE = r"(?:[\s*_`\"'”]{0,4}\([^()\nA-Za-z]{1,20}\))?"  # may follow each name: `Chad (0.4)`
_IN_LIST = _FIGURE + r"(?:[\W_]|\b[0-9]{1,2}[.)]|\band\b){1,12}"
_AFTER_LIST = _FIGURE + r"(?=[^\w\n]{0,9}(?:\Z|\n(?!\s{0,9}(?:[-*•]\s|\d{1,2}[.)]\s))|\.\s))"
_MOST_VALUES = 50
_FURTHEST = 8  # words that may stand between a label and its value
_NEAR = 3  # words that may stand between a label and another number that is its value

Token = str | Quantity  # a lower-case word or a number


class Value(NamedTuple):
    """One of several values: its label's words and its number, in the order of the published
    answer; for a list without labels, all its numbers."""

    tokens: tuple[Token, ...]


@lru_cache(maxsize=1024)
def published_values(truth: str) -> tuple[Value, ...]:
    """The values that a published answer gives, if they are several: numbers with labels, or a
    list of numbers in brackets. Empty for anything else."""
    numbers = find_numbers(truth)
    if not 2 <= len(numbers) <= _MOST_VALUES:
        return ()
    if _BEGINS_WITH_NUMBER.match(truth) and not _LIST.match(truth):
        return ()
    values: list[list[Token]] = [[]]
    for segment in _segments(truth, numbers):
        is_complete = any(isinstance(token, Quantity) for token in values[-1])
        if is_complete and isinstance(segment[0], str):
            values.append([])
        values[-1] += segment
    if not any(isinstance(token, Quantity) for token in values[-1]):
        values[-2:] = [values[-2] + values[-1]]
    return tuple([Value(tuple(tokens)) for tokens in values])


def _segments(truth: str, numbers: Sequence[Quantity]) -> Iterator[list[Token]]:
    """The parts of a published answer between commas, semicolons and line ends."""
    segment: list[Token] = []
    last = 0
    for token, start, end in _tokens(truth, numbers):
        if segment and _SEPARATOR.search(truth, last, start):
            yield segment
            segment = []
        segment.append(token)
        last = end
    yield segment


def _tokens(text: str, numbers: Sequence[Quantity]) -> Iterator[tuple[Token, int, int]]:
    """The words and numbers of a text in order, with their spans; fillers and the numbers of a
    numbered list left out."""
    last = 0
    for number in numbers:
        yield from _words(text, last, number.start)
        last = number.end + len(number.scale_word)
        if not _LIST_NUMBER.search(text[max(0, number.start - 20) : number.end + 1]):
            yield number, number.start, last
    yield from _words(text, last, len(text))


def _words(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    for match in _WORD.finditer(text, start, end):
        word = match[0].lower()
        word = "std" if len(word.split()) > 1 else _SHORT_FORMS.get(word, word)
        if word not in _FILLERS:
            yield word, *match.span()


def gives_several(text: str, truth: str, settings: GradeSettings) -> bool:
    """Whether a text gives all of several published values or names; False for a single one. To
    give a value, a text has the words of its label in order and then its number, with at most a few
    other words between, no other number and no denial.
    """
    if values := published_values(truth):
        found = list(_tokens(text, find_numbers(text, spaced=True)))
        if len(values) == 1 and not any(isinstance(token, str) for token in values[0].tokens):
            return _gives_list(text, found, values[0], settings)
        said = [token for token, _, _ in found]
        return all(_gives(said, value, values, settings) for value in values)
    listed = _list_pattern(truth)
    return listed is not None and listed.search(text) is not None


def _gives_list(
    text: str, found: Sequence[tuple[Token, int, int]], value: Value, settings: GradeSettings
) -> bool:
    """Whether a text gives these numbers as a list of their own, and no other list as long."""
    rows: list[list[Quantity]] = []
    last = -1
    for token, start, end in found:
        if isinstance(token, Quantity):
            if last >= 0 and _IN_ROW.fullmatch(text, last, start):
                rows[-1].append(token)
            else:
                rows.append([token])
            last = end
    alike = [row for row in rows if len(row) == len(value.tokens)]
    return bool(alike) and all(
        _is_same(one, wanted, settings)
        for row in alike
        for one, wanted in zip(row, value.tokens, strict=True)
    )


def _gives(
    said: Sequence[Token], value: Value, values: Sequence[Value], settings: GradeSettings
) -> bool:
    """Whether the right number follows a label where the text last gives it one."""
    first = value.tokens[0]
    others = {other.tokens[0] for other in values if isinstance(other.tokens[0], str)} - {first}
    verdicts = [
        verdict
        for place, token in enumerate(said)
        if _is_same(token, first, settings)
        and (verdict := _follows(said, place, value, others, settings)) is not None
    ]
    return bool(verdicts) and verdicts[-1]


def _follows(
    said: Sequence[Token],
    place: int,
    value: Value,
    others: Set[Token],
    settings: GradeSettings,
) -> bool | None:
    """Whether the tokens of a value follow one another from this place; None if the label has no
    number here. others: the labels of other values, which end this one."""
    for wanted in value.tokens:
        for skipped in range(_FURTHEST + 1):
            token = said[place] if place < len(said) else None
            place += 1
            if token is not None and _is_same(token, wanted, settings):
                break
            if isinstance(token, Quantity):
                return False if wanted is value.tokens[-1] and skipped <= _NEAR else None
            if token is None or token in _DENIALS or token in others or skipped == _FURTHEST:
                return None
    return True


def _is_same(token: Token, wanted: Token, settings: GradeSettings) -> bool:
    if isinstance(token, Quantity) and isinstance(wanted, Quantity):
        return matches(token, wanted, settings)
    return token == wanted


@lru_cache(maxsize=1024)
def _list_pattern(truth: str) -> re.Pattern[str] | None:
    """A pattern for a text that lists the published names; None if these are not several."""
    bare = without_label(truth).strip(" \n[](){}")
    names = [name.strip(" \n'\"“”").removeprefix("and ") for name in _SEPARATOR.split(bare)]
    if not 2 <= len(names) <= _MOST_VALUES or not all(map(_NAME.fullmatch, names)):
        return None
    listed = _IN_LIST.join([r"\s+".join(map(re.escape, name.split())) for name in names])
    return re.compile(_BEFORE_LIST + listed + _AFTER_LIST, re.IGNORECASE)
