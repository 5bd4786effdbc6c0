"""Where the sentences of prose start and end."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ABBREVIATIONS = ("i.e.", "e.g.", "vs.", "cf.")
_BREAK = re.compile(r"[.!?](?=\s)|\n")
_REACH = 300  # characters to either side of a place in which its sentence is looked for


def sentences(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """Where each sentence (or line) of a text from `start` on starts and ends."""
    for end in _ends(text, start, len(text)):
        yield start, end
        start = end
    if start < len(text):
        yield start, len(text)


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the sentence (or line) of text[start:end] starts and ends, without its full stop; at
    most 300 characters to either side."""
    first = max(0, start - _REACH)
    first = max(_ends(text, first, start), default=first)
    limit = min(len(text), end + _REACH)
    last = next(_ends(text, end, limit), None)
    return first, limit if last is None else last - 1


def last_sentence(text: str) -> tuple[int, int]:
    """Where the last sentence (or line) of a text starts and ends, blanks behind it left out."""
    end = len(text.rstrip())
    return sentence_around(text[:end], max(0, end - 2), end)


def _ends(text: str, start: int, limit: int) -> Iterator[int]:
    """The ends of the sentences of text[start:limit] but for one that goes on behind it. The
    full stop of an abbreviation ends none."""
    for ending in _BREAK.finditer(text, start, limit):
        if not text.endswith(_ABBREVIATIONS, 0, ending.end()):
            yield ending.end()
