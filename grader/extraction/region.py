"""The answer region: the block, and in it the sentence, most likely to hold the answer
(Zheng & Hsu 2026, section 3 and S.4)."""

from __future__ import annotations

import math
from typing import NamedTuple

from ..records import Extraction, Half
from ..settings import GradeSettings
from ..text import Block
from ..text.formats import BlockKind
from ..text.keywords import is_bare
from .declining import states_no_number
from .evidence.referred_rows import presents, referred_to
from .evidence.sentences import weigh_block
from .parts import BARRED, FALLBACK, PLAIN, Marked, Part
from .phrases import EXPLICIT_BONUS
from .rules import interval_end
from .scan import Scan

ANSWER_BEARING: dict[Half, tuple[BlockKind, ...]] = {
    "verbal": ("prose", "answer", "reasoning"),
    "execution": ("execution",),
}
OPENING_BONUS, CONCLUDING_BONUS, NAMED_BONUS, BOLD_BONUS = 0.2, 0.3, 0.2, 0.5


class Region(NamedTuple):
    """The part of an output taken to hold the answer. `start` is its offset in the block."""

    text: str
    start: int
    score: float
    low_confidence: bool
    marks: tuple[Marked, ...]


def nothing_found(half: Half) -> Extraction:
    """The result of a parser for a half of an output without an answer region."""
    return Extraction(parser="keyword", half=half, region_score=0.0, low_confidence=True)


def find_region(scan: Scan, half: Half, settings: GradeSettings) -> Region | None:
    """The answer region of one half: its best block, narrowed to the best sentence or line.

    None if no block has a number that could be an answer, or the answer section states none. Blocks
    with a number that no rule objects to come first. A bonus goes to blocks that open the answer,
    follow a heading like "Summary", name a number as what is asked for, or hold the only number in
    bold. If no block scores above the threshold, the last one is taken. A region at or below it is
    `low_confidence`.
    """
    if states_no_number(scan):
        return None
    blocks = [
        block
        for block in scan.output.blocks
        if block.kind in ANSWER_BEARING[half] and scan.numbers(block)
    ]
    if half == "execution" and (row := _referred_row(scan, blocks)):
        return row
    answers = [
        block for block in blocks if block.kind == "answer" and scan.standing(block) > BARRED
    ]
    groups = [answers[-1:]] if answers else _groups(blocks)
    for standing in (PLAIN, FALLBACK):
        for group in groups:
            if chosen := _choose(scan, group, standing, half, settings):
                return chosen
    return None


def refers_to_print(scan: Scan) -> bool:
    """True if the answer is a number in print that the prose refers to, and the prose presents none
    of its own as what is asked for."""
    referred = {start for start, _ in referred_to(scan)}
    blocks = scan.output.blocks
    if not any(block.kind == "execution" and block.start in referred for block in blocks):
        return False
    return not any(
        _presents(scan, part, block.text)
        for block in blocks
        if block.kind in ANSWER_BEARING["verbal"]
        for part in scan.parts(block)
    )


def _presents(scan: Scan, part: Part, text: str) -> bool:
    """Whether a sentence has a plain number that it presents as what is asked for."""
    plain = [mark for mark in part.marks if mark.standing == PLAIN]
    if not plain:
        return False
    return presents(part, text) or any(
        mark.pinned or mark.announced or mark.emphasised or _is_named_as_asked(scan, mark)
        for mark in plain
    )


def _referred_row(scan: Scan, blocks: list[Block]) -> Region | None:
    """The row of print that the prose refers to, with the numbers of it that may be meant."""
    referred = referred_to(scan)
    for block in reversed(blocks):
        meant = [mark for mark in scan.marks(block) if (block.start, mark.number.start) in referred]
        if meant:
            row = next(part for part in scan.parts(block) if meant[-1] in part.marks)
            marks = tuple(mark for mark in meant if mark in row.marks)
            score = _block_score(scan, block)
            return Region(
                block.text[row.start : row.end], row.start, score, low_confidence=False, marks=marks
            )
    return None


def _groups(blocks: list[Block]) -> list[list[Block]]:
    """The blocks in two groups: what is said, then what is thought."""
    said = [block for block in blocks if block.kind != "reasoning"]
    return [said, [block for block in blocks if block.kind == "reasoning"]]


