"""The forms of numbers that are no row of digits, rewritten so that the search for digits reads
them; every offset stays.

Rewritten: digits of other scripts and of full width (`٣٫٥`, `१२`, `１２.５％`), rare minus signs
and slashes, fractions (`\\frac{3}{8}`, `\\frac38`), mixed numbers (`3½`, `3 1/2`, `3\\frac{1}{2}`),
decimal commas (`0,05`, `57,1 %`, `1.097,75`, `167,64 €`; `2,5` in languages that write so).
Blanked out: addresses of pages, whose digits are part of them.
"""

from __future__ import annotations

import re
import unicodedata

# A whole number and a fraction of one, or a fraction in one sign: its start, end, and value without
# its sign.
Mixed = tuple[int, int, float]
# A text as it is searched; where each LaTeX fraction ends in it, by where it starts; and its mixed
# numbers, of which only blanks are left.
Rewritten = tuple[str, dict[int, int], list[Mixed]]

_URL = re.compile(r"[a-z]{2,9}://\S+", re.IGNORECASE)
_PART = r"(?:\{([0-9][0-9.,]*)\}|([0-9]))"
_FRAC = re.compile(rf"\\[dt]?frac ?{_PART} ?{_PART}")
_VULGAR = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_ZEROS = """
    660 6F0 7C0 966 9E6 A66 AE6 B66 BE6 C66 CE6 D66 DE6 E50 ED0 F20 1040 1090 17E0 1810 1946 19D0
    1A80 1A90 1B50 1BB0 1C40 1C50 A620 A8D0 A900 A9D0 A9F0 AA50 ABF0 FF10 104A0 10D30 11066 110F0
    11136 111D0 112F0 11450 114D0 11650 116C0 11730 118E0 11950 11C50 11D50 11DA0 16A60 16AC0 16B50
    1D7CE 1D7D8 1D7E2 1D7EC 1D7F6 1E140 1E2F0 1E950 1FBF0
"""  # of all scripts but ASCII; the other nine digits follow each
_UNUSUAL = "．，％－＋‐‑﹣⁄٫٬٪"
_FIRST_DIGITS = [int(zero, 16) for zero in _ZEROS.split()]
_USUAL: dict[int, str | int] = {
    zero + digit: str(digit) for zero in _FIRST_DIGITS for digit in range(10)
} | str.maketrans(_UNUSUAL, ".,%-+---/.,%")
_DIGITS = "".join(f"{chr(zero)}-{chr(zero + 9)}" for zero in _FIRST_DIGITS)
_IS_RARE = re.compile(f"[{_VULGAR}{_UNUSUAL}{_DIGITS}]")
_ALONE = r"(?<![\w.,/^])"  # before a number that is part of no other and of no word
_WITH_SIGN = re.compile(rf"{_ALONE}([0-9]{{0,9}})[ \u2009\u202f]?([{_VULGAR}])(?![\w/])")
_WITH_FRAC = re.compile(rf"{_ALONE}([0-9]{{1,9}})\s?{_FRAC.pattern}")
_WITH_SLASH = re.compile(
    rf"{_ALONE}([0-9]{{1,3}}) ([1-9][0-9]?)/(2|3|4|5|6|8|10|16)(?![\w/]|[.,][0-9])"
)

_COMMA = re.compile(r"[0-9],[0-9]")
# A decimal comma whatever the language, and one that English would take for a comma between two
# numbers or for thousands.
_PLAIN_COMMA = re.compile(
    r"(?:(?<![\w.,\[{])[0-9]{1,3},[0-9](?=\s?(?:%|per\s?cent\b))"
    r"|(?<![\w.,(\[{])[0-9]{1,3},[0-9]{2}(?=\s%))"
    r"(?!\s?%\s(?:CI|confidence|credible|prediction|intervals?|levels?)\b)"
    r"|(?<![\w.,(\[{])0,(?:0[0-9]+|[0-9]{2,}[1-9])(?![\w,]|\.[0-9])"
    r"|(?<![\w.,(\[{])[1-9][0-9]{0,2}(?:\.[0-9]{3})+,[0-9]{1,2}(?![\w,]|\.[0-9])"  # 1.097,75
    r"|(?<![\w.,])(?:[1-9][0-9]{0,2}(?:\.[0-9]{3})+|[0-9]{1,3}),[0-9]{2}(?=\s?(?:€|EUR\b))"
)
_ANY_COMMA = re.compile(
    r"(?<![\w.,\[{/])(?<!\w\()(?:[1-9][0-9]{0,2}(?:\.[0-9]{3})+|[0-9]+),[0-9]+(?![\w,]|\.[0-9])"
)
_MAY_BE_THOUSANDS = re.compile(r"[1-9][0-9]{0,2},[0-9]{3}")
_POINT = re.compile(r"[0-9]\.(?:[0-9]{1,2}|[0-9]{4,})(?![0-9])")
_COMMA_LANGUAGES = frozenset(  # frequent words of languages with a decimal comma, none of English
    "der das und ist mit für eine einer nicht sich auch bei beträgt wird liegt zwischen"
    " les une dans pour avec sont cette entre soit donc pas aux"
    " el los las del una que es más para por como"
    " il della che è sono gli nel uma não são dos pelo ao het een van voor niet zijn".split()
)
_LEAST_WORDS = 3
_WORD = re.compile(r"[^\W\d_]+")
_TO_POINTS = str.maketrans(".,", "'.")


