"""The labels of rows, columns and items: which of them a question names, and which are of something
else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ...numbers import parse_number
from ...text.keywords import content_words, words
from ...text.list_items import Item
from ..circumstances import Circumstances, is_beyond_limits
from ..naming import topic_named
from ..number_words import values_of
from ..parts import Part
from ..question import Question

_LONGEST_LABEL = 40
_SHORTEST_STEM = 4
_ROW = re.compile(r"[\s|>*_•-]*(?:[0-9]{1,2}[.)]\s)?[*_`]{0,3}([^\n:|,*_`]{2,40})[*_`]{0,3}[:|,]")
_SHARE = re.compile(r"%|[0-9]\.[0-9]")
_NUMBERS = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_MONTHS = {
    name[:3]: name
    for name in "january february march april june july august september october november"
    " december".split()
} | {"sept": "september"}
_CONCLUDING = frozenset("rounded result answer conclusion summary final".split())


def asked_rows(parts: Sequence[Part], text: str, items: list[Item], question: Question) -> set[int]:
    """Where the sentences start of the one row of a table, or of the one of its items, whose label
    the question names. The items of a difference or a ratio are named like it; those named like a
    statistic are judged by that."""
    if text.startswith("|"):
        below = parts[1:]  # the heading
        rows = [(part.start, text[part.start : part.end]) for part in below]
        return _row_of(question, rows)
    if len(items) < 2 or question.may_be_difference or "ratio" in question.topics:
        return set()
    topics = {topic_named(item.label) for item in items}
    if not topics.isdisjoint(question.topics) or any(map(_concludes, items)):
        return set()
    things = [item for item in items if topic_named(item.label) is None]
    asked = _item_of(question, things)
    ends = {start: _line_end(text, start + 1) for start in asked}
    if question.wants_percent and "%" in text:  # `In the test set: 64` is a count
        ends = {start: end for start, end in ends.items() if _SHARE.search(text, start, end)}
    return {
        part.start for part in parts for start, end in ends.items() if start <= part.start < end
    }


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _concludes(item: Item) -> bool:
    """True for an item of a list called `Final answer` or the like."""
    return not _CONCLUDING.isdisjoint(words(item.label.lower()))


def is_of_else(line: str, above: str, question: Question) -> bool:
    """Whether the label of a row or item, or of one that it stands under, names what is only
    adjusted for, or the other side of a limit."""
    if not (question.held_fixed or question.circumstances.limits):
        return False
    label = _ROW.match(line)
    named = label[1] if label else ""
    if question.held_fixed:
        for said in (
            content_words(named.lower()),
            content_words(above.lower()) & question.keywords,
        ):
            if said and said <= question.held_fixed:
                return True
    return is_beyond_limits(question.circumstances, f"{above} {named}")


def _row_of(question: Question, lines: list[tuple[int, str]]) -> set[int]:
    """The start of the line of a table whose label the question names, by a number or by words of
    the part that asks; of several, the one whose label also has a number of the question."""
    found = _named(question.circumstances, lines)
    return found if len(found) == 1 else _with_number(question, lines, found)


def _item_of(question: Question, items: list[Item]) -> set[int]:
    """The start of the item of a list whose label the question names, as in `_row_of`, where
    "smoking" may name the smokers. Of several in a nested list the one whose label in full, with
    those of the items above it, is named by most words."""
    asked = question.circumstances
    labels = [(item.start, item.label) for item in items]
    found = _named(asked, labels, by_stems=True)
    if len(found) == 1:
        return found
    named = [item for item in items if item.start in found]
    if all(item.label == item.in_full for item in named):
        return _with_number(question, labels, found)
    sizes = {item.start: _words_named(item.in_full, asked) for item in named}
    most = max(sizes.values(), default=0)
    best = {start for start, size in sizes.items() if size == most > 0}
    return best if len(best) == 1 else set()


def _with_number(question: Question, lines: list[tuple[int, str]], among: set[int]) -> set[int]:
    """The one of some lines whose label has a number of the question: `Fiber, 3+ calls` for
    "fiber customers with three or more calls"; empty if that holds for none or several."""
    if not among:
        return among
    asked = question.circumstances.numbers | values_of(question.number_words)
    found = {
        start
        for start, line in lines
        if start in among and not asked.isdisjoint(map(float, _NUMBERS.findall(_cell(line))))
    }
    return found if len(found) == 1 else set()


def _words_named(label: str, asked: Circumstances) -> int:
    """How many words a label has, if the question names it by all of them; else 0."""
    said = _words_of(label)
    return len(said) if _stems(said) <= _stems(asked.further) else 0


def _named(
    asked: Circumstances, lines: list[tuple[int, str]], *, by_stems: bool = False
) -> set[int]:
    found = {start for start, line in lines if _label(line) in asked.numbers}
    for said in (asked.words, asked.further):
        if not found and said:
            labels = [(start, _words_of(_cell(line), asked.words)) for start, line in lines]
            found = {
                start
                for start, label in labels
                if not label <= asked.held_fixed and _is_named(label, said, by_stems)
            }
    return found


def _words_of(label: str, names: frozenset[str] = frozenset()) -> frozenset[str]:
    """The content words of a label, names of months in full; one of some names with underscores
    (`annual_rent`), if the label is that in words."""
    if (joined := "_".join(label.lower().split())) in names:
        return frozenset([joined])
    said = content_words(label.lower())
    return frozenset([_MONTHS.get(word, word) for word in said])


def _cell(line: str) -> str:
    """The first cell of a row, without a remark in brackets; empty for a long one."""
    cell = line.strip().strip("|").partition("|")[0].partition("(")[0].strip(" *_`")
    return cell if len(cell) <= _LONGEST_LABEL else ""


def _label(line: str) -> float | None:
    label = parse_number(_cell(line))
    return label.value if label else None


def _is_named(label: frozenset[str], said: frozenset[str], by_stems: bool) -> bool:
    return label <= said or (by_stems and _stems(label) <= _stems(said))


@lru_cache(maxsize=4096)
def _stems(said: frozenset[str]) -> frozenset[str]:
    return frozenset(map(_stem, said))


def _stem(word: str) -> str:
    """What "smoking", "smoker" and "smokers" have in common."""
    word = word.removesuffix("s")
    for end in ("ing", "er", "ed", "e"):
        if word.endswith(end) and len(word) - len(end) >= _SHORTEST_STEM:
            return word.removesuffix(end)
    return word
