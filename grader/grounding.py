"""Whether a text holds a value: as written, rounded, as a percentage or in another scale.

A language model may name a number that is nowhere in what it read. A lenient pass counts only
if the agent's own output holds the value.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate
from typing import Literal, get_args

from .numbers import Quantity, find_numbers
from .text.sentences import sentences
from .tolerance import pairs

Form = Literal["as_written", "rounded", "percent_form", "scale_form"]  # the strongest first
Grounding = Literal[Form, "wording", "quote"]
OCCURRENCES, MARGIN = 20, 40
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"\w+")
_ENDS = " .!?…:;,\"'"
# Words that may turn what a sentence says.
_TURNS = re.compile(
    r"n't\b|\b(?:not?|never|neither|nor|none|cannot|without|false|untrue|wrong|incorrect|invalid"
    r"|unlikely|doubt\w*|whether|if|unless|would|should|might|may|could|suppos\w+|assum\w+)\b"
)
_MARKUP = str.maketrans(dict.fromkeys("*_`#>|", "") | {"’": "'", "“": '"', "”": '"'})


def ground_number(value: Quantity, text: str) -> Grounding | None:
    """The strongest form in which `text` holds `value`; None if it does not.

    rounded: a number in the text becomes `value` when rounded to the digits `value` has.
    percent_form: the same, between a proportion and a percentage that carries its sign.
    scale_form: the same, between a number in full and one with a scale, or between two scales.
    """
    units = _units(value)
    if _stands_in(value, units, text):
        return "as_written"
    numbers = [*find_numbers(text), *find_numbers(text, spaced=True)]
    found = {_form_of(value, units, number) for number in numbers}
    return next((form for form in get_args(Form) if form in found), None)


def ground_wording(wording: str, text: str) -> Grounding | None:
    """`wording` if the text holds these words, whatever their case and spacing."""
    needle = _SPACE.sub(" ", wording).strip(" .*`\"'").casefold()
    if not needle:
        return None
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, needle.split(" "))) + r"(?!\w)"
    return "wording" if re.search(pattern, text.casefold()) else None


def quoted_sentence(quote: str, text: str) -> str | None:
    """The sentences of a text that a quote gives, whatever their spacing and markup; None if it
    gives less than half of one, or leaves out words that may turn what it says ("It is not true
    that ...")."""
    said = [unmarked(text[start:end]) for start, end in sentences(text)]
    starts = list(accumulate((len(sentence) + 1 for sentence in said), initial=0))
    joined, needle = " ".join(said), unmarked(quote).strip(_ENDS)
    for found in re.finditer(rf"(?<!\w){re.escape(needle)}(?!\w)", joined) if needle else ():
        first = starts[bisect_right(starts, found.start()) - 1]
        last = starts[bisect_right(starts, found.end() - 1)] - 1
        rest = f"{joined[first : found.start()]} {joined[found.end() : last]}"
        is_most = len(_WORD.findall(needle)) >= len(_WORD.findall(rest))
        if is_most and not _TURNS.search(rest):
            return joined[first:last]
    return None


def unmarked(text: str) -> str:
    """A text without markup, its quotation marks straight, its spacing single, in lower case."""
    return _SPACE.sub(" ", text.translate(_MARKUP)).strip().casefold()


def _stands_in(value: Quantity, units: Mapping[float, float], text: str) -> bool:
    """True if `text` holds this exact literal as a number of its own. Only its first occurrences
    are examined, so that a flood of numbers costs nothing."""
    found = text.find(value.text)
    for _ in range(OCCURRENCES):
        if found < 0:
            return False
        start = max(0, found - MARGIN)
        for number in find_numbers(text[start : found + len(value.text) + MARGIN]):
            is_here = number.start <= found - start < number.end
            if is_here and _form_of(value, units, number) == "as_written":
                return True
        found = text.find(value.text, found + 1)
    return False


def _form_of(value: Quantity, units: Mapping[float, float], number: Quantity) -> Form | None:
    """The form in which a number of a text equals `value`; None if it does not. units: `_units` of
    `value`."""
    for x, y in pairs(number, value):
        is_equal = _equal(x, y)
        if is_equal or _rounds_to(x, y, units[y]):
            if (x, y) != (number.value, value.value):
                return "percent_form" if number.is_percent or value.is_percent else "scale_form"
            return "as_written" if is_equal else "rounded"
    return None


def _units(value: Quantity) -> dict[float, float]:
    """Each reading of a value, and the weight of its last digit in it: 0.1 and 0.001 for `28.5%`,
    which is 28.5 and 0.285."""
    last_digit = value._replace(value=_last_digit(value))
    return dict(zip(value.readings(), last_digit.readings(), strict=True))


def _last_digit(value: Quantity) -> float:
    """The weight of the last digit written: 0.01 for `0.28`, 1e-10 for `2.67e-08`, 0 for a
    fraction, which has none."""
    if value.is_fraction:
        return 0.0
    exponent = 0
    written = _mantissa(value.text)
    if value.value and written:
        exponent = round(math.log10(abs(value.value) / written))
    return 10.0 ** (exponent - value.decimals)


def _mantissa(text: str) -> float | None:
    match = re.search(r"[0-9][0-9,'’\s]*(?:\.[0-9]+)?|\.[0-9]+", text)
    if match is None:
        return None
    return float(re.sub(r"[^0-9.]", "", match[0])) or None


def _equal(number: float, value: float) -> bool:
    return math.isclose(number, value, rel_tol=1e-9, abs_tol=1e-300)


def _rounds_to(number: float, value: float, unit: float) -> bool:
    """True if `number`, rounded to a multiple of `unit`, is `value`. At least one digit of the
    number must survive, else 0.3 would ground a bare 0; from the second decimal on, a zero may
    stand for a small number (0.0004 is 0.00)."""
    if abs(number - value) > 0.5 * unit * (1 + 1e-9):
        return False
    if value == 0:
        return unit <= 0.01
    return abs(number) >= unit * (1 - 1e-9)
