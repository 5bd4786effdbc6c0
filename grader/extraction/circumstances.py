"""What a number is said to hold for, against what the question asks for: `12 in 2021 and 11 in
2022`, `the probability of at most three`, the row of 26 degrees in a table, `0.2 °C per decade`."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..numbers import Quantity
from ..text.keywords import STOP_WORDS, content_words
from .sides import is_of_side, lacks_asked, side_of

# Words that set apart what else is called the same -> one for all that mean it.
_BOUNDS = {
    "at most": "at most", "no more than": "at most", "not more than": "at most",
    "at least": "at least", "no fewer than": "at least", "no less than": "at least",
    "more than": "more", "greater than": "more", "less than": "less", "fewer than": "less",
    "exactly": "exactly", "both": "both", "neither": "neither",
}  # fmt: skip
_BOUND = re.compile(rf"\b(?:{'|'.join(_BOUNDS)})\b")
_BOUND_ENDS = ("than", "least", "most", "exactly", "both", "neither")
_YEAR = re.compile(r"(?<![\w.,])(?:19|20)[0-9]{2}(?!\w|[.,][0-9])")
_UNTIL = re.compile(r"\bfrom (?:19|20)[0-9]{2} to ((?:19|20)[0-9]{2})\b(?!,)")
_ASKS_FOR_CHANGE = re.compile(
    r"\b(?:grow|grew|chang|increas|rise|rose|fall|fell|declin|decreas|drop)"
)
_SENTENCE_END = re.compile(r"[.;!?]\s")
_CLAUSE = re.compile(r"[^.,;:\n0-9]*")
_ALL_CONDITIONS = re.compile(
    r"^[^.;\n0-9]{0,30}\b(?:both|all)\s(?:\w+\s)?(?:criteria|conditions)\b"
)
_IN_YEAR = re.compile(
    r"[%*_`)]{0,4}(?:\s[a-z]{2,15}){0,3}?\s"
    r"(?:(?:in|for|during|at the end of)\s(?:the\syear\s)?|\()((?:19|20)[0-9]{2})\b"
    r"(?!\s?(?:[-–→]|to\b|vs\b)\s?(?:19|20)[0-9]{2})"  # but not (2019 → 2020: +10.9%)
)
_VALUE = r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?"
_THRESHOLD = re.compile(
    r"\b(?:above|below|over|under|than|least|most|exceed(?:s|ed|ing)?|beyond)"
    rf"\s[$€£]?({_VALUE})"
)
# Above or below a value, in words or signs: "below 6.2", "≥ 6.2".
_LIMIT = re.compile(
    rf"(?:\b(?P<above_in_words>above|over|more than|at least|greater than|exceed(?:s|ing)?)\s"
    rf"|\b(?:below|under|less than|fewer than|at most|up to)\s"
    rf"|(?P<above>>=?|≥)\s?|(?:<=?|≤)\s?)[$€£]?(?P<value>{_VALUE})"
)
_WHOLE_VALUE = re.compile(rf"(?<![\w.,]){_VALUE}(?![0-9]|[.,][0-9])")
_OF_A_GROUP = re.compile(r"\b(?:with|among|aged|for|whose|if|when)\b[^,.;]{0,40}$")
_BETWEEN = re.compile(r"\b(?:between|from)\b")
_TIME = "(second|minute|hour|day|week|month|quarter|year|decade|century)"
_PER = re.compile(rf"\bper\s{_TIME}\b")
_RATE_AFTER = re.compile(
    rf"[%*_`)]{{0,4}}(?:\s[^\s.,;:()0-9]{{1,12}}){{0,2}}?\s(?:per|each|every|an?)\s{_TIME}\b"
)
_PER_THING = re.compile(  # points <per study hour>, minutes <for each additional degree>
    r"\b(?:per|(?:for )?(?:each|every))\s(?:(?:additional|extra|unit|one|single)\s)*"
    r"([a-z]{3,}(?:\s[a-z]{4,})?)"
)
_THING_AFTER = re.compile(
    r"[%*_`)]{0,4}(?:\s[^\s.,;:()0-9]{1,12}){0,4}?\s" + _PER_THING.pattern.removeprefix(r"\b")
)
_NUMBERED = re.compile(  # grade 8, k = 4
    r"\b([a-z]{3,}(?=\s[0-9])|[a-z](?=\s?=))\s?=?\s?([0-9]{1,3})\b(?![.,]?[0-9%])"
)
_NUMBERED_AFTER = re.compile(
    r"[%*_`)]{0,4}(?:\s[a-z]{2,12}){0,2}?\s(?:in|for|at|of|on|by|during)\s(?:the\s)?"
    r"([a-z]{3,}(?=\s[0-9])|[a-z](?=\s?=))\s?=?\s?([0-9]{1,3})\b"
)
_ASKS = re.compile(r"\b(?:what|how|which|calculate|compute|find|determine)\b")
_LEVEL = re.compile(
    r"\b([0-9]{2}(?:\.[0-9]+)?)\s?(?:%|percent)[\s-](?:\w+\s)?"
    r"(?:confidence|credible|prediction|interval|CIs?\b|ci\b)"
)
_DENIES = re.compile(r"\b(?:no|not|non|never|ignor\w+|lack\w*|origin|neither)\b|n['’]t\b")
_NEAR = 60


class Circumstances(NamedTuple):
    """What a question says of the number that it asks for.

    bounds: words like "at most"; year: the only one that it names; rates: the `decade` of "per
    decade"; things: the `study hour` of "per study hour"; numbered: the `grade` and `8` of "grade
    8"; numbers: its own, which may be labels of rows; threshold: the value of "above 20%"; limits:
    the 6.2 and False of "below 6.2"; words: those of the part that asks; further: those of its
    whole sentence; held_fixed: those that only name what is adjusted for; side: the `after` of
    "after removing outliers"; level: the 95 of "95% interval"; denies: says "no" or "not".
    """

    bounds: frozenset[str]
    year: str | None
    rates: frozenset[str]
    things: frozenset[str]
    numbered: frozenset[tuple[str, str]]
    numbers: frozenset[float]
    threshold: str | None
    limits: frozenset[tuple[float, bool]]
    words: frozenset[str]
    further: frozenset[str]
    held_fixed: frozenset[str]
    side: str | None
    level: str | None
    denies: bool


def circumstances_of(
    asked: str, numbers: tuple[Quantity, ...], held_fixed: frozenset[str] = frozenset()
) -> Circumstances:
    """The circumstances that a question, in lower case, names. held_fixed: as in `Question`."""
    asks = [match.start() for match in _ASKS.finditer(asked)]
    part = asked[asks[-1] if asks else 0 :]
    until = _UNTIL.findall(part) if _ASKS_FOR_CHANGE.search(asked) else []
    years = set(until or _YEAR.findall(part) or _YEAR.findall(asked))
    return Circumstances(
        _bounds_in(part),
        years.pop() if len(years) == 1 else None,
        frozenset(_PER.findall(asked)) if "per " in asked else frozenset(),
        frozenset(_PER_THING.findall(asked)),
        frozenset([found for found in _NUMBERED.findall(asked) if found[0] not in STOP_WORDS]),
        frozenset([number.value for number in numbers]),
        _threshold_of(asked),
        _limits_in(asked),
        content_words(part) if asks else frozenset(),
        content_words(_sentence_of(asked, asks[-1]) if asks else asked),
        held_fixed,
        side_of(part, _sentence_of(asked, asks[-1]) if asks else asked),
        _level_in(asked),
        _DENIES.search(asked) is not None,
    )


def _sentence_of(asked: str, start: int) -> str:
    """What a question says from the sentence on in which it asks: "Among members, what ..."."""
    ends = [end.end() for end in _SENTENCE_END.finditer(asked, 0, start)]
    return asked[ends[-1] if ends else 0 :]


def holds(asked: Circumstances, clause: str, after: str, rest: str) -> bool | None:
    """Whether a number is said to hold for what is asked for: True, False for something else, None
    where nothing is said of it. clause: what stands between the last number and this one; after:
    what stands behind it, near; rest: to the end of its sentence or block."""
    after = after.partition("\n")[0]
    if ("criteria" in after or "conditions" in after) and _ALL_CONDITIONS.search(after):
        return True
    if asked.side is None and not asked.denies and lacks_asked(asked.further, clause, after):
        return False
    said = (
        asked.numbered or asked.bounds or asked.year or asked.rates or asked.things
        or asked.threshold or asked.side or asked.level
    )  # fmt: skip
    if not said:
        return None
    found: list[bool] = []
    if asked.bounds:
        before = _SENTENCE_END.split(clause)[-1]
        beside = _CLAUSE.match(after)
        if bounds := _bounds_in(f"{before} {beside[0] if beside else ''}".lower()):
            found.append(not bounds.isdisjoint(asked.bounds))
    if asked.year and _year_of(clause, after) not in (None, asked.year):
        found.append(False)
    if asked.rates and (rate := _RATE_AFTER.match(after)):
        found.append(rate[1] in asked.rates)
    elif asked.things and (thing := _THING_AFTER.match(after)) and thing[1] in asked.things:
        found.append(True)
    if asked.numbered and (named := _numbered_near(clause, after)):
        if named in asked.numbered:
            found.append(True)
        elif any(named[0] == name for name, _ in asked.numbered):
            found.append(False)
    if asked.threshold and (place := _place_of(asked.threshold, after)) is not None:
        found.append(_BETWEEN.search(after, 0, place) is None)
    if asked.level and _level_in(_SENTENCE_END.split(clause)[-1]) not in (None, asked.level):
        found.append(False)
    if (
        asked.side
        and (side := is_of_side(asked.side, _SENTENCE_END.split(clause)[-1], rest)) is not None
    ):
        found.append(side)
    return all(found) if found else None


def _numbered_near(clause: str, after: str) -> tuple[str, str] | None:
    """The `grade` and `8` that a number is said to be of: right behind it, else the last before
    it."""
    if behind := _NUMBERED_AFTER.match(after):
        return behind[1], behind[2]
    named = _NUMBERED.findall(_SENTENCE_END.split(clause)[-1].lower())
    return named[-1] if named else None


def is_beyond_limits(asked: Circumstances, label: str) -> bool:
    """Whether a heading or label names the other side of a limit: `Less acidic plots (pH ≥ 6.2)`
    for "plots with a pH below 6.2"."""
    if not asked.limits:
        return False
    named = _limits_in(label.lower())
    return any((value, not is_above) in named for value, is_above in asked.limits - named)


def _limits_in(text: str) -> frozenset[tuple[float, bool]]:
    """The values that a text, in lower case, names as limits, and whether it means above them."""
    return frozenset(
        [
            (
                float(found["value"].replace(",", "")),
                bool(found["above"] or found["above_in_words"]),
            )
            for found in _LIMIT.finditer(text)
        ]
    )


def _threshold_of(asked: str) -> str | None:
    """The value of "have a rate above 20%"; None for several values or none, and for one that says
    which group is meant: "among patients over 65"."""
    values = {
        found[1]
        for found in _THRESHOLD.finditer(asked)
        if _OF_A_GROUP.search(asked, max(0, found.start() - _NEAR), found.start()) is None
    }
    return values.pop() if len(values) == 1 else None


def _place_of(value: str, text: str) -> int | None:
    """Where a number stands in a text, as no part of another number or of a word."""
    places = (number.start() for number in _WHOLE_VALUE.finditer(text) if number[0] == value)
    return next(places, None)


def _level_in(text: str) -> str | None:
    """The last confidence level that a text names."""
    levels = _LEVEL.findall(text) if "%" in text or "percent" in text else []
    return levels[-1] if levels else None


def _bounds_in(text: str) -> frozenset[str]:
    if not any(end in text for end in _BOUND_ENDS):
        return frozenset()
    return frozenset([_BOUNDS[bound] for bound in _BOUND.findall(text)])


def _year_of(clause: str, after: str) -> str | None:
    """The year that a number is of: the one behind it, else the last before it, unless that belongs
    to the number before."""
    if year := year_behind(after):
        return year
    own = _IN_YEAR.match(clause)
    years = _YEAR.findall(clause, own.end() if own else 0)
    return years[-1] if years else None


def year_behind(after: str) -> str | None:
    """The year that a number is said to be of right behind it: `0.57 in 2022`."""
    follows = _IN_YEAR.match(after)
    return follows[1] if follows else None
