"""The answer region: the block, and in it the sentence, most likely to hold the answer
(Zheng & Hsu 2026, section 3 and S.4)."""

from __future__ import annotations

from typing import NamedTuple

from .records import Half
from .scan import Marked, Scan
from .settings import GradeSettings
from .text import Block, BlockKind

ANSWER_BEARING: dict[Half, tuple[BlockKind, ...]] = {
    "verbal": ("prose", "answer", "reasoning"),
    "execution": ("execution",),
}


class Region(NamedTuple):
    """The part of an output taken to hold the answer. `start` is its offset in the block."""

    text: str
    start: int
    score: float
    low_confidence: bool
    marks: tuple[Marked, ...]


def find_region(scan: Scan, half: Half, settings: GradeSettings) -> Region | None:
    """The answer region of one half: its best block, narrowed to the best sentence or line.

    Only blocks with a number that could be an answer count; one with a number that no rule
    objects to goes before one without. None if there is none. Where no block scores above
    the threshold the last one is taken and flagged `low_confidence`.
    """
    standings = [
        (max((mark.standing for mark in scan.marks(block)), default=0), block)
        for block in scan.output.blocks
        if block.kind in ANSWER_BEARING[half]
    ]
    best_standing = max((standing for standing, _ in standings), default=0)
    if best_standing == 0:
        return None
    if answers := [block for standing, block in standings if standing and block.kind == "answer"]:
        blocks = answers[-1:]
    else:
        blocks = [block for standing, block in standings if standing == best_standing]
        blocks = [block for block in blocks if block.kind != "reasoning"] or blocks
    scored = [(scan.region_score(block.text, block.kind), block) for block in blocks]
    score, block = max(reversed(scored), key=lambda pair: pair[0])
    low = score <= settings.region_threshold
    if low:
        score, block = scored[-1]
    return _narrow(scan, block, score, low)


def _narrow(scan: Scan, block: Block, score: float, low: bool) -> Region:
    parts = [part for part in scan.parts(block) if part.marks]
    if len(parts) == 1 and len(scan.parts(block)) == 1:
        return Region(block.text, 0, score, low, scan.marks(block))
    ranked = [
        (max(m.standing for m in part.marks), scan.region_score(block.text[part.start : part.end]))
        for part in parts
    ]
    best = max(range(len(parts)), key=lambda index: (ranked[index], -index))
    part = parts[best]
    return Region(block.text[part.start : part.end], part.start, score, low, part.marks)
