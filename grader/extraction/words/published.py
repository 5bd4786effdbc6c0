"""The writings of a published answer in words, to look for in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ...dates import day_of, writings
from ...records import Task
from ...truth import FENCING, without_label

# 18-25 years; not of years themselves
_SPAN = re.compile(r"([0-9]{1,3}|[0-9]{5,9}|[0-9]+\.[0-9]+)\s?(?:[-–—]|to)\s?([0-9].*)")
_SPAN_SIGNS = ("-", "–", "—", " - ", " – ", " to ")
_ASKS_FOR_DAY = re.compile(r"\b(?:which|what) (?:date|day)\b", re.IGNORECASE)
_ARROW = re.compile(r"\s?-{1,3}>\s?")
_ARROWS = ("->", " -> ", "→", " → ", " causes ")


def published_words(task: Task) -> Mapping[str, str]:
    """The published answer of a task without options, as its only option, to compare a text
    with; a date or a range of numbers in all its writings."""
    words = without_label(task.ground_truth or "").strip(FENCING).lower()
    if span := _SPAN.fullmatch(words):
        written: Iterable[str] = (f"{span[1]}{sign}{span[2]}" for sign in _SPAN_SIGNS)
    elif "->" in words:
        written = [words, *(_ARROW.sub(arrow, words) for arrow in _ARROWS)]
    else:
        written = writings(words) or (words,)
        if _ASKS_FOR_DAY.search(task.question) and (day := day_of(words)):
            written = (*written, *writings(day))
    return {one.lower(): one for one in written if one}
