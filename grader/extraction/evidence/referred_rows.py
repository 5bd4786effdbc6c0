"""Rows and columns of printed output and of tables that the prose refers to instead of giving their
number: "see the row `age`", "the last line gives the rate asked for", "see the `auc` column"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

from ...text import Block
from ...text.keywords import overlap, share, words
from ...text.markdown_table import column_headings, heading_of
from ..naming import topic_named
from ..parts import PLAIN, Marked, Part
from ..phrases import refers_to_question
from ..question import Question
from ..question.topics import has_any
from ..scan import Scan

_ROW = r"(?:row|line|entry|term|coefficient|parameter)"
_QUOTED = r"[`'\"“‘*]{1,2}([^`'\"”’*\n]{1,40})[`'\"”’*]"
_ROWS = re.compile(
    rf"\b(?:last|final|bottom)\s(?P<last>{_ROW})\b"
    rf"|\b{_ROW}\s(?:(?:for|of|on|with|called|named|labell?ed|marked)\s)?(?:the\s)?{_QUOTED}"
    rf"|{_QUOTED}\s{_ROW}\b"
    rf"|\bsee\s(?:the\s)?{_QUOTED}\s(?:in|above|under)\b"
    rf"|{_QUOTED}\s(?:as\s)?(?:printed|shown|displayed|listed)\b"
    rf"|\b(?:row|line|entry)\s(?:for|called|named|labell?ed|marked)\s(?:the\s)?([^.,;:()`\"\n]{{1,40}})"
    r"|\bthe\s(?!last\b|final\b|bottom\b)([\w.:-]{1,40})\s(?:row|entry)\b",
    re.IGNORECASE,
)
_COLUMNS = re.compile(
    rf"{_QUOTED}\scolumn\b|\bcolumn\s(?:(?:called|named|labell?ed)\s)?{_QUOTED}", re.IGNORECASE
)
_REFUSED = re.compile(  # do not use the last line
    r"(?:\bnot|n['’]t|\bignore|\bdisregard|\binstead of|\brather than) (?:\w+ ){0,3}$"
)
_ASKED_FOR = frozenset(
    "asked requested needed need wanted want interest looking question answer".split()
)
_LEADING = " \t>#*|-("  # signs before the label of a row
_BETWEEN_COLUMNS = re.compile(r"\s{2,}")
_FARTHEST_HEADING = 4000  # characters above a row
_MOST_REFERENCES, _MOST_PARAGRAPHS, _MOST_CELLS = 20, 20, 300
_LONGEST_CLAUSE = 300


def referred_to(scan: Scan) -> frozenset[tuple[int, int]]:
    """The numbers of printed output and of tables that a sentence below, which gives no number
    itself, refers to as what is asked for: each by the starts of its block and of itself."""
    if scan.referred is None:
        scan.referred = frozenset(_find(scan))
    return scan.referred


def _find(scan: Scan) -> set[tuple[int, int]]:
    found: set[tuple[int, int]] = set()
    printed: list[Block] = []  # paragraphs of one printout, the last first, or a table
    left = _MOST_REFERENCES
    for block in scan.output.blocks:
        if block.kind == "code" or block.text[:1] == "|":
            printed = []
        if block.kind == "execution" or block.text[:1] == "|":
            printed = [block, *printed[: _MOST_PARAGRAPHS - 1]]
        elif printed and block.kind == "prose" and _may_refer(block.text):
            for label in islice(_labels(scan, block), left):
                left -= 1
                found |= _first(_cells_of_row(label, scan, rows) for rows in printed)
            for name in islice(_columns(scan, block), left):
                left -= 1
                found |= _first(_cells_below(name, scan, rows) for rows in printed)
    return found


def _first(found: Iterator[set[tuple[int, int]]]) -> set[tuple[int, int]]:
    """The first of several sets that is not empty."""
    return next(filter(None, found), set())


def _may_refer(text: str) -> bool:
    return has_any(text, ("row", "line", "entry", "column", "`"))


def _labels(scan: Scan, block: Block) -> Iterator[str]:
    """The labels of the rows that a block refers to; empty for the last row."""
    for one in _references(_ROWS, scan, block):
        yield "" if one["last"] else one[one.lastindex or 0].strip()


def _columns(scan: Scan, block: Block) -> Iterator[str]:
    """The names of the columns that a block refers to."""
    for one in _references(_COLUMNS, scan, block):
        yield one[one.lastindex or 0].strip()


def _references(pattern: re.Pattern[str], scan: Scan, block: Block) -> Iterator[re.Match[str]]:
    """Where a pattern stands in sentences that say what is asked for, in clauses without a
    number."""
    text = block.text
    for part in scan.parts(block):
        found = pattern.finditer(text, part.start, part.end)
        first = next(found, None)
        if first is None:
            continue
        said = words(text[part.start : part.end])
        if share(scan.question.target, said) or not said.isdisjoint(_ASKED_FOR):
            yield from (one for one in chain([first], found) if _may_mean(one, part, text))


def _may_mean(reference: re.Match[str], part: Part, text: str) -> bool:
    """Whether a reference in a sentence may be to the answer: nothing says not to use it, and its
    clause, from the semicolon before it on, has no plain number."""
    start = max(part.start, reference.start() - _LONGEST_CLAUSE)
    if _REFUSED.search(text, start, reference.start()):
        return False
    start = max(start, text.rfind(";", start, reference.start()))
    return not any(mark.standing == PLAIN and mark.number.start > start for mark in part.marks)


def presents(part: Part, text: str) -> bool:
    """Whether a sentence says that a number of its own, not one of a row, is what is asked for."""
    if not refers_to_question(text, part.start, part.end):
        return False
    return _ROWS.search(text, part.start, part.end) is None


def _last_row(text: str) -> tuple[int, int]:
    """Where the last line with a digit starts and ends."""
    end = len(text)
    while end > 0:
        start = text.rfind("\n", 0, end) + 1
        if any(map(str.isdigit, text[start:end])):
            return start, end
        end = start - 1
    return 0, 0


def _row_called(label: str, text: str) -> tuple[int, int]:
    """Where the first line that begins with a label starts and ends; without one, the only line
    that has it. An empty place if there is none."""
    named = re.compile(rf"(?<![\w.]){re.escape(label)}(?!\w)", re.IGNORECASE)
    holding: list[tuple[int, int]] = []
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        if found := named.search(line):
            if not line[: found.start()].strip(_LEADING):
                return start, end
            holding.append((start, end))
        start = end + 1
    return holding[0] if len(holding) == 1 else (0, 0)


def _cells_of_row(label: str, scan: Scan, block: Block) -> set[tuple[int, int]]:
    """The numbers of a row that may be meant: those called or in a column named as what is asked
    for, else those in the form asked for, else the first. An empty label is that of the last
    row."""
    question, text = scan.question, block.text
    start, end = _row_called(label, text) if label else _last_row(text)
    marks = [
        mark
        for mark in scan.marks(block)
        if mark.standing == PLAIN and start <= mark.number.start < end
    ]
    called = [mark for mark in marks if _is_called(mark, question)]
    named = [mark for mark in marks if _is_named(_heading(text, start, mark), question)]
    percent = [mark for mark in marks if question.wants_percent and mark.number.is_percent]
    return {(block.start, mark.number.start) for mark in called or named or percent or marks[:1]}


def _is_called(mark: Marked, question: Question) -> bool:
    """Whether the question has the name right before a number: `LC10 0.85  LC50 3.33`."""
    name = mark.context.last_word.strip("*_`:=(").lower()
    return name in question.keywords


def _cells_below(name: str, scan: Scan, block: Block) -> set[tuple[int, int]]:
    """The only number of a column, or the one in the only row whose label the question names; none
    in a table of very many numbers."""
    text, asked = block.text, scan.question.keywords
    cells: list[tuple[int, str]] = []
    marks = scan.marks(block)
    for mark in marks if len(marks) <= _MOST_CELLS else ():
        row = text.rfind("\n", 0, mark.number.start) + 1
        if _heading(text, row, mark).strip(" *`").lower() == name.lower():
            cells.append((mark.number.start, text[row : mark.number.start]))
    if len(cells) > 1:
        cells = [(start, before) for start, before in cells if _is_row_of(asked, before)]
    return {(block.start, start) for start, _ in cells} if len(cells) == 1 else set()


def _is_row_of(asked: frozenset[str], before: str) -> bool:
    """Whether the words of a row in front of a number are words of the question."""
    label = {word for word in words(before.lower()) if not word[0].isdigit()}
    return bool(label) and label <= asked


def _heading(text: str, row: int, mark: Marked) -> str:
    """The heading of a number's column: in a Markdown table its cell of the first line; in a
    printed one, whose columns are aligned at the right, the words above. Empty if there is none."""
    if headings := column_headings(text):
        return heading_of(headings, text, mark.number.start)
    column = mark.number.end - row
    first = max(0, row - _FARTHEST_HEADING)
    for line in reversed(text[first:row].split("\n")[first > 0 : -1]):  # without one cut off
        if line[column - 1 : column].strip() and not line[column : column + 1].strip():
            heading = _BETWEEN_COLUMNS.split(line[:column])[-1]
            if any(map(str.isalpha, heading)):
                return heading
    return ""


def _is_named(heading: str, question: Question) -> bool:
    """Whether a heading says what is asked for."""
    if not heading:
        return False
    topics = {topic_named(heading), topic_named(heading.upper())}  # `se` is SE here
    plain = heading.replace("_", " ")
    return not question.topics.isdisjoint(topics) or overlap(question.target, plain) > 0
