"""Sentences that go on elsewhere: "The standard error is", before a formula on lines of its own,
and the one whose result "Rounded to two decimals 0.22" gives."""

from __future__ import annotations

from bisect import bisect_left
from operator import attrgetter

from ...text import Block
from ...text.keywords import words
from ...text.sentences import last_sentence
from ..scan import Scan

_FORMULA_SIGNS = ("$$", "\\[")
_ROUNDING = "Rounded "
_CONTINUING = (*_FORMULA_SIGNS, _ROUNDING)
_STOPS = (".", "!", "?")
_LONGEST = 300


def may_continue(text: str) -> bool:
    """False for a text no part of which goes on with a sentence; a cheap look ahead."""
    return "$$" in text or "\\[" in text or _ROUNDING in text


def words_of_lead(scan: Scan, block: Block, place: int) -> set[str]:
    """The words of the sentence that a part of a block goes on with; none if it goes on with none.
    place: of the part among the block's."""
    parts, text = scan.parts(block), block.text
    if place and text[parts[place - 1].start : parts[place - 1].end].strip() in _FORMULA_SIGNS:
        place -= 1  # `$$` is a line of its own
    start = parts[place].start
    if not text.startswith(_CONTINUING, start):
        return set()
    if place:
        lead = text[parts[place - 1].start : parts[place - 1].end]
    else:
        lead = _last_said_before(scan, block)
    is_complete = lead.endswith(_STOPS) and not text.startswith(_ROUNDING, start)
    return set() if is_complete else words(lead)


def _last_said_before(scan: Scan, block: Block) -> str:
    """The last sentence of the paragraph of prose right before a block."""
    blocks = scan.output.blocks
    before = bisect_left(blocks, block.start, key=attrgetter("start")) - 1
    if before < 0 or blocks[before].kind != "prose":
        return ""
    near = blocks[before].text[-_LONGEST:]
    start, end = last_sentence(near)
    return near[start:end]
