"""Number literals: finding them in text, and reading one on its own.

Read: signs and the Unicode minus, thousands separators (comma, apostrophe, thin, no-break
and, on request, normal spaces), scientific notation (`1.2e-04`, `1.2×10⁻⁴`, `10^-4`),
percent, per mille, currency (`$5`, `US$5`, `CHF 5`), fractions (`46/150`, `\\frac{3}{8}`, `3½`),
ratios to one (`2.5:1`), LaTeX escapes, `np.float64(0.2)`.
Never read: digits inside words, identifiers, ordinals, dates, times, versions, file names,
paths, URLs; `nan` and `inf`; anything that overflows a float.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

import regex

from .number_edges import clear_right, is_bounded, left_edge, may_change, scale_behind
from .number_forms import Mixed, rewrite


class Quantity(NamedTuple):
    """A number as it was written.

    `value` is the number before any percent sign is applied: `12%` is 12.0, `is_percent`.
    `decimals` is how many digits stand after the point (of the mantissa); `start` and `end`
    are offsets in the searched text and include sign, currency and percent sign.
    `bounded` says that the number is one side of an inequality, as in `p < 0.001`; `scale` is
    1e9 for `$320.6 billion`, and 1e8 for `244.3 × 10⁸ m³`, where the power is part of the unit.
    `scale_word` is ` billion`, which stands in the text right behind `end`.
    """

    value: float
    is_percent: bool = False
    text: str = ""
    start: int = 0
    end: int = 0
    decimals: int = 0
    is_integer: bool = False
    is_fraction: bool = False
    bounded: bool = False
    scale: float = 1.0
    scale_word: str = ""

    @property
    def written(self) -> str:
        """All of it, as it stands in the text: `$320.6 billion`."""
        return self.text + self.scale_word

    def readings(self) -> tuple[float, ...]:
        """The values it may stand for: `12%` is read as 12 and as 0.12, `3 million` as 3 (where
        millions are the unit) and as 3,000,000."""
        if self.is_percent:
            return (self.value, self.value / 100)
        return (self.value,) if self.scale == 1.0 else (self.value, self.value * self.scale)


_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−–", "0123456789-+--")
_GROUP_SPACES = "\u2009\u202f\u00a0"

_NOT_A_NUMBER = r"""
    (?P<skip>
        [0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}(?:[T ][0-9:.]+)?   # 2026-06-11 02:34
      | [0-9]{1,2}[/.-][0-9]{1,2}[/.-][0-9]{4}                    # 11/06/2026
      | [0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?            # 02:34:22
      | [0-9]+(?:\.[0-9]+){2,}                                    # 3.11.7
      | [0-9]+(?:-[0-9]+){3,}                                     # 978-3-16-148410-0
    )
"""
_POWER = (
    r"(?: (?:\^|\*\*) (?: \{?[-+−–]?[0-9]{1,4}\}? | \([-+−–]?[0-9]{1,4}\) )"
    r" | [⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4} )"
)
_EXPONENT = rf"""
      (?: [eE][-+−–]?[0-9]{{1,5}} | \s[eE][-+−–][0-9]{{2,3}} ) (?![0-9A-Za-z]|_{{1,3}}[0-9A-Za-z])
    | \s?(?:[×x*·⋅]|\\times|\\cdot)\s?(?:\\,)?10
        (?: {_POWER} | [-−–][0-9]{{1,2}} (?![0-9A-Za-z]|[.,][0-9]|\s?[-+*/=≈×]) )  # 10-5
"""
_FRACTION = r"[^\S\n]?/[^\S\n]?[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?![0-9]*/[0-9])"
_TO_ONE = r":1(?![\w:]|\.[0-9])"  # 2.857:1
_SLICING = ("[", ":", ",")  # x[3:1], file.py:3:1
_GAP = r"(?:[\s~]|\\[,;:!\ ])?"  # a blank, or one of LaTeX's
_PERCENT = (
    rf"{_GAP}\\?[%％]|\s(?:percentage\spoints?|per\s?cent|percent|pct)\b|\s?pp\b"
    r"|\s(?:Prozent(?:punkten?)?|pour\scent|por\sciento|puntos\sporcentuales)\b"
    rf"|{_GAP}\\(?:text|textrm|mathrm)\{{\s?(?:\\?%|per\s?cent|percent)\s?\}}"
)


def _compile(group_separators: str) -> re.Pattern[str]:
    # `plain` is what most literals are, digits with nothing behind that could belong to them; what
    # is tried after it would read them too.
    return re.compile(
        rf"""
          (?P<plain> [0-9]++ (?: (?P<places>\.[0-9]++) | )
              (?= \Z | [)\]}}|;?!"] | [,'](?![0-9\\]) | \.(?!\S)
                | (?![{group_separators}][0-9]) \s (?![×x*·⋅\\/%％‰pPtmbTMBeE]) ) )
        | {_NOT_A_NUMBER}
        | (?P<ten> 10 {_POWER} )
        | (?P<whole> [1-9][0-9]{{0,2}}+
                     (?:(?:[{group_separators}]|\{{,\}}|,?\\!|\\,)[0-9]{{3}})+(?![0-9])
                   | [0-9]+ | (?=\.[0-9]) )
          (?P<decimals> \.[0-9]+ )?
          (?P<exponent> {_EXPONENT} )?
          (?P<fraction> (?(decimals) (?=/) ) {_FRACTION} )?     # not: 0.25 / 0.24
          (?P<percent> (?=[\s~\\%％p]) (?:{_PERCENT}) )?
          (?P<to_one> {_TO_ONE} )?
        """,
        re.VERBOSE,
    )


_TIGHT = _compile(f",'’_{_GROUP_SPACES}")
_SPACED = _compile(f",'’_ {_GROUP_SPACES}")
_PERCENT_SIGN = re.compile(_PERCENT)
# `regex` is five times faster than `re` at skipping what is no digit.
_DIGITS = regex.compile(r"[0-9]+(?:\.[0-9]+|)")
_EXPONENT_DIGITS = re.compile(r"[-+]?[0-9]+$")
_SEPARATORS = str.maketrans("", "", ",'’_ {}\\!" + _GROUP_SPACES)


def find_numbers(text: str, *, spaced: bool = False) -> list[Quantity]:
    """Every number in `text`, in order.

    spaced: also read `3 385` (normal space between groups of three) as one number; right in
    prose, wrong in columns of figures.
    """
    as_written = text
    text, fractions, mixed = rewrite(text, spaced)
    pattern = _SPACED if spaced else _TIGHT
    found: list[Quantity] = []
    position = 0
    for digits in _DIGITS.finditer(text):
        start, end = digits.span()
        if position >= start:
            start = position
        elif text[start - 1] == "." and not text.endswith("Rs", 0, start - 1):
            start -= 1
        while start < end:  # a literal may end amid digits: 10^12345
            match = pattern.match(text, start)
            assert match  # a digit begins there, or a point and a digit
            number = _read(text, match)
            if number is not None:
                whole = fractions.get(start) if fractions else None
                found.append(number._replace(end=whole) if whole else number)
            start = position = match.end()
    if text is not as_written:
        found = [_as_written(number, as_written) for number in found]
    if mixed:
        found = sorted([*found, *_read_mixed(as_written, mixed)], key=attrgetter("start"))
    return found


def _as_written(number: Quantity, text: str) -> Quantity:
    """A number found in a rewritten text with its own writing: `0,05`; LaTeX's fractions as
    `3/8`."""
    written = text[number.start : number.end]
    return number if "frac" in written else number._replace(text=written)


@lru_cache(maxsize=4096)
def parse_number(text: str) -> Quantity | None:
    """Read a string that is one number and nothing else (`0.20`, `5.36%`, `−0.026`, `$1,691`,
    `1.5 million`, `\\boxed{17.0\\%}`); None for anything else."""
    bare = _unwrap(text)
    numbers = find_numbers(bare, spaced=True)
    if len(numbers) != 1 or numbers[0].bounded:
        return None
    number = numbers[0]
    rest = bare[number.end + len(number.scale_word) :]
    return number if number.start == 0 and rest.strip() in ("", ".") else None


def _unwrap(text: str) -> str:
    bare = text.strip()
    for _ in range(4):
        before = bare
        bare = bare.strip("*`\"' \n\t")
        if bare.startswith("$") and bare.endswith("$") and len(bare) > 1:
            bare = bare.strip("$")
        if bare.startswith("\\boxed{") and bare.endswith("}"):
            bare = bare[7:-1]
        bare = bare.removeprefix("≈").removeprefix("=").removeprefix("~").strip()
        if bare == before:
            break
    return bare


def _read_mixed(text: str, mixed: list[Mixed]) -> Iterator[Quantity]:
    for place, end, size in mixed:
        start, negative = left_edge(text, place) if place else (0, False)
        if start >= 0:
            percent = _PERCENT_SIGN.match(text, end)
            end = percent.end() if percent else end
            value = -size if negative else size
            written = text[start:end]
            yield Quantity(value, percent is not None, written, start, end, is_fraction=True)


def _read(text: str, match: re.Match[str]) -> Quantity | None:
    start, end = match.span()
    plain, places, skip, ten, whole, decimals, exponent, fraction, percent, to_one = match.groups()
    decimals = decimals or places
    exponent = exponent and exponent.lstrip()
    if plain is None:
        if skip:
            return None
        if percent is None and end < len(text) and not clear_right(text, end, decimals is not None):
            return None
        if to_one and ((whole == "0" and not decimals) or text[start - 1 : start] in _SLICING):
            return None
    negative = bounded = False
    if may_change(text, start):
        start, negative = left_edge(text, start)
        if start < 0:
            return None
        bounded = is_bounded(text, start)
    value = float(plain) if plain else _value(ten, whole or "", decimals or "", exponent, fraction)
    if value is None or not math.isfinite(value):
        return None
    scale, scale_word = (1.0, "") if plain else scale_behind(text, start, end)
    if exponent and exponent[0] not in "eE" and whole and len(whole) > 1:
        scale, scale_word = _power_of_ten(exponent[exponent.index("10") + 2 :]) or 1.0, ""
        value /= scale
    return Quantity(
        -value if negative else value,
        percent is not None,
        text[start:end],
        start,
        end,
        len(decimals) - 1 if decimals else 0,
        not (decimals or exponent or fraction or ten),
        fraction is not None,
        bounded,
        scale,
        scale_word,
    )


def _value(
    ten: str | None, whole: str, decimals: str, exponent: str | None, fraction: str | None
) -> float | None:
    """The value of the parts of a literal; None if it overflows or divides by zero."""
    if ten:
        return _power_of_ten(ten[2:])
    mantissa = (whole if whole.isdigit() else whole.translate(_SEPARATORS) or "0") + decimals
    value = float(mantissa)
    if exponent:
        if exponent[0] in "eE":
            return float(mantissa + exponent.translate(_SUPERSCRIPT))
        scale = _power_of_ten(exponent[exponent.index("10") + 2 :])
        return None if scale is None else value * scale
    if fraction:
        divisor = float(fraction.strip()[1:].strip().replace(",", ""))
        return value / divisor if divisor else None
    return value


def _power_of_ten(written: str) -> float | None:
    digits = _EXPONENT_DIGITS.search(written.translate(_SUPERSCRIPT).rstrip("})"))
    return None if digits is None or abs(int(digits[0])) > 300 else float(f"1e{int(digits[0])}")
