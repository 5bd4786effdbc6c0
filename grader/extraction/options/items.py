"""Lists that take up the options one by one, an item for each."""

from __future__ import annotations

from collections.abc import Sequence

from ...records import Candidate
from ...text import Block

_FEWEST_LISTED = 3
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
