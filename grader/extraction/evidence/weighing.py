"""Evidence for and against each number of an output being the answer.

Evidence has names, and each name a weight (`weights.WEIGHTS`; the marks of `rules.RULES` weigh
their penalties). `blind.py` ranks the candidates by their sums.
"""

from __future__ import annotations

import re

from ...numbers import Quantity
from ...text import Block, Output
from ...text.keywords import is_bare, overlap
from ...text.sections import is_beside
from .. import refusals
from ..circumstances import is_beyond_limits
from ..declining import states_no_number
from ..parts import BARRED, PLAIN, Weighed
from ..rules import is_operand
from ..scan import Scan
from .interim import MUCH, aboutness, add_interim, codes_before_results
from .referred_rows import presents, referred_to
from .sentences import is_list, is_of_question, weigh_block
from .weights import WEIGHTS

CANDIDATE_KINDS = ("prose", "answer", "reasoning", "execution")  # of blocks
_MAX_IN_PRINT = 60
_MOST_BLOCKS = 60
_WARNS = re.compile(r"warn|\bstderr\b", re.IGNORECASE)


def weigh_candidates(scan: Scan, earlier: str = "") -> list[Weighed]:
    """Every number of the final output that can be an answer, in order of appearance, with its
    evidence by name.

    earlier: raw text of the steps before, used only as support for what the final one says.
    """
    if states_no_number(scan):
        return []
    closing = next((b for b in reversed(scan.output.blocks) if b.kind == "prose"), None)
    codes = codes_before_results(scan)
    doubts = _doubts(scan)
    found: list[Weighed] = []
    referred = referred_to(scan)
    of_referred = {start for start, _ in referred}
    for block in _candidate_blocks(scan, of_referred):
        if block.start in of_referred or _is_worth_reading(scan, block):
            of_block = _block_evidence(scan, block, block is closing, doubts)
            found += weigh_block(scan, block, of_block)
    if found and found[-1].block is closing and not _has_code(scan.output):
        _add_conclusion(found)
    if codes:
        add_interim(found, codes[0], codes[-1])
    _prefer_last(found)
    _spare_printed(found)
    _add_references(found, referred)
    _add_further_use(found, has_printed=bool(scan.printed()))
    _add_support(found, earlier)
    return found


def _prefer_last(found: list[Weighed]) -> None:
    """Add the evidence against explicit answers that another follows: of several boxes, or of
    several answer sections that are one number each, the last counts."""
    boxed = [one for one in found if "boxed" in one.evidence]
    sections = [one for one in found if one.block.kind == "answer" and _is_all(one)]
    for one in boxed[:-1] + sections[:-1]:
        one.evidence["earlier_answer"] = WEIGHTS["earlier_answer"]


def _is_all(one: Weighed) -> bool:
    """Whether a number is all that its block says."""
    return one.block.text.strip(" .*$") == one.mark.number.text


def _spare_printed(found: list[Weighed]) -> None:
    """Take back the evidence against printed numbers that say much more of what is asked for than
    anything in prose does."""
    beside = [one for one in found if "printed_beside_prose" in one.evidence]
    if not beside:
        return
    said = max([aboutness(one) for one in found if one.block.kind != "execution"], default=0.0)
    for one in beside:
        if aboutness(one) > said + MUCH:
            del one.evidence["printed_beside_prose"]
            one.evidence["printed_without_prose"] = WEIGHTS["printed_without_prose"]


def _add_references(found: list[Weighed], referred: frozenset[tuple[int, int]]) -> None:
    """Add the evidence of being referred to, in place of being said, to numbers in print and
    tables; these, not those said in another sentence, are then what was asked for."""
    for mark, block, part, evidence in found if referred else ():
        if (block.start, mark.number.start) in referred:
            evidence.pop("printed_beside_prose", None)
            evidence["referred_to"] = WEIGHTS["referred_to"]
        elif not presents(part, block.text):
            evidence.pop("asked_for", None)


def _has_code(output: Output) -> bool:
    return any(block.kind in ("code", "execution") for block in output.blocks)


def _add_conclusion(found: list[Weighed]) -> None:
    """Add the evidence of standing in the last sentence of a text that reasons without code; a list
    has none."""
    _, block, last, _ = found[-1]
    if last.end >= len(block.text.rstrip()) and not is_list(block.text):
        for _, _, part, evidence in found:
            if part is last:
                evidence["last_sentence"] = WEIGHTS["last_sentence"]


def _candidate_blocks(scan: Scan, referred: set[int]) -> list[Block]:
    """The blocks that are searched for the answer: all prose, of printed output the last paragraph
    and those that prose refers to. referred: where these start."""
    blocks = [block for block in scan.output.blocks if block.kind in CANDIDATE_KINDS]
    outspoken = [block for block in blocks if block.kind != "reasoning"]
    if len(outspoken) < len(blocks) and _concludes(scan, blocks):
        blocks = outspoken
    last_printed = _last_printed(scan)
    searched = [
        block
        for block in blocks
        if block.kind != "execution" or block is last_printed or block.start in referred
    ]
    return searched[-_MOST_BLOCKS:]


def _concludes(scan: Scan, blocks: list[Block]) -> bool:
    """Whether an output has more than reasoning: an answer, or prose behind it with a number that
    may be one or that gives none."""
    for block in reversed(blocks):
        if block.kind == "answer" or (block.kind == "prose" and _settles(scan, block)):
            return True
        if block.kind == "reasoning":
            return any(block.kind == "answer" for block in blocks)
    return False


