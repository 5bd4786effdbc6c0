"""Lists that take up the options one by one, an item for each."""

from __future__ import annotations

from collections.abc import Sequence

from ...records import Candidate
from ...text import Block

_FEWEST_LISTED = 3


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
    lead = text[text.rfind("\n", 0, start) + 1 : start].lower()
    return not any(map(str.isalnum, lead.replace("option", "")))


def _is_line(text: str, mention: Candidate) -> bool:
    """Whether nothing stands behind a mention on its line."""
    end = text.find("\n", mention.span[1])
    return not text[mention.span[1] : end if end >= 0 else len(text)].strip(" *_`.,")