def rewrite(text: str, spaced: bool) -> Rewritten:
    """Rewrite the rare forms in a text. spaced: a space may stand within a number."""
    mixed: list[Mixed] = []
    fractions: dict[int, int] = {}
    if ":" in text and "://" in text:  # one character is looked for much faster than three
        text = _URL.sub(_blank, text)
    if not text.isascii() and _IS_RARE.search(text):
        text = _without(_WITH_SIGN, text.translate(_USUAL), mixed)
    if "\\" in text and "frac" in text:
        text = _without(_WITH_FRAC, text, mixed)
        fractions = {match.start(): match.end() for match in _FRAC.finditer(text)}
        text = _FRAC.sub(_flattened, text)
    if spaced and "," in text and _COMMA.search(text):
        text = _with_points(text)
    if spaced and "/" in text and _WITH_SLASH.search(text):
        text = _without(_WITH_SLASH, text, mixed)
    return text, fractions, mixed


def _without(pattern: re.Pattern[str], text: str, mixed: list[Mixed]) -> str:
    """A text without its mixed numbers of one form, which are added to the others; of
    `3\\frac{5}{2}`, whatever it is, nothing is kept."""

    def take(match: re.Match[str]) -> str:
        part = _part(match)
        if part < 1:
            mixed.append((match.start(), match.end(), float(match[1] or 0) + part))
        elif pattern is _WITH_SLASH:  # 3 5/2
            return match[0]
        return _blank(match)

    return pattern.sub(take, text)


def _part(match: re.Match[str]) -> float:
    """The fraction in a mixed number; 1 if its parts are no whole numbers."""
    parts = [part for part in match.groups()[1:] if part]
    if len(parts) == 1:
        return unicodedata.numeric(parts[0])
    if not all(map(str.isdigit, parts)) or not int(parts[1]):
        return 1.0
    return int(parts[0]) / int(parts[1])


def _with_points(text: str) -> str:
    """Prose with a point in place of its decimal commas, and `1'097.75` for `1.097,75`: any comma
    in a text of a language that writes so, unless it has decimal points too."""
    plain = text
    text = _PLAIN_COMMA.sub(lambda match: match[0].translate(_TO_POINTS), text)
    found = [match[0] for match in _ANY_COMMA.finditer(text)]
    if all(map(_MAY_BE_THOUSANDS.fullmatch, found)) or _POINT.search(plain):
        return text
    if len(_COMMA_LANGUAGES.intersection(_WORD.findall(text))) < _LEAST_WORDS:
        return text
    return _ANY_COMMA.sub(lambda match: match[0].translate(_TO_POINTS), text)


def with_decimal_points(text: str) -> str:
    """A text that is one value, with a point in place of its decimal comma (`30,4`, `1.097,75`). A
    comma that may be of thousands stays."""
    return _ANY_COMMA.sub(_pointed, text)


def _pointed(match: re.Match[str]) -> str:
    is_plain = _MAY_BE_THOUSANDS.fullmatch(match[0])
    return match[0] if is_plain else match[0].translate(_TO_POINTS)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _flattened(match: re.Match[str]) -> str:
    """A LaTeX fraction as `3/8`, with blanks up to its length."""
    above, below = [part for part in match.groups() if part]
    flat = f"{above}/{below}"
    return flat + " " * (len(match[0]) - len(flat))
