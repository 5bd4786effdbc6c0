"""The text right before and behind a number literal: its sign, currency and scale, and whatever
makes its digits part of something else."""

from __future__ import annotations

import re

SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SIGN_WORD = re.compile(r"(?:minus|negative)\s$", re.IGNORECASE)
_SUBTRACTS = re.compile(  # 41 in the city minus 34; but not: from 41 to minus 34
    r"(?<![A-Za-z0-9.])[0-9](?:[0-9,.]*[0-9])?[%*_`)]{0,4}"
    r"(?:\s(?!(?:to|and|or|is|are|was|were|of|by|at|than|with|equals)\b)[^\W\d_]+){0,6}\sminus\s$",
    re.IGNORECASE,
)
_SIGN_WORD_ENDS = frozenset("sSſeE")
_INEQUALITY = re.compile(r"(?:[<>≤≥≪≫]=?|&[lg]t;|\\leq?|\\geq?|\\l[te]|\\g[te])\s?\$?\s?$")
_ARROW_OR_QUOTE = re.compile(r"(?:[-=–>]|(?:^|\n)[ \t]{0,8})>$")  # => 5, -> 5, a quoted line
_INEQUALITY_ENDS = frozenset("<>≤≥≪≫=;$qeEtT")
_UNIT = re.compile(r"(?:[kKMBx×]|mn|bn|[kcmμn]?[gms]|cm|km|kg|°)(?![A-Za-z0-9_])")
_UNIT_OF_DECIMALS = re.compile(  # 4.5V; but not: Table 2A, 60W bulb
    r"""
    (?: [kMGm]? (?: Hz | Wh? | J | Pa | V ) | m?A | [mμ]?L | min | hrs? | yrs? | lbs? | oz | ft | yd
      | mmHg | ppm | dB | [kM]?Ω | mol | mph )
    (?! [A-Za-z0-9_-] )
    """,
    re.VERBOSE,
)
_ABBREVIATIONS = {"mn": 1e6, "mln": 1e6, "bn": 1e9, "tn": 1e12}  # TN and MN are places
_SCALE = re.compile(
    rf"\s(?:(?a:(?P<word>{'|'.join(SCALES)})s?)|(?-i:(?P<short>{'|'.join(_ABBREVIATIONS)})))\b",
    re.IGNORECASE,
)
_SCALE_INITIALS = frozenset("tmbTMB‰")
_SUFFIX = re.compile(r"(?:[kKMB]|mn|bn)(?![A-Za-z0-9_])")
_SUFFIX_OF_MONEY = re.compile(r"m(?![A-Za-z0-9_])")  # $983.01m
_SUFFIXES = {"m": 1e6, "k": 1e3, "K": 1e3, "M": 1e6, "mn": 1e6, "B": 1e9, "bn": 1e9}
_EMPHASIS_BEGINS = re.compile(r"(?<!\w)_{1,2}$")  # _0.28_ or __0.28__, but not x_1
_EMPHASIS_ENDS = re.compile(r"_{1,2}(?!\w)")
_SUFFIX_INITIALS = frozenset("kKMBmb")
_STATING = (" is", " was", " be", " of", " equals")
_CURRENCY = "$€£¥₹₤₩₽₺₫₱₦"
_SPACED_CURRENCY = _CURRENCY.replace("$", "")
_CODES = "USD EUR GBP JPY CHF CNY RMB INR CAD AUD NZD HKD SGD SEK NOK DKK ZAR BRL MXN KRW".split()
_CODE = rf"(?:(?:US|CA|AU|NZ|HK|[ACRS])\$|Rs\.?|(?:{'|'.join(_CODES)})\$?)"
_CURRENCY_CODE = re.compile(rf"(?<![A-Za-z0-9_/$])(?<![A-Za-z]-)(?:{_CODE}) ?$")  # US$5, CHF 2,000
_LONGEST_CODE = 6
_CODE_ENDS = frozenset("$DRPYFBNKLWs.")
_MONEY = re.compile(rf"[-+−–]?\\?(?:[{_CURRENCY}]|{_CODE})")
_LOCATION = re.compile(
    r"\.(?:py|pyx|ipynb|r|R|Rmd|jl|js|ts|c|cc|cpp|h|rs|go|java|sh|sql):(?:[0-9]{1,6}:)?$"
)
_MINUS = "-−–"
_BLANKS = " \n"
# What may change or bound a literal: signs right before it or before a blank, and the last letters
# of a word before a blank, as in `CHF 5`, `minus 5`, `\leq 5`.
_SIGNS_BEFORE = frozenset(_CURRENCY + _MINUS + "+_^./:<>≤≥≪≫=;\\qet")
_WORDS_BEFORE = frozenset(
    [code[-2:] for code in _CODES] + "Rs us uS Us US uſ Uſ ve vE Ve VE eq le ge lt gt".split()
)


def may_change(text: str, start: int) -> bool:
    """False for a literal that nothing before it can change, bound or make part of a word; a cheap
    look ahead."""
    if start < 3:
        return start > 0
    near = text[start - 1]
    if near not in _BLANKS:
        return near in _SIGNS_BEFORE or near.isalnum() or near.isspace()
    near = text[start - 2]
    if near.isalpha():
        return text[start - 3 : start - 1] in _WORDS_BEFORE
    if near in _BLANKS:
        return text[start - 3] in _SIGNS_BEFORE
    return near in _SIGNS_BEFORE or near.isspace()


