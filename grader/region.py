"""The answer region: the block, and in it the sentence, most likely to hold the answer
(Zheng & Hsu 2026, section 3 and S.4)."""

from __future__ import annotations

from typing import NamedTuple

from .formats import BlockKind
from .keywords import says_little
from .phrases import EXPLICIT_BONUS
from .records import Half
from .scan import Marked, Scan
from .settings import GradeSettings
from .text import Block

ANSWER_BEARING: dict[Half, tuple[BlockKind, ...]] = {
    "verbal": ("prose", "answer", "reasoning"),
    "execution": ("execution",),
}


OPENING_BONUS = 0.2


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
    objects to goes before one without. None if there is none. Among nearly equal blocks the
    one that opens the answer is preferred. Where no block scores above the threshold the last
    one is taken and flagged `low_confidence`.
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
    if half == "execution" and _says_one_thing(scan, blocks[-1]):
        blocks = blocks[-1:]
    scores = [_block_score(scan, block) for block in blocks]
    opening = scan.opening()
    best = max(
        range(len(blocks)),
        key=lambda index: (scores[index] + OPENING_BONUS * (blocks[index] is opening), index),
    )
    low = max(scores) <= settings.region_threshold
    if low:
        best = len(blocks) - 1
    return _narrow(scan, blocks[best], scores[best], low)


def _says_one_thing(scan: Scan, block: Block) -> bool:
    """True for output that is one number, as a console prints the value of a last line."""
    return len(scan.marks(block)) == 1 and len(block.text) < 120


def _block_score(scan: Scan, block: Block) -> float:
    """A block's region score; prose that is nothing but a number states the answer outright."""
    score = scan.block_score(block)
    marks = scan.marks(block)
    if block.kind == "prose" and len(marks) == 1 and says_little(block.text):
        return score + EXPLICIT_BONUS
    return score


def _narrow(scan: Scan, block: Block, score: float, low: bool) -> Region:
    parts = [part for part in scan.parts(block) if part.marks]
    if len(parts) == 1 and len(scan.parts(block)) == 1:
        return Region(block.text, 0, score, low, scan.marks(block))
    ranked = [
        (
            max(mark.standing for mark in part.marks),
            any(mark.pinned for mark in part.marks if mark.standing),
            scan.part_score(block, part),
        )
        for part in parts
    ]
    best = max(range(len(parts)), key=lambda index: (ranked[index], -index))
    if block.kind == "execution" and ranked.count(ranked[best]) > 1:
        # Lines of a printout that nothing tells apart: choosing one would be guessing.
        return Region(block.text, 0, score, low, scan.marks(block))
    part = parts[best]
    return Region(block.text[part.start : part.end], part.start, score, low, part.marks)
