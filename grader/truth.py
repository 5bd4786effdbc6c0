"""Published answers: whether there is one, whether it is meant as a number, and which one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from .absent import is_no_answer
from .dates import writings
from .numbers import Quantity, parse_number

FENCING = " \t\n*_`\"'“”‘’.()[]$:"  # stands around an answer
_SIGNS = r"[\s*`\"'(\\~≈=<>≤≥$€£¥+−–-]*+"
_HEDGES = (
    r"(?:about|approx(?:\.|imately)?|around|roughly|circa|ca\.?|nearly|almost|exactly|minus)(?!\w)"
)
_MEANT_AS_NUMBER = re.compile(
    rf"""
    {_SIGNS} (?: {_HEDGES} {_SIGNS} )? \.? [0-9]             # about $5, .5, 12 days
    | {_SIGNS} (?: inf (?: inity )? | ∞ ) \s* \Z             # -inf
    | \s* (?= [\[{{] ) .*? [\[{{(,:] [\s\"'$€£¥~≈+−–-]{{0,5}} \.? [0-9]     # [4, 6]
    """,
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)

_NAME = r"""['"] [^'"\[\],;:]{1,60} ['"]"""
# One value, published as a list, an object or a form.
_ONLY_VALUE = re.compile(
    rf"""
    \s* @ \w{{1,60}} \[ (?P<field> [^\[\]]+ ) \] \s*              # @mean_fare[34.65]
    | \s* (?: (?P<pair> \[ \s* \[ \s* {_NAME} \s* , )             # [["mean_fare", 34.65]]
             | (?P<object> \{{ \s* {_NAME} \s* : )                # {{"mean_fare": 34.65}}
             | \[ ) \s*                                          # [34.65]
      (?: ' (?P<single> [^'\[\]]+ ) ' | " (?P<double> [^"\[\]]+ ) "
        | (?P<bare> [^\s'"\[\]{{}},;]+ ) )
      \s* (?(object) \}} | \] ) (?(pair) \s* \] ) \s*
    """,
    re.VERBOSE,
)
# `{}` and `[""]`; but `[]` may be the answer to "which of them".
_EMPTY = re.compile(r"\s*(?:\{\s*\}|\[\s*(['\"])\s*\1\s*\])\s*")
# An answer in the marks that data sets and programs put around it.
_MARKED = re.compile(
    r"""
    (?: (?: .* \n )?? [^\S\n]* \#{4} \s* (?P<last> [^\n\#]+ )    # GSM8K: ... #### 72
        | < (?P<tag> (?:final_)?answer ) > (?P<inner> [^<>]+ ) </ (?P=tag) >
        | (?: the \s )? (?: (?: final | correct ) \s )? answer \s (?: is \b :? | = )
          \s* (?P<said> [^\n]+? ) \.?
        | (?: tensor | (?: np | numpy ) \. \w{1,20} ) \( (?P<given> [^()\[\],]+ )
          (?: , \s* dtype=[\w.]+ )? \) )
    """,
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
_YEAR = re.compile(r"[12][0-9]{3}(?:\.0)?")  # 2010.0, as tables with gaps have it
_PARTS = re.compile(r"[,;]|\s+and\s+")
_ANSWER_LABEL = re.compile(r"[^\W\d][^\d:=<>]{0,60}:\s+(?=\S)")
_UNIT_AT_END = re.compile(
    r"""
    (?: \s (?! (?: an? | or | and | to | of | out | than | plus | with | per ) \b )
        (?: [^\W\dA-Z_]+ (?: / [^\W\d_]{1,9} )? | [A-Z]{2,4} ) ){1,3}   # square metres, km/h, USD
    \.? \Z
    | \s? (?: °[CF]? | [€£] | \^ \{? \\circ \}? [CF]? ) \Z         # 30^\circ
    | (?<= \d ) (?: [mckn]m | m[gls] | kg | [gl] | (?<! 0 ) s | min | hrs? | yrs?      # 12km
                 | [kKMGT]B | [kMG]?Hz | k?Wh? | mph | ppm ) \.? \Z
    | (?: \s | \\[ ,;] )? \\ (?: text | mathrm ) \s?              # 5\text{ cm}
        \{ \s*+ (?! (?: or | and | to | of | than | plus | per | more | less | hundred | thousand
                     | [mbtr]\w{0,4}illion | bn | mn | [kKmMbB] ) \b )
        [^{}\d]{1,30} \} \Z
    | \s? \( \s? [\d.,]{1,8} \s? (?: % | / \s? [\d.,]{1,8} ) \s? \) \s* \Z   # 5 (10%), 60% (12/20)
    | (?<= % ) \s of (?: \s (?! (?: or | and ) \b ) [^\W\d_] [\w-]* ){1,6} \.? \Z  # 10.6% of genes
    | (?: [\s-] fold | \s? [xX×] | \s times ) \b                # 4.8-fold increase in tumor
      (?: \s (?: increas | decreas | reduc | chang | high | low | larg | small | great | more | less
              | fast | slow | long | short ) \w* (?: \s in \s [\w-]+ )? )? \.? \Z
    """,
    re.VERBOSE,
)
_ABOUT = re.compile(
    rf"(?!minus){_HEDGES} \s+ (?= (?: minus \s )? [^\w\s]{{0,2}} \d )", re.IGNORECASE | re.VERBOSE
)
_ORDINAL_OR_RATIO = re.compile(r"\d+(?:st|nd|rd|th)\b|\d+(?:\.\d+)?(?:\s?:\s?\d+(?:\.\d+)?)+\Z")
_DECIMAL_COMMA = re.compile(  # 0,28 and 1.234,5; 3,7 may be two numbers
    r"(?P<whole>[+−-]?(?:0|\d{1,3}(?:\.\d{3})+)),(?P<decimals>\d+)"
)
_LONGEST_NUMBER = 400  # characters of an answer that is one number with a label and a unit


def stated(value: object) -> str | None:
    """A value as text; None for a missing one: None, NaN, NaT, `pd.NA`, an empty text, or one of
    these in writing (`"nan"`, `"<NA>"`, `"n/a"`, `"-"`)."""
    text = str(value)
    return None if is_no_answer(text) else text


def published_answer(value: object, choices: Iterable[str] = ()) -> str | None:
    """A published answer as text, or None if there is none. The text "None" is an answer if it is
    among the options of the task. A list or form of one value is that value (none, if that is
    missing), and so is the value that data sets or programs mark: `#### 72`, `<answer>72</answer>`,
    `tensor(0.2)`.

    >>> published_answer("[['mean_fare', '34.65']]")
    '34.65'
    """
    text = "" if value is None else str(value).strip().lower()
    if text and text in (choice.strip().lower() for choice in choices):
        return str(value)
    answer = stated(value)
    marked = _MARKED.fullmatch(answer.strip()) if answer else None
    if marked:
        answer = next(filter(None, marked.group("last", "inner", "said", "given"))).strip()
    only = _ONLY_VALUE.fullmatch(answer) if answer else None
    is_missing = only and only["bare"] and stated(only["bare"]) is None
    if is_missing or (answer and _EMPTY.fullmatch(answer)):
        return None
    inside = only and next(filter(None, only.group("field", "single", "double", "bare")))
    return (stated(inside) if inside else None) or answer  # `@relation[none]` stays as it is


def is_meant_as_number(truth: str) -> bool:
    """Whether a published answer is meant as a number: `0,28`, `0.2-0.3` and `12 days`, which begin
    like one; `about 5` and `inf`; a list or object that holds one, `[4, 6]`. False for words, even
    if they name a category by a number: `Group 2`, `under 18`, `k = 3`, for dates, times and
    lists of them, for places and ratios: `12th`, `3:2`."""
    if _MEANT_AS_NUMBER.match(truth) is None or writings(truth):
        return False
    if _ORDINAL_OR_RATIO.match(truth.strip()):
        return False
    return not all(writings(part.strip("[](){}'\" ")) for part in _PARTS.split(truth))


def is_year(truth: str) -> bool:
    """Whether a published answer is written as years are, `2010`."""
    return _YEAR.fullmatch(truth.strip()) is not None


def without_label(truth: str) -> str:
    """A published answer without the label it may begin with (`IQR: 6.00`, `Winner: team B`)."""
    bare = truth.strip()
    label = _ANSWER_LABEL.match(bare)
    return bare[label.end() :] if label and ":" not in bare[label.end() :] else bare


@lru_cache(maxsize=4096)
def published_number(truth: str) -> Quantity | None:
    """The number in a published answer, which may have a label, a hedge or a unit (`IQR: 6.00`,
    `about 15 accounts`), or a decimal comma (`0,28`); None for anything else.

    >>> published_number("IQR: 6.00").value
    6.0
    """
    if number := parse_number(truth):
        return None if number.is_fraction and writings(truth) else number  # 2022/2023
    if len(truth) > _LONGEST_NUMBER:
        return None
    value = _ABOUT.sub("", without_label(truth), count=1)
    if continental := _DECIMAL_COMMA.fullmatch(value):
        value = f"{continental['whole'].replace('.', '')}.{continental['decimals']}"
    unit = _UNIT_AT_END.search(value)
    number = parse_number(value) or parse_number(value[: unit.start()] if unit else "")
    is_season = number is not None and number.is_fraction and "%" not in truth  # 2022/2023
    return None if is_season else number