def clear_right(text: str, end: int, has_decimals: bool) -> bool:
    """False if what follows makes the digits part of a word, name, version or path."""
    after = text[end]
    if after == ".":
        following = text[end + 1 : end + 2]
        return not (following.isdigit() or (following.islower() and not has_decimals))
    if after in "/:":
        return not text[end + 1 : end + 2].isalnum()
    if after == "_":
        return _EMPHASIS_ENDS.match(text, end) is not None
    if after.isalnum():
        if after in "¹²³" or _UNIT.match(text, end):
            return True
        return has_decimals and _UNIT_OF_DECIMALS.match(text, end) is not None
    return True


def left_edge(text: str, start: int) -> tuple[int, bool]:
    """Where the literal begins with its sign and currency, and whether it is negative.

    Returns (-1, False) if what precedes makes the digits part of a word or name.
    """
    if start and text[start - 1] in _CURRENCY:
        start -= 1
        if start and text[start - 1] == "\\":
            start -= 1
    elif start > 1 and text[start - 1] == " " and text[start - 2] in _SPACED_CURRENCY:
        start -= 2
    if start == 0:
        return start, False
    start = _before_code(text, start)
    if start == 0:
        return start, False
    before = text[start - 1]
    if before in _MINUS:
        return _signed(text, start)
    if before == "+" and not (start > 1 and text[start - 2].isalnum()):
        return start - 1, False
    if before == "_" and _EMPHASIS_BEGINS.search(text, max(0, start - 3), start):
        return start, False
    if before.isalnum() or before in "_\\^":
        return (start, False) if before in "²³" else (-1, False)
    if before == "." and start > 1 and (text[start - 2].isalnum() or text[start - 2] in "._)]"):
        return -1, False
    if before == "/" and start > 1 and not text[start - 2].isspace():
        return -1, False
    if before == ":" and _LOCATION.search(text, max(0, start - 20), start):  # file.py:131
        return -1, False
    if before != " ":
        return start, False
    if text[start - 2] in _SIGN_WORD_ENDS and (
        word := _SIGN_WORD.search(text, max(0, start - 9), start)
    ):
        is_operator = _SUBTRACTS.search(text, max(0, word.start() - 60), word.end())
        return (start, False) if is_operator else (word.start(), True)
    if start > 2 and text[start - 2] in "-−" and _opens_sign(text, start - 2):
        return start - 2, True
    return start, False


def _before_code(text: str, start: int) -> int:
    """Where the code of a currency right before a literal begins, or else the literal."""
    last = text[start - 1]
    if last == " ":
        last = text[start - 2 : start - 1]
    first = start
    if text[start] == "$":
        last = text[start]
        first = start + 1
    if last not in _CODE_ENDS:
        return start
    code = _CURRENCY_CODE.search(text, max(0, first - _LONGEST_CODE), first)
    return code.start() if code else start


def _signed(text: str, start: int) -> tuple[int, bool]:
    """The literal has a dash before it: a sign, the middle of a range, or a word's hyphen."""
    sign = start - 1
    if sign == 0:
        return sign, True
    before = text[sign - 1]
    if before.isdigit() or before in ")]%":
        return start, False
    if before == "_" and _EMPHASIS_BEGINS.search(text, max(0, sign - 3), sign):
        return sign, True
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


def is_bounded(text: str, start: int) -> bool:
    """True if an inequality sign stands right before."""
    near = text[start - 3 if start > 3 else 0 : start].rstrip()
    if not near or near[-1] not in _INEQUALITY_ENDS:
        return False
    sign = _INEQUALITY.search(text, max(0, start - 8), start)
    if sign is None:
        return False
    end = sign.start() + 1
    return _ARROW_OR_QUOTE.search(text, max(0, end - 10), end) is None


def is_money(literal: str) -> bool:
    """True if a literal has the sign or code of a currency: `$5`, `-US$5`."""
    return _MONEY.match(literal) is not None


def scale_behind(text: str, start: int, end: int) -> tuple[float, str]:
    """The scale that a word right behind the number text[start:end] gives it, and this word."""
    if text[end : end + 1] in _SUFFIX_INITIALS:
        suffix = _SUFFIX.match(text, end)
        if suffix is None and is_money(text[start:end]):
            suffix = _SUFFIX_OF_MONEY.match(text, end)
        return (_SUFFIXES[suffix[0]], suffix[0]) if suffix else (1.0, "")
    if text[end : end + 1] == "‰":
        return 1e-3, "‰"
    if text[end + 1 : end + 2] not in _SCALE_INITIALS:
        return 1.0, ""
    if text[end + 1] == "‰":
        return 1e-3, text[end : end + 2]
    scale = _SCALE.match(text, end)
    if scale is None:
        return 1.0, ""
    word = scale["word"]
    return SCALES[word.lower()] if word else _ABBREVIATIONS[scale["short"]], scale[0]
