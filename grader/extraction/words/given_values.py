"""Where a text gives all of several published values: each with its label, a list in its order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import repeat
from operator import attrgetter

from ...numbers import Quantity, find_numbers
from ...settings import GradeSettings
from ...tolerance import matches, same_value
from .values import Token, Value, distinct, is_pair, published_values, read_tokens

# What stands between the numbers of one list: `4, 6 and 9`, `4 to 6`, bullets.
_IN_ROW = re.compile(
    r"""
    [\s*_`\"']{0,9}
    (?: [,;] | \n \s*+ (?: [-*•] \s | \d{1,2} [.)] )? | \b and \b | [–—-] | \b to \b
      | ± | \+/[-−] )
    (?: \s*+ and \b )?
    [\s*_`\"']{0,9}
    """,
    re.VERBOSE,
)
# The same with a label: `Q1 = 4, Q2 = 6`, `mean 4 and median 6`.
_TO_LABELLED = re.compile(
    r"""
    [\s*_`%]{0,9} (?: [,;\n] | \b and \b ) \s* (?: and \s )? (?: [-*•] \s )? [*_`]{0,3}
    (?: the \s )? [^\W\d] [\w-]* (?: [ ] [^\W\d] [\w-]* ){0,2}
    [*_`]{0,3} \s? (?: [:=] | \b (?: is | was | are | were ) \b )? [\s*_`]{0,3}
    """,
    re.VERBOSE,
)
_DENIALS = frozenset({"no", "not", "instead"})
_NAMES_OF_ENDS = (("lower", "upper"), ("low", "high"))
_FURTHEST = 8  # words that may stand between a label and its value
_NEAR_LABEL = 3  # words that may stand between a label and another number that is its value


def find_values(
    text: str, truth: str, settings: GradeSettings, in_order: bool = False
) -> tuple[int, int] | None:
    """The start and end of the part of a text that gives all of several published values; None if
    it does not, or if these are not several. A text gives them if it has the words and numbers of
    the published answer in their order and later no other number for a label. Else it gives a value
    by the words of its label in order and then its number, with at most a few other words between,
    no other number and no denial.

    in_order: a list of three or more numbers counts in the published order only. One of two always
    does, as the ends of an interval or the values of two groups, and one that repeats a number.
    """
    values = published_values(truth)
    if not values:
        return None
    found = list(read_tokens(text, find_numbers(text, spaced=True)))
    if is_pair(values) and not _is_only_number(found, values[0]):
        return None
    if len(values) == 1 and not any(isinstance(token, str) for token in values[0].tokens):
        return _find_list(text, found, values[0], settings, in_order) or _find_ends(
            found, values[0], settings
        )
    said = [token for token, _, _ in found]
    places = (
        _find_as_published(said, values, settings)
        or _find_each(said, values, settings)
        or _find_each(said, distinct(values), settings)
    )
    return (found[places[0]][1], found[places[1]][2]) if places else None


def _is_only_number(found: Iterable[tuple[Token, int, int]], value: Value) -> bool:
    """Whether a text gives no other number than that of a value: else it may be of something
    else."""
    wanted = value.tokens[-1]
    numbers = [token for token, *_ in found if isinstance(token, Quantity)]
    return all(same_value(number, wanted) for number in numbers if isinstance(wanted, Quantity))


def _find_list(
    text: str,
    found: Sequence[tuple[Token, int, int]],
    value: Value,
    settings: GradeSettings,
    in_order: bool,
) -> tuple[int, int] | None:
    """Where a text gives these numbers as a list of their own, or else as a row of numbers with
    labels, in their order; None if it gives another list as long."""
    wanted = [token for token in value.tokens if isinstance(token, Quantity)]
    in_order = in_order or len(wanted) == 2 or len({one.value for one in wanted}) < len(wanted)
    for gaps in ((_IN_ROW,), (_IN_ROW, _TO_LABELLED)):
        alike = [row for row in _rows(text, found, gaps) if len(row) == len(wanted)]
        if alike:
            lists = [[one for one, *_ in row] for row in alike]
            is_given = all(_is_list(one, wanted, settings, in_order) for one in lists)
            return (alike[-1][0][1], alike[-1][-1][2]) if is_given else None
        in_order = True
    return None


def _find_ends(
    found: Sequence[tuple[Token, int, int]], value: Value, settings: GradeSettings
) -> tuple[int, int] | None:
    """Where a text gives two numbers by the names of an interval's ends: `lower`, `upper`."""
    if len(value.tokens) != 2:
        return None
    said = [token for token, _, _ in found]
    for names in _NAMES_OF_ENDS:
        ends = [Value((name, number)) for name, number in zip(names, value.tokens, strict=True)]
        if places := _find_each(said, ends, settings):
            return found[places[0]][1], found[places[1]][2]
    return None


def _rows(
    text: str, found: Iterable[tuple[Token, int, int]], gaps: Sequence[re.Pattern[str]]
) -> list[list[tuple[Quantity, int, int]]]:
    """The numbers of a text in rows: those that only such gaps divide."""
    rows: list[list[tuple[Quantity, int, int]]] = []
    last = -1
    for token, start, end in found:
        if isinstance(token, Quantity):
            if last >= 0 and any(gap.fullmatch(text, last, start) for gap in gaps):
                rows[-1].append((token, start, end))
            else:
                rows.append([(token, start, end)])
            last = end
    return rows


def _is_list(
    said: Sequence[Quantity], wanted: Sequence[Quantity], settings: GradeSettings, in_order: bool
) -> bool:
    """Whether numbers are the published ones, as many, in their order or in any. Where all of them
    are whole, so must be the given ones, if only as programs print them: `12.0`."""
    if all(map(_is_count, wanted)):
        if not all(map(_is_whole, said)):
            return False
        said = [number._replace(is_integer=True) for number in said]
    if all(map(is_same, said, wanted, repeat(settings))):
        return True
    by_size = attrgetter("value")
    said, wanted = sorted(said, key=by_size), sorted(wanted, key=by_size)
    return not in_order and all(map(is_same, said, wanted, repeat(settings)))


def _find_as_published(
    said: Sequence[Token], values: Sequence[Value], settings: GradeSettings
) -> tuple[int, int] | None:
    """The first and last place of the published words and numbers where the tokens last have these
    words in a row, with numbers in the same places; None if one of the numbers is another, or if
    a label has a number later that is not published."""
    wanted = [token for value in values for token in value.tokens]
    starts = reversed(range(len(said) - len(wanted) + 1))
    start = next((place for place in starts if _is_alike(said, place, wanted)), None)
    if start is None:
        return None
    end = start + len(wanted)
    if not all(is_same(said[start + n], token, settings) for n, token in enumerate(wanted)):
        return None
    if any(_is_restated(said, end, value, wanted, settings) for value in values):
        return None
    for value in values:
        for _, last in _mentions(said, end, value, values, settings):
            if not any(is_same(said[last], token, settings) for token in wanted):
                return None
    return start, end - 1


def _is_restated(
    said: Sequence[Token],
    since: int,
    value: Value,
    wanted: Sequence[Token],
    settings: GradeSettings,
) -> bool:
    """Whether the words after the number that a value begins with (`48 women`) stand, from a place
    on, behind a number that is not published."""
    first, *rest = value.tokens
    words = rest[: next((n for n, one in enumerate(rest) if isinstance(one, Quantity)), len(rest))]
    if not isinstance(first, Quantity) or not words:
        return False
    return any(
        isinstance(said[place], Quantity)
        and list(said[place + 1 : place + 1 + len(words)]) == words
        and not any(is_same(said[place], token, settings) for token in wanted)
        for place in range(since, len(said) - len(words))
    )


def _is_alike(said: Sequence[Token], start: int, wanted: Sequence[Token]) -> bool:
    """Whether tokens from a place on have the words that are wanted, and numbers for numbers."""
    return all(
        isinstance(said[start + n], Quantity) if isinstance(token, Quantity)
        else said[start + n] == token
        for n, token in enumerate(wanted)
    )  # fmt: skip


def _find_each(
    said: Sequence[Token], values: Sequence[Value], settings: GradeSettings
) -> tuple[int, int] | None:
    """The first and last place of the values; None unless the right number follows each label
    where the tokens last give it one."""
    if not values or any(isinstance(value.tokens[0], Quantity) for value in values):
        return None  # a number that begins a value is found only where it is right
    places: list[int] = []
    for value in values:
        mentions = list(_mentions(said, 0, value, values, settings))
        if not mentions or not is_same(said[mentions[-1][1]], value.tokens[-1], settings):
            return None
        places += mentions[-1]
    return min(places), max(places)


def _mentions(
    said: Sequence[Token],
    since: int,
    value: Value,
    values: Sequence[Value],
    settings: GradeSettings,
) -> Iterator[tuple[int, int]]:
    """The places, from one on, where the label of a value begins and has a number, each with the
    place of that number."""
    first = value.tokens[0]
    others = {other.tokens[0] for other in values if isinstance(other.tokens[0], str)} - {first}
    for place in range(since, len(said)):
        if is_same(said[place], first, settings):
            end = _value_end(said, place, value, others, settings)
            if end is not None:
                yield place, end


def _value_end(
    said: Sequence[Token],
    place: int,
    value: Value,
    others: Set[Token],
    settings: GradeSettings,
) -> int | None:
    """The place where the tokens of a value that follow one another from a place on end, or of
    another number where the last one is wanted; None if the label has no number here. others: the
    labels of other values, which end this one."""
    for wanted in value.tokens:
        for skipped in range(_FURTHEST + 1):
            token = said[place] if place < len(said) else None
            place += 1
            if token is not None and is_same(token, wanted, settings):
                break
            if isinstance(token, Quantity):
                is_its_value = wanted is value.tokens[-1] and skipped <= _NEAR_LABEL
                return place - 1 if is_its_value else None
            if token is None or token in _DENIALS or token in others or skipped == _FURTHEST:
                return None
    return place - 1


def is_same(token: Token, wanted: Token, settings: GradeSettings) -> bool:
    """Whether tokens are the same word or number: whole numbers (counts, years, identifiers) the
    very same, others within tolerance, of two fractions both parts."""
    if not (isinstance(token, Quantity) and isinstance(wanted, Quantity)):
        return token == wanted
    if _is_count(token) and _is_count(wanted):
        return token.value == wanted.value
    if token.is_fraction and wanted.is_fraction:
        return all(map(matches, _parts(token), _parts(wanted), repeat(settings)))
    return matches(token, wanted, settings)


def _is_count(number: Quantity) -> bool:
    return number.is_integer and not number.is_percent and number.scale == 1


def _is_whole(number: Quantity) -> bool:
    """Whether a number is a count, or one as programs print it: `12.0`."""
    if number.decimals and number.text.rstrip("0").endswith("."):
        number = number._replace(is_integer=True)
    return _is_count(number)


def _parts(fraction: Quantity) -> list[Quantity]:
    return find_numbers(fraction.text.replace("/", "; "))