def _settles(scan: Scan, block: Block) -> bool:
    """Whether prose has a number that may be the answer, or declines to give one."""
    return scan.standing(block) == PLAIN or refusals.declines(block.text, scan.question.topics)


def _last_printed(scan: Scan) -> Block | None:
    """The last paragraph of what the last code printed; before warnings, or one whose numbers
    cannot be an answer, the last with a number that can."""
    printed: list[Block] = []
    for block in reversed(scan.output.blocks):
        if block.kind == "execution":
            printed.append(block)
        elif printed:
            break
    stating = next((block for block in printed if scan.standing(block) != BARRED), None)
    if stating is not None:
        skipped = printed[: printed.index(stating) + 1]
        if scan.numbers(printed[0]) or any(_WARNS.search(block.text) for block in skipped):
            return stating
    return printed[0] if printed else None


def _is_worth_reading(scan: Scan, block: Block) -> bool:
    """False for a block without a number that may be an answer, and for a printout with very
    many."""
    if block.kind == "execution" and len(scan.numbers(block)) > _MAX_IN_PRINT:
        return False
    return scan.standing(block) > BARRED


def _doubts(scan: Scan) -> list[str]:
    """The evidence against all numbers outside an answer section."""
    output = scan.output
    prose = [block.text for block in output.blocks[-_MOST_BLOCKS:] if block.kind == "prose"]
    return [
        name
        for name, holds in (
            ("unfinished", output.unfinished),
            ("withheld", any(map(refusals.withholds, prose))),
            ("declined", any(refusals.declines(text, scan.question.topics) for text in prose)),
        )
        if holds
    ]


def _block_evidence(scan: Scan, block: Block, closing: bool, doubts: list[str]) -> dict[str, float]:
    """The evidence shared by all numbers of a block."""
    names = [] if block.kind == "answer" else doubts.copy()
    marks = scan.marks(block)
    if block.kind == "execution":
        names.append("printed_beside_prose" if _speaks(scan) else "printed_without_prose")
        if sum(mark.rule is None or mark.rule.drop != "always" for mark in marks) == 1:
            names.append("sole_output")
            if scan.output_speaks_last():
                names.append("last_word")
    elif block.kind == "answer":
        names.append("answer_section")
        if len(marks) == 1:
            names.append("sole_answer")
    elif block.kind == "reasoning":
        names.append("in_reasoning")
    if len(scan.output.blocks) == 1 and len(scan.parts(block)) == 1:
        names.append("all_said")
    opening = block is scan.opening()
    if opening:
        names.append("opening")
    if closing:
        names.append("closing")
    if scan.is_concluding(block):
        names.append("concluding_section")
    if (opening or closing) and len(marks) == 1:
        number = marks[0].number
        if is_bare(block.text, number.start, number.end):
            names.append("bare")
    evidence = {name: WEIGHTS[name] for name in names}
    if heading := scan.heading(block):
        if covered := overlap(scan.question.target, heading):
            evidence["heading_overlap"] = WEIGHTS["heading_overlap"] * covered
        elif is_beside(heading):
            evidence["beside"] = WEIGHTS["beside"]
        if is_beyond_limits(scan.question.circumstances, heading):
            evidence["beyond_limit"] = WEIGHTS["beyond_limit"]
    return evidence


def _speaks(scan: Scan) -> bool:
    """True if the prose or an answer section has a number that is not only the question's."""
    return any(
        block.kind in ("prose", "answer", "reasoning")
        and not all(map(is_of_question, scan.marks(block)))
        for block in scan.output.blocks
    )


def _add_support(found: list[Weighed], earlier: str) -> None:
    """Add the evidence of other mentions of a value, here or in earlier steps."""
    if len(found) > 1:
        keys = [_keys(one.mark.number) for one in found]
        mentions: dict[float, int] = {}
        for own, one in zip(keys, found, strict=True):
            if one.block.kind != "execution":
                for key in own:
                    mentions[key] = mentions.get(key, 0) + 1
        for own, one in zip(keys, found, strict=True):
            itself = one.block.kind != "execution"
            others = max([mentions.get(key, 0) for key in own]) - itself
            if others > 0:
                one.evidence["repeated"] = WEIGHTS["repeated"] * min(others, 2)
    if earlier:
        for mark, _, _, evidence in found:
            if mark.number.text in earlier:
                evidence["earlier_step"] = WEIGHTS["earlier_step"]


def _add_further_use(found: list[Weighed], has_printed: bool) -> None:
    """Add the evidence against values that the text goes on to calculate with, unless they say much
    more of what is asked for; only against calculated ones, if code printed what results."""
    operands: dict[float, float] = {}  # with the most that a result of theirs says of it
    of_printed: set[float] = set()  # operands whose result code printed
    is_printed = has_printed
    for one in reversed(found):
        mark, _, _, evidence = one
        value = mark.number.value
        if mark.computed:
            is_printed = has_printed and "printed" in evidence
        if mark.rule is not None and mark.rule.name != "compared" and is_operand(mark.context):
            operands[value] = max(operands.get(value, 0.0), aboutness(one))
            if is_printed:
                of_printed.add(value)
        elif value in operands and (mark.computed or value not in of_printed):
            is_final = aboutness(one) > operands[value] + MUCH
            if not is_final:
                evidence["used_further"] = WEIGHTS["used_further"]


def _keys(number: Quantity) -> tuple[float, ...]:
    """The keys to count a number under: its value, and its other reading to nine digits."""
    readings = number.readings()
    if len(readings) == 1:
        return readings
    return readings[0], float(f"{readings[1]:.9g}")
