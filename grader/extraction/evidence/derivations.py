"""Calculations told in words: "dividing the one by the other gives a LATE of -3.67", and what is
told as their result: "233 of 314 survived. That's 74.2%"."""

from __future__ import annotations

import re

from ..parts import PLAIN, Part

# A word or a sign of them is in all that _DERIVES can match: a cheap look ahead.
_WORDS = frozenset(
    "dividing multiplying subtracting scaling rescaling extrapolating extending summing adding"
    " averaging combining comparing differencing inserting substituting plugging taking makes gives"
    " yields leaves amounts translates comes works".split()
)
_SIGNS = ("→", "=>", "⇒", "hat's ", "hat’s ")
_DERIVES = re.compile(
    r"""
    \b (?:
      (?: dividing | multiplying | subtracting | scaling | rescaling | extrapolating | summing
        | differencing | inserting | substituting | plugging
        | (?: adding | averaging | combining | comparing ) \s
          (?: them | the\stwo | both | these | those )
        | adding \s up
        | extending \s the \s (?: \w+ \s )? (?: line | trend )
        | taking \s the \s (?: difference | ratio | product | quotient | sum )
        | (?: difference | ratio | product | quotient | sum ) \s of \s the \s (?: two | three )
          (?= \s (?: gives | yields ) ) ) \b
      | (?: which | that ) \s (?= (?: makes | gives | yields | leaves | translates
          | amounts \s to | comes \s to | works \s out ) \s )
      | (?: comes | works ) \s (?= out \s (?: at | to ) \s )
      | that (?= ['’]s \s ) )
    | (?<! [0-9%] ) \s (?: → | => | ⇒ ) (?= \s )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_RESULT = re.compile(
    r"""
    (?: , | ≈ | = | ['’]s
      | \b (?: gives? | gave | yields? | yielded | makes? | leaves? | produces? | results?\sin
            | leads?\sto | translates\s(?:in)?to | out\s(?:at|to) | is | was
            | equals? | comes\sto | amounts\sto | get | obtain | arrive\sat ) )
    \s [^.;:!?0-9]* $
    """,
    re.VERBOSE,
)
_BEHIND_SIGN = re.compile(r"(?:→|=>|⇒)\s(?:[a-z]+\s){0,3}[^\w\s.;:]{0,4}$")  # → exactly 150
_LONGEST = 200  # characters from the words of the calculation to its result
_ROUNDING_WORDS = frozenset({"rounded", "rounds", "rounding"})
_ROUNDED = re.compile(
    r"""
    \b [Rr]ound (?: ed | s | ing ) \s (?: (?: off | up | down ) \s )?
    to \s (?: (?: the | nearest | \w+ ) \s ){0,3}
    (?: places? | decimals? | digits? | figures? | tenths? | hundredths? | thousandths?
      | integer ) \b
    [,:]? (?: \s (?: this | that | it | we ) )? (?: \s (?: is | gives | get | makes ) )?
    [,:=\s]{1,3} [*_`$]{0,3} $
    """,
    re.VERBOSE,
)
_LONGEST_ROUNDING = 80  # characters from "rounded" to the number


def _rounded(part: Part, text: str) -> int | None:
    """The start of the number that a sentence gives as the rounded one: "Rounded to three decimals
    0.217"."""
    if part.words.isdisjoint(_ROUNDING_WORDS):
        return None
    for mark in part.marks:
        start = mark.number.start
        if mark.standing == PLAIN and _ROUNDED.search(
            text, max(part.start, start - _LONGEST_ROUNDING), start
        ):
            return start
    return None


def derived(part: Part, text: str) -> set[int]:
    """The starts of the numbers in a sentence that it calls the result of a calculation in words:
    "dividing the one by the other gives a LATE of -3.67"; of rounding, if it tells one."""
    rounded = _rounded(part, text)
    if rounded is not None:
        return {rounded}
    if part.words.isdisjoint(_WORDS):
        said = text[part.start : part.end]
        if not any(sign in said for sign in _SIGNS):
            return set()
    derives = _DERIVES.search(text, part.start, part.end)
    if derives is None:
        return set()
    plain = [mark.number.start for mark in part.marks if mark.standing == PLAIN]
    first = derives.end()
    is_result = _RESULT
    if derives[0].strip() in ("→", "=>", "⇒"):
        first, is_result = derives.start(), _BEHIND_SIGN
    return {
        start
        for start in plain
        if first < start <= first + _LONGEST and is_result.search(text, first, start)
    }
