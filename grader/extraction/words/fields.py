"""Answers that name their values, in the form that DAEval asks for: `@mean_fare[34.65]`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from ...settings import GradeSettings
from ...truth import published_number
from .given_values import find_values, is_same
from .values import published_values

_FIELD = re.compile(
    r"""
    (?<! [\w.] ) @ (\w{1,60}) \[
    ( (?: [^\[\]\n] | \[ [^\[\]\n]{0,300} \] ){0,500} ) \]     # @mean_fare[34.65], or @both[[3, 4]]
    """,
    re.VERBOSE,
)
_SEPARATOR = re.compile(r"[,;\s]*")
_PAIR = re.compile(
    r"""
    \[ \s* (?: ' (\w{1,60}) ' | " (\w{1,60}) " ) \s* , \s*
    (?: ' ([^'\n]*) ' | " ([^"\n]*) " | ([^\s'"\[\],]+) ) \s* \]        # ["mean_fare", "34.65"]
    """,
    re.VERBOSE,
)
_LIST_OF_PAIRS = re.compile(r"\[[,\s]*\]")
_SIGN = re.compile(r"(?<!\w)[-−+<>≤≥?]")
_SIGNS = re.compile(r"[\W_]+")


class NamedValue(NamedTuple):
    """A named value. span: where it stands in its text."""

    name: str
    value: str
    span: tuple[int, int]


@lru_cache(maxsize=1024)
def published_fields(truth: str) -> tuple[NamedValue, ...]:
    """The named values of a published answer, `@mean[4] @trend[linear]` or `[["mean", "4"], ...]`;
    empty for anything else."""
    if "@" in truth and _SEPARATOR.fullmatch(_FIELD.sub("", truth)):
        return tuple(_read(_FIELD, truth))
    return tuple(_read(_PAIR, truth)) if _LIST_OF_PAIRS.fullmatch(_PAIR.sub("", truth)) else ()


def find_fields(text: str, truth: str, settings: GradeSettings) -> tuple[int, int] | None:
    """The start and end of the fields of a text, if it has every published one with its value, in
    any order; where a name occurs more often than in the published answer, the last ones count."""
    wanted, given = _by_name(published_fields(truth)), _by_name(_read(_FIELD, text))
    spans = []
    for name, published in wanted.items():
        said = given[name][-len(published) :]
        pairs = zip_longest((one.value for one in said), (one.value for one in published))
        if not all(one is not None and _is_same(one, other, settings) for one, other in pairs):
            return None
        spans += [one.span for one in said]
    return min(spans)[0], max(spans)[1]


def _read(pattern: re.Pattern[str], text: str) -> Iterator[NamedValue]:
    for match in pattern.finditer(text):
        name, *value = [part for part in match.groups() if part]
        yield NamedValue(name.lower(), "".join(value), match.span())


def _by_name(fields: Iterable[NamedValue]) -> Mapping[str, list[NamedValue]]:
    found = defaultdict[str, list[NamedValue]](list)
    for field in fields:
        found[field.name].append(field)
    return found


def _is_same(given: str, published: str, settings: GradeSettings) -> bool:
    """Whether two values are the same number, list of numbers (in its order) or words."""
    if wanted := published_number(published):
        number = published_number(given)
        return number is not None and is_same(number, wanted, settings)
    if published_values(published):
        return find_values(given, published, settings, in_order=True) is not None
    return _plain(given) == _plain(published)


def _plain(words: str) -> tuple[str, str]:
    """The sign that words begin with (`<0.001`, `+`), and the words without other signs."""
    sign = _SIGN.match(words)
    return sign[0] if sign else "", _SIGNS.sub(" ", words.lower()).strip()
