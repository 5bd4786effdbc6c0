"""Published answers of several values (`Mean: 45.8, SD: 3.1`; `[4, 6]`), as words and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from ...dates import writings
from ...numbers import Quantity, find_numbers

_WORD = re.compile(r"standard\s+dev(?:iation)?(?![^\W_])|[^\W_]+", re.IGNORECASE)
_SHORT_FORMS = {
    "sd": "std", "stdev": "std", "minimum": "min", "maximum": "max", "average": "mean",
    "avg": "mean",
}  # fmt: skip
_SEPARATOR = re.compile(r"[,;\n]|\b(?:and|versus|vs)\b")
_LIST = re.compile(r"(?:\d[^:\[({]{1,60}:)?\s*[\[({]")  # `[4, 6]`, `95% CI: (4, 6)`
_PARTS = re.compile(r"[,;]\s|\n")
_NAMED_NUMBER = re.compile(r"(?=[^\d]*\d)[\W\d]*[^\W\d_]{2}")
_BRACKETS = ("", "[]", "()", "{}")
_BEGINS_WITH_NUMBER = re.compile(r"[\W_]*\d")
_QUOTED_NAME = re.compile(r"(?<!\w)(['\"])(?=[^'\"]*[^\W\d])[^'\",;:\n]+\1")
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t>*_-]*\d{1,2}[.)]\Z")
_FILLERS = frozenset("a an and are for in is it of on the to versus vs was with".split())
# Between the numbers of a bare list: 304, 792 and 813; 3 | 4; 0.5 ± 0.1; 18-65.
_BETWEEN = re.compile(
    r",\s+(?:and\s+)?|\s*[;|\n]\s*(?:and\s+)?|\s+and\s+|\s*(?:±|\+/[-−])\s*", re.IGNORECASE
)
# A name with its number: `Visa:36.30`, `Nigeria, 2010`, `['Nigeria', 2010]`.
_PAIR = re.compile(r"[\[(]?['\"]?[^\W\d][^:,;\d\n]{0,40}(?::|['\"]?[,;]\s?['\"]?)")
_PAIR_ENDS = re.compile(r"['\"]?[\])]?")
_TO = re.compile(r"\s?[-–—]\s?|\s+to\s+")
_TIGHT_COMMA = ","  # of three numbers or more: 1,2,3
_MOST_VALUES, _MOST_IN_LIST = 50, 1000

Token = str | Quantity  # a lower-case word or a number


class Value(NamedTuple):
    """One of several values: its label's words and its number, in the order of the published
    answer; for a list without labels, all its numbers."""

    tokens: tuple[Token, ...]


@lru_cache(maxsize=1024)
def published_values(truth: str) -> tuple[Value, ...]:
    """The values that a published answer gives, if they are several: numbers with labels or other
    words, a list of numbers, or a name and its number. Empty for anything else."""
    numbers = find_numbers(truth)
    if 2 <= len(numbers) <= _MOST_IN_LIST and _is_bare_list(truth, numbers):
        return (Value(tuple(numbers)),)
    if not (_is_pair(truth, numbers) or 2 <= len(numbers) <= _MOST_VALUES):
        return ()
    if _BEGINS_WITH_NUMBER.match(truth) and not (_LIST.match(truth) or _has_named_parts(truth)):
        return ()
    if not find_numbers(_QUOTED_NAME.sub("", truth)):  # `['April 2030', 'April 2032']`
        return ()
    values: list[list[Token]] = [[]]
    for segment in _segments(truth, numbers):
        is_complete = any(isinstance(token, Quantity) for token in values[-1])
        if is_complete and isinstance(segment[0], str):
            values.append([])
        values[-1] += segment
    if not any(isinstance(token, Quantity) for token in values[-1]):
        values[-2:] = [values[-2] + values[-1]]
    return tuple([Value(tuple(parts)) for parts in values])


def _is_pair(truth: str, numbers: Sequence[Quantity]) -> bool:
    if len(numbers) != 1 or writings(truth):
        return False
    leads = _PAIR.fullmatch(truth, 0, numbers[0].start)
    return leads is not None and _PAIR_ENDS.fullmatch(truth, numbers[0].end) is not None


def is_pair(values: Sequence[Value]) -> bool:
    """Whether values are one name with its number."""
    return len(values) == 1 and sum(isinstance(t, Quantity) for t in values[0].tokens) == 1


def distinct(values: Sequence[Value]) -> tuple[Value, ...]:
    """Values without the words that all their labels share: `mean` and `median` for `mean_close`
    and `median_close`. Empty if nothing is shared, or a label would have no words left."""
    labels = [{token for token in value.tokens if isinstance(token, str)} for value in values]
    shared = set.intersection(*labels) if len(labels) > 1 else set()
    if not shared or any(label <= shared for label in labels):
        return ()
    return tuple([Value(tuple([t for t in value.tokens if t not in shared])) for value in values])


def _is_bare_list(truth: str, numbers: Sequence[Quantity]) -> bool:
    """Whether a published answer is numbers with commas, semicolons or "and" between them, perhaps
    in brackets, and nothing else. Not `0,28`."""
    opening, closing = truth[: numbers[0].start].strip(), truth[numbers[-1].end :].strip()
    if opening + closing not in _BRACKETS:
        return False
    gaps = {truth[one.end : other.start] for one, other in pairwise(numbers)}
    is_tight = gaps == {_TIGHT_COMMA} and (len(numbers) > 2 or opening)
    is_range = len(numbers) == 2 and _TO.fullmatch(next(iter(gaps))) and not writings(truth)
    return bool(is_tight or is_range) or all(map(_BETWEEN.fullmatch, gaps))


def _has_named_parts(truth: str) -> bool:
    """Whether each of several parts has words and a number: `48 women (58%), 35 men (42%)`."""
    parts = _PARTS.split(truth.strip())
    return len(parts) > 1 and all(map(_NAMED_NUMBER.match, parts))


def _segments(truth: str, numbers: Sequence[Quantity]) -> Iterator[list[Token]]:
    """The parts of a published answer between commas, semicolons and line ends."""
    segment: list[Token] = []
    last = 0
    for token, start, end in read_tokens(truth, numbers):
        if segment and _SEPARATOR.search(truth, last, start):
            yield segment
            segment = []
        segment.append(token)
        last = end
    yield segment


def read_tokens(text: str, numbers: Sequence[Quantity]) -> Iterator[tuple[Token, int, int]]:
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
        if word not in _FILLERS or match[0] == "A":  # a name, as in A: 5, B: 7
            yield word, *match.span()
