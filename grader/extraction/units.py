"""Units of measurement: the one a question asks for, and the one behind a number."""

from __future__ import annotations

import re

_SYMBOLS = {
    "millisecond": "ms", "second": "s", "sec": "s", "minute": "min", "hour": "h", "hr": "h",
    "milligram": "mg", "gram": "g", "kilogram": "kg", "millimeter": "mm", "millimetre": "mm",
    "centimeter": "cm", "centimetre": "cm", "meter": "m", "metre": "m", "kilometer": "km",
    "kilometre": "km", "liter": "l", "litre": "l", "hectare": "ha", "degree": "°", "joule": "j",
    "kilojoule": "kj", "watt": "w", "kilowatt": "kw", "volt": "v", "newton": "n", "pascal": "pa",
    "hertz": "hz", "kelvin": "k", "feet": "ft", "foot": "ft", "inche": "inch",
    "pound": "lb", "lbs": "lb", "ounce": "oz", "mi": "mile",
}  # fmt: skip
# Units of one quantity: what is given in two of them is asked for in one.
_QUANTITIES: tuple[frozenset[str], ...] = (
    frozenset({"mm", "cm", "m", "km", "mile", "yard", "ft", "inch"}),
    frozenset({"mg", "g", "kg", "lb", "oz", "tonne"}),
    frozenset({"ms", "s", "min", "h", "day", "week", "month", "year"}),
)
# "in seconds?", "in kJ/mol."
_ASKED = re.compile(
    r"\bin (?!percent)([a-zµμ°]+)(?:/[0-9]{0,4} ?[a-z]+)?"
    r"(?=\s*(?:[?.,;:()]|$)|\s(?:from|for|of|at|after|by|when|given)\b)"
)
_IN_BRACKETS = re.compile(r"\w \(([a-zµμ°]+)(?:/[a-z]+)?\)")  # the activation energy (kJ/mol)
_FOLD = re.compile(r"\bfold[ -]change\b|\bhow many[ -]?fold\b")
# Blanks, markup, LaTeX and a margin of error stand between a number and its unit.
_AFTER = re.compile(
    r"(?:[^\S\n]|[~*_}$]|-(?=fold\b)|\\[,;:! ]|\\(?:text|textrm|mathrm|rm)\b\s?\{?|±\s?[0-9.]+)*+"
    r"([a-zµμ°]+)"
    r"(?!\s?[⁻²³^]|\s?/(?![0-9]))"  # not s⁻¹, m², km/h; but L/100 km
)


# 11.46 MPa, 0.53 h, 3 days
_MEASURE = re.compile(
    r"[*_]{0,2}\s?(?:[kMG]?Pa|[cmkµ]?m|[kmµ]?g|hours?|hrs?|h|min(?:utes?)?|[mµn]?s(?:ec(?:onds)?)?|days?"
    r"|weeks?|months?|years?|°[CF]|mmHg|bpm|dollars|euros|USD|EUR|tons?|tonnes|litres?|liters?|ml"
    r"|k?Wh|[kM]?W|Hz)\b(?![-/])"
)


def is_measure(after: str) -> bool:
    """Whether a number is given in a unit of measurement. after: the text that follows it."""
    return _MEASURE.match(after) is not None


def asked_unit(question: str) -> str | None:
    """The unit that a question, in lower case, wants the answer in, as its symbol or in the
    singular; None if it names none."""
    if "fold" in question and _FOLD.search(question):
        return "fold"
    if " in " in question and (asked := _ASKED.search(question)):
        return _normal(asked[1])
    if "(" in question and (named := _IN_BRACKETS.search(question)):
        return unit if (unit := _normal(named[1])) in _SYMBOLS.values() else None
    return None


def has_unit(unit: str, after: str) -> bool | None:
    """Whether a number is given in a unit; False if it is in another one for the same quantity, as
    in miles for kilometres, None if nothing is said of it. after: the text that follows it."""
    found = _AFTER.match(after.lower())
    if found is None:
        return None
    given = _normal(found[1])
    if given == unit:
        return True
    return False if any(unit in units and given in units for units in _QUANTITIES) else None


def has_unit_in_brackets(unit: str, heading: str) -> bool:
    """Whether the heading of a column gives a unit in brackets: `Forecast (TB)`."""
    given = heading.partition("(")[2]
    return bool(given) and has_unit(unit, f" {given}") is True


def _normal(unit: str) -> str:
    singular = unit[:-1] if len(unit) > 2 and unit.endswith("s") else unit
    return _SYMBOLS.get(singular) or _SYMBOLS.get(unit) or singular
