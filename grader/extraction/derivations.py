"""Calculations told in words: "dividing the one by the other gives a LATE of -3.67"."""

from __future__ import annotations

import re

from .parts import PLAIN, Part

# At least one of them is in all that _DERIVES can match: a cheap look ahead.
_WORDS = frozenset(
    "dividing multiplying subtracting scaling rescaling extrapolating extending summing adding"
    " averaging combining comparing differencing inserting substituting plugging taking makes gives"
    " yields leaves".split()
)
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
      | which \s (?= (?: makes | gives | yields | leaves ) \s ) )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_RESULT = re.compile(
    r"""
    (?: , | ≈ | = | \b (?: gives? | gave | yields? | yielded | makes? | leaves? | produces?
                         | results?\sin | leads?\sto | is | was | equals? | comes\sto | amounts\sto
                         | get | obtain | arrive\sat ) )
    \s [^.;:!?0-9]* $
    """,
    re.VERBOSE,
)
_LONGEST = 200  # characters from the words of the calculation to its result


def derived(part: Part, text: str) -> set[int]:
    """The starts of the numbers in a sentence that it calls the result of a calculation in words:
    "dividing the one by the other gives a LATE of -3.67"."""
    if part.words.isdisjoint(_WORDS):
        return set()
    said = _DERIVES.search(text, part.start, part.end)
    if said is None:
        return set()
    plain = [mark.number.start for mark in part.marks if mark.standing == PLAIN]
    first = said.end()
    return {
        start
        for start in plain
        if first < start <= first + _LONGEST and _RESULT.search(text, first, start)
    }
