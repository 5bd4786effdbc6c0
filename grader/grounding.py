"""Does a value stand in a text: as written, up to rounding, or in percent form?

A language model may name a number that is nowhere in what it read. A lenient pass counts only
if the agent's own output holds the value.
"""

from __future__ import annotations

import math
import re
from typing import Literal

from .numbers import Quantity, find_numbers

Grounding = Literal["as_written", "rounded", "percent_form", "wording"]
OCCURRENCES, MARGIN = 20, 40
_SPACE = re.compile(r"\s+")


def ground_number(value: Quantity, text: str) -> Grounding | None:
    """How `text` holds `value`, the strongest way; None if it does not.

    rounded: a number in the text becomes `value` when rounded to the digits `value` has.
    percent_form: the same, between a proportion and a percentage that carries its sign.
    """
    if _stands_in(value, text):
        return "as_written"
    unit = _last_digit(value)
    numbers = [*find_numbers(text), *find_numbers(text, spaced=True)]
    if any(_equal(number.value, value.value) for number in numbers):
        return "as_written"
    if any(_rounds_to(number.value, value.value, unit) for number in numbers):
        return "rounded"
    if value.is_percent:
        scaled = [number.value * 100 for number in numbers if not number.is_percent]
    else:
        scaled = [number.value / 100 for number in numbers if number.is_percent]
    if any(_equal(n, value.value) or _rounds_to(n, value.value, unit) for n in scaled):
        return "percent_form"
    return None


def ground_wording(wording: str, text: str) -> Grounding | None:
    """`wording` if the text holds these words, whatever their case and spacing."""
    needle = _SPACE.sub(" ", wording).strip(" .*`\"'").casefold()
    if not needle:
        return None
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, needle.split(" "))) + r"(?!\w)"
    return "wording" if re.search(pattern, text.casefold()) else None


def _stands_in(value: Quantity, text: str) -> bool:
    """True if the very literal stands in `text` as a number of its own: looks around its first
    occurrences only, so that a flood of numbers costs nothing."""
    found = text.find(value.text)
    for _ in range(OCCURRENCES):
        if found < 0:
            return False
        around = text[max(0, found - MARGIN) : found + len(value.text) + MARGIN]
        if any(_equal(number.value, value.value) for number in find_numbers(around)):
            return True
        found = text.find(value.text, found + 1)
    return False


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
