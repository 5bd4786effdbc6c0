"""Lists that take up the options one by one, an item for each; cells of tables that answer."""

from __future__ import annotations

from collections.abc import Sequence

from ...records import Candidate
from ...text import Block
from ...text.keywords import content_words
from ...text.markdown_table import column_headings, heading_of
from ..question import Question

_FEWEST_LISTED = 3
_STEM = 5  # letters in which two forms of a word are alike: stationary, stationarity
_LONGEST_LEAD = 80  # characters of a line beside the option that begins it


def items_of(mentions: Sequence[Candidate], block: Block) -> frozenset[int]:
    """Where the mentions start that each begin a line, if they are a list of several options; of
    two, in printed output."""
    text = block.text
    first = {
        one.span[0]: one.value
        for one in mentions
        if _begins_line(text, one.span[0]) and not _is_line(text, one)
    }
    fewest = 2 if block.kind == "execution" else _FEWEST_LISTED
    return frozenset(first) if len(set(first.values())) >= fewest else frozenset()


def _begins_line(text: str, start: int) -> bool:
    """Whether nothing but signs and the word "option" stand on a line before an offset."""
    lead = text[max(0, start - _LONGEST_LEAD) : start]
    _, newline, line = lead.rpartition("\n")
    if not newline and start > _LONGEST_LEAD:
        return False
    return not any(map(str.isalnum, line.lower().replace("option", "")))


def _is_line(text: str, mention: Candidate) -> bool:
    """Whether nothing stands behind a mention on its line."""
    _, end = mention.span
    return not text[end : end + _LONGEST_LEAD].partition("\n")[0].strip(" *_`.,")


def is_answering_cell(table: str, span: tuple[int, int], question: Question) -> bool:
    """Whether a mention is all of a cell whose row or column is called by a word of the question:
    `| Stationary? | No |`. table: a text, of which it need not be true that it is one."""
    if not table.startswith("|"):
        return False
    start, end = span
    line = table.rfind("\n", 0, start) + 1
    is_cell = not table[table.rfind("|", 0, start) + 1 : start].strip(" *_`\n")
    if not is_cell or table[end : end + _LONGEST_LEAD].lstrip(" *_`.✅❌✓✗")[:1] != "|":
        return False
    label = table[line:start].strip("| ").partition("|")[0]
    names = content_words(f"{label} {heading_of(column_headings(table), table, start)}".lower())
    asked = {word[:_STEM] for word in question.keywords}
    return any(name[:_STEM] in asked for name in names)