def _choose(
    scan: Scan, blocks: list[Block], standing: int, half: Half, settings: GradeSettings
) -> Region | None:
    """The region in the best block whose best number has this standing. Blocks are tried in the
    order of their scores, so that few of many need a close look."""
    last = next((b for b in reversed(blocks) if scan.standing(b) == standing), None)
    if last is None:
        return None
    if half == "execution" and _says_one_thing(scan, last):
        blocks = [last]
    if len(blocks) == 1:
        score = _block_score(scan, last)
        return _narrow(scan, last, score, score <= settings.region_threshold)
    scores = [_block_score(scan, block) for block in blocks]
    opening = scan.opening()
    bold = scan.only_in_bold() if half == "verbal" else None
    keys = [
        score
        + OPENING_BONUS * (block is opening)
        + CONCLUDING_BONUS * scan.is_concluding(block)
        + BOLD_BONUS * (bold is not None and "**" in block.text and bold in scan.marks(block))
        for score, block in zip(scores, blocks, strict=True)
    ]
    near = max(keys) - NAMED_BONUS  # a block below this cannot win by its names
    for index, block in enumerate(blocks):
        if keys[index] >= near and _names_what_is_asked(scan, block):
            keys[index] += NAMED_BONUS
    order = sorted(range(len(blocks)), key=lambda index: (keys[index], index), reverse=True)
    best = next(i for i in order if scan.standing(blocks[i]) == standing)
    above = (i for i in order if scores[i] > settings.region_threshold)
    if any(scan.standing(blocks[i]) == standing for i in above):
        return _narrow(scan, blocks[best], scores[best], scores[best] <= settings.region_threshold)
    return _narrow(scan, last, scores[blocks.index(last)], low=True)


def _names_what_is_asked(scan: Scan, block: Block) -> bool:
    """True for a block with a plain number that has the name of what the question asks for."""
    return any(_is_named_as_asked(scan, mark) for mark in scan.marks(block))


def _is_named_as_asked(scan: Scan, mark: Marked) -> bool:
    """True for a plain number with the name of what the question asks for."""
    question, context = scan.question, mark.context
    if mark.standing != PLAIN:
        return False
    if question.bound is not None and interval_end(context) == question.bound:
        return True
    return context.topic in question.topics


def _says_one_thing(scan: Scan, block: Block) -> bool:
    """True for output that is one number, as a console prints the value of a last line."""
    return len(scan.numbers(block)) == 1 and len(block.text) < 120


def _block_score(scan: Scan, block: Block) -> float:
    """A block's region score. Prose that is only a number, with or without its unit, states the
    answer outright."""
    score = scan.block_score(block)
    numbers = scan.numbers(block)
    if block.kind == "prose" and len(numbers) == 1:
        return score + EXPLICIT_BONUS * is_bare(block.text, numbers[0].start, numbers[0].end)
    return score


def _narrow(scan: Scan, block: Block, score: float, low: bool) -> Region:
    """The sentence or line of a block whose best number has most evidence; in a printout, the line
    with the highest score."""
    parts = [part for part in scan.parts(block) if part.marks]
    if len(parts) == 1 and len(scan.parts(block)) == 1:
        return Region(block.text, 0, score, low, scan.marks(block))
    claims = [
        (
            max(mark.standing for mark in part.marks),
            any(mark.pinned for mark in part.marks if mark.standing > BARRED),
        )
        for part in parts
    ]
    strongest = max(claims)
    best = [part for part, claim in zip(parts, claims, strict=True) if claim == strongest]
    if len(best) > 1:
        best = _most_supported(scan, block, best)
    if block.kind == "execution" and len(best) > 1:
        # Lines of a printout with equal scores: choosing one would be guessing.
        return Region(block.text, 0, score, low, scan.marks(block))
    part = best[0]
    return Region(block.text[part.start : part.end], part.start, score, low, part.marks)


def _most_supported(scan: Scan, block: Block, parts: list[Part]) -> list[Part]:
    """The parts whose best number has the most evidence; in a printout, the parts with the highest
    score."""
    if block.kind == "execution":
        support = {part.start: scan.part_score(block, part) for part in parts}
    else:
        support = dict.fromkeys([part.start for part in parts], -math.inf)
        for _, _, part, named in weigh_block(scan, block, {}):
            if part.start in support:
                support[part.start] = max(support[part.start], sum(named.values()))
    most = max(support.values())
    return [part for part in parts if support[part.start] == most]
