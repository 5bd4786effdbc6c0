"""Number literals: finding them in text, and reading one on its own.

Read: signs and the Unicode minus, thousands separators (comma, apostrophe, thin, no-break
and, on request, normal spaces), scientific notation (`1.2e-04`, `1.2×10⁻⁴`, `10^-4`),
percent, currency, fractions (`46/150`, `\\frac{3}{8}`), LaTeX escapes, `np.float64(0.2)`.
Never read: digits inside words, identifiers, ordinals, dates, times, versions, file names,
paths, URLs; `nan` and `inf`; anything that overflows a float.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

import regex


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


SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−–", "0123456789-+--")
_MINUS = "-−–"
_GROUP_SPACES = "\u2009\u202f\u00a0"

_NOT_A_NUMBER = r"""
    (?P<skip>
        [0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}(?:[T ][0-9:.]+)?   # 2026-06-11 02:34
      | [0-9]{1,2}[/.-][0-9]{1,2}[/.-][0-9]{4}                    # 11/06/2026
      | [0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?            # 02:34:22
      | [0-9]+(?:\.[0-9]+){2,}                                    # 3.11.7
    )
"""
_EXPONENT = r"""
      [eE][-+−]?[0-9]{1,5}(?![0-9A-Za-z_])
    | \s?(?:[×x*·⋅]|\\times|\\cdot)\s?(?:\\,)?10
        (?: (?:\^|\*\*)\{?[-+−–]?[0-9]{1,4}\}? | [⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4} )
"""
_FRACTION = r"[^\S\n]?/[^\S\n]?[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?![0-9]*/[0-9])"
_PERCENT = r"\s?\\?[%％]|\s(?:percentage\spoints?|per\s?cent|percent|pct)\b|\s?pp\b"


def _compile(group_separators: str) -> re.Pattern[str]:
    return re.compile(
        rf"""{_NOT_A_NUMBER}
        | (?P<ten> 10 (?: (?:\^|\*\*)\{{?[-+−–]?[0-9]{{1,4}}\}}? | [⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,4}} ) )
        | (?P<whole> [0-9]{{1,3}}(?:(?:[{group_separators}]|\{{,\}})[0-9]{{3}})+(?![0-9])
                   | [0-9]+ | (?=\.[0-9]) )
          (?P<decimals> \.[0-9]+ )?
          (?P<exponent> {_EXPONENT} )?
          (?P<fraction> {_FRACTION} )?
          (?P<percent> {_PERCENT} )?
        """,
        re.VERBOSE,
    )


_TIGHT = _compile(f",'’{_GROUP_SPACES}")
_SPACED = _compile(f",'’ {_GROUP_SPACES}")
_DIGIT = regex.compile(r"[0-9]")  # five times faster than `re` at skipping what is no digit
_URL = re.compile(r"[a-z]{2,9}://\S+", re.IGNORECASE)
_FRAC = re.compile(r"\\[dt]?frac\{([0-9][0-9.,]*)\}\{([0-9][0-9.,]*)\}")
_SIGN_WORD = re.compile(r"(?:minus|negative)\s$", re.IGNORECASE)
_INEQUALITY = re.compile(r"(?:[<>≤≥≪≫]=?|&[lg]t;|\\leq?|\\geq?|\\l[te]|\\g[te])\s?\$?\s?$")
_INEQUALITY_ENDS = frozenset("<>≤≥≪≫=;$qeEtT")
_UNIT = re.compile(r"(?:[kKMBx×]|mn|bn|[kcmμn]?[gms]|cm|km|kg|°)(?![A-Za-z0-9_])")
_SCALE = re.compile(rf"\s({'|'.join(SCALES)})s?\b", re.IGNORECASE)
_SCALE_INITIALS = frozenset("tmbTMB")
_SUFFIX = re.compile(r"(?:[kKMB]|mn|bn)(?![A-Za-z0-9_])")
_SUFFIXES = {"k": 1e3, "K": 1e3, "M": 1e6, "mn": 1e6, "B": 1e9, "bn": 1e9}
_SUFFIX_INITIALS = frozenset("kKMBmb")
_STATING = (" is", " was", " be", " of", " equals")
_EXPONENT_DIGITS = re.compile(r"[-+]?[0-9]+$")
_CURRENCY = "$€£¥"
_SEPARATORS = str.maketrans("", "", ",'’ {}" + _GROUP_SPACES)


def find_numbers(text: str, *, spaced: bool = False) -> list[Quantity]:
    """Every number in `text`, in order.

    spaced: also read `3 385` (normal space between groups of three) as one number; right in
    prose, wrong in columns of figures.
    """
    if ":" in text and "://" in text:  # one character is looked for much faster than three
        text = _URL.sub(lambda match: " " * len(match[0]), text)
    if "{" in text and "frac{" in text:
        text = _FRAC.sub(_flatten_fraction, text)
    pattern = _SPACED if spaced else _TIGHT
    found: list[Quantity] = []
    position = 0
    while digit := _DIGIT.search(text, position):
        start = digit.start()
        if start > position and text[start - 1] == ".":
            start -= 1
        match = pattern.match(text, start)
        position = digit.end() if match is None else max(match.end(), digit.end())
        if match is not None and (number := _read(text, match)):
            found.append(number)
    return found


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


def _flatten_fraction(match: re.Match[str]) -> str:
    flat = f"{match[1]}/{match[2]}"
    return flat + " " * (len(match[0]) - len(flat))


def _read(text: str, match: re.Match[str]) -> Quantity | None:
    start, end = match.span()
    skip, ten, whole, decimals, exponent, fraction, percent = match.groups()
    if skip or start == end:
        return None
    if percent is None and end < len(text) and not _clear_right(text, end, decimals is not None):
        return None
    start, negative = _left_edge(text, start)
    if start < 0:
        return None
    value = _value(ten, whole or "", decimals or "", exponent, fraction)
    if value is None or not math.isfinite(value):
        return None
    scale, scale_word = _scale(text, end)
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
        _is_bounded(text, start),
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
        divisor = float(fraction.strip()[1:].replace(",", ""))
        return value / divisor if divisor else None
    return value


def _is_bounded(text: str, start: int) -> bool:
    """True if an inequality sign stands right before."""
    near = text[start - 3 if start > 3 else 0 : start].rstrip()
    if not near or near[-1] not in _INEQUALITY_ENDS:
        return False
    return _INEQUALITY.search(text, max(0, start - 8), start) is not None


def _scale(text: str, end: int) -> tuple[float, str]:
    """The scale that a word right behind a number gives it, and this word."""
    if text[end : end + 1] in _SUFFIX_INITIALS:
        suffix = _SUFFIX.match(text, end)
        return (_SUFFIXES[suffix[0]], suffix[0]) if suffix else (1.0, "")
    if text[end + 1 : end + 2] not in _SCALE_INITIALS:
        return 1.0, ""
    word = _SCALE.match(text, end)
    return (SCALES[word[1].lower()], word[0]) if word else (1.0, "")


def _power_of_ten(written: str) -> float | None:
    digits = _EXPONENT_DIGITS.search(written.translate(_SUPERSCRIPT).rstrip("}"))
    return None if digits is None or abs(int(digits[0])) > 300 else float(f"1e{int(digits[0])}")


def _clear_right(text: str, end: int, has_decimals: bool) -> bool:
    """False if what follows makes the digits part of a word, name, version or path."""
    after = text[end]
    if after == ".":
        following = text[end + 1 : end + 2]
        return not (following.isdigit() or (following.islower() and not has_decimals))
    if after in "/:":
        return not text[end + 1 : end + 2].isalnum()
    if after.isalnum() or after == "_":
        return after in "²³" or _UNIT.match(text, end) is not None
    return True


def _left_edge(text: str, start: int) -> tuple[int, bool]:
    """Where the literal begins with its sign and currency, and whether it is negative.

    Returns (-1, False) if what precedes makes the digits part of a word or name.
    """
    if start and text[start - 1] in _CURRENCY:
        start -= 1
        if start and text[start - 1] == "\\":
            start -= 1
    elif start > 1 and text[start - 1] == " " and text[start - 2] in "€£¥":
        start -= 2
    if start == 0:
        return start, False
    before = text[start - 1]
    if before in _MINUS:
        return _signed(text, start)
    if before == "+" and not (start > 1 and text[start - 2].isalnum()):
        return start - 1, False
    if before.isalnum() or before in "_\\^":
        return (start, False) if before in "²³" else (-1, False)
    if before == "." and start > 1 and (text[start - 2].isalnum() or text[start - 2] in "._)]"):
        return -1, False
    if before == "/" and start > 1 and not text[start - 2].isspace():
        return -1, False
    if (
        before == " "
        and start > 5
        and _SIGN_WORD.search(text, start - 9 if start > 9 else 0, start)
    ):
        word = 6 if text[start - 6 : start - 1].lower() == "minus" else 9
        return start - word, True
    if before == " " and start > 2 and text[start - 2] in "-−" and _opens_sign(text, start - 2):
        return start - 2, True
    return start, False


def _signed(text: str, start: int) -> tuple[int, bool]:
    """The literal has a dash before it: a sign, the middle of a range, or a word's hyphen."""
    sign = start - 1
    if sign == 0:
        return sign, True
    before = text[sign - 1]
    if before.isdigit() or before in ")]%":
        return start, False
    if before.isalpha() or before == "_":
        return (start, False) if text[sign] != "-" else (-1, False)
    if before in _MINUS:
        return start, False
    if text[sign] == "–" and before == " " and text[sign - 2 : sign - 1].isdigit():
        return start, False
    return sign, True


def _opens_sign(text: str, sign: int) -> bool:
    """True for `= - 0.5` or `is - 0.5`: a detached minus right after what states a value."""
    if sign < 2 or text[sign - 1] != " ":
        return False
    return text[sign - 2] in "=≈:(" or text.endswith(_STATING, 0, sign - 1)
