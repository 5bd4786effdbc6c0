"""What speaks for and against each number of an output being the answer.

Evidence has names, and each name a weight (`weights.WEIGHTS`; the marks of `rules.RULES` weigh
their penalties). `blind.py` ranks the candidates by their sums.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from . import phrases
from .keywords import overlap, says_little, share
from .numbers import Quantity
from .parts import Marked, Part
from .question import Question
from .rules import interval_end
from .scan import Scan
from .tables import column_headings, heading_of
from .text import Block, Output
from .tolerance import same_value
from .weights import WEIGHTS

_MAX_IN_PRINT = 60
_MOST_BLOCKS = 60
_LONGEST_MARKUP = 12

_STATING_WORDS = frozenset(
    "is are was were be at of to by equal equals give gives yield yields approximately about"
    " roughly around report reports obtain obtains obtained get found has contain contains had"
    " only i.e. namely".split()
)
_STATING_MARKS = (":", "=", "≈", "→", "|", "~", "\\approx", "\\simeq")
_CONCLUDING_WORDS = frozenset(
    "so thus therefore hence rounded overall result answer conclusion summary".split()
)
_DIFFERENCE_WORDS = frozenset(
    "difference higher lower more less fewer increase decrease gap effect exceeds exceed change"
    " rise drop".split()
)
_OF_ALL = re.compile(r"\**\s(?:out )?of (?:the |all |all the )?[0-9]")
_BOXED = re.compile(r"\\boxed\{[^{}]{0,20}$")


Weighed = tuple[Marked, Block, Part, dict[str, float]]  # a candidate and its evidence


def weigh_candidates(scan: Scan, earlier: str = "") -> list[Weighed]:
    """Every number of the final output that can be an answer, in order of appearance, with what
    speaks for and against it, by name.

    earlier: raw text of the steps before, used only as support for what the final one says.
    """
    closing = next((b for b in reversed(scan.output.blocks) if b.kind == "prose"), None)
    doubts = _doubts(scan.output)
    found: list[Weighed] = []
    for block in _candidate_blocks(scan.output):
        if _is_worth_reading(scan, block):
            place = _block_evidence(scan, block, block is closing, doubts)
            found += [(m, b, p, {**place, **own}) for m, b, p, own in weigh_block(scan, block)]
    _add_support(found, earlier)
    return found


def _candidate_blocks(output: Output) -> list[Block]:
    blocks = [b for b in output.blocks if b.kind in ("prose", "answer", "reasoning", "execution")]
    if any(block.kind == "answer" for block in blocks):
        blocks = [block for block in blocks if block.kind != "reasoning"]
    last_printed = next((b for b in reversed(blocks) if b.kind == "execution"), None)
    return [b for b in blocks if b.kind != "execution" or b is last_printed][-_MOST_BLOCKS:]


def _is_worth_reading(scan: Scan, block: Block) -> bool:
    """False for a block without numbers, and for a printout with very many."""
    count = len(scan.numbers(block))
    return count > 0 and (block.kind != "execution" or count <= _MAX_IN_PRINT)


def _doubts(output: Output) -> list[str]:
    """What speaks against every number outside an answer section."""
    prose = [block.text for block in output.blocks[-_MOST_BLOCKS:] if block.kind == "prose"]
    return [
        name
        for name, holds in (
            ("unfinished", output.unfinished),
            ("withheld", any(map(phrases.withholds, prose))),
            ("declined", any(map(phrases.declines, prose))),
        )
        if holds
    ]


def _block_evidence(scan: Scan, block: Block, closing: bool, doubts: list[str]) -> dict[str, float]:
    """What holds of every number of a block."""
    names = [] if block.kind == "answer" else list(doubts)
    marks = scan.marks(block)
    if block.kind == "execution":
        names.append("execution_only" if _speaks(scan) else "execution_alone")
        if len(marks) == 1:
            names.append("sole_output")
            if scan.output_speaks_last():
                names.append("last_word")
    elif block.kind == "answer":
        names.append("answer_section")
    elif block.kind == "reasoning":
        names.append("reasoning_only")
    opening = block is scan.opening()
    if opening:
        names.append("opening")
    if closing:
        names.append("closing")
    if scan.is_concluding(block):
        names.append("concluding_section")
    if (opening or closing) and len(marks) == 1 and says_little(_without(block, marks[0].number)):
        names.append("bare")
    return {name: WEIGHTS[name] for name in names}


def _speaks(scan: Scan) -> bool:
    """True if the prose or an answer section has a number."""
    return any(
        block.kind in ("prose", "answer", "reasoning") and scan.numbers(block)
        for block in scan.output.blocks
    )


def weigh_block(scan: Scan, block: Block) -> Iterator[Weighed]:
    """The candidates of a block, each with the evidence that its sentence and its form give."""
    question = scan.question
    is_printed = block.kind == "execution"
    printed = () if is_printed else scan.printed()
    only_bold = scan.only_in_bold()
    headings = column_headings(block.text)
    asked_for = set() if is_printed else _asked_for(scan.parts(block), block.text)
    plain = [] if is_printed else [mark for mark in scan.marks(block) if mark.standing == 2]
    for part in scan.parts(block):
        if not part.marks:
            continue
        said = part.words
        shared: dict[str, float] = {}
        if covered := share(question.target, said):
            shared["overlap"] = WEIGHTS["overlap"] * covered
        if covered := share(question.focus, said):
            shared["focus"] = WEIGHTS["focus"] * covered
        if not said.isdisjoint(_CONCLUDING_WORDS) or "≈" in block.text[part.start : part.end]:
            shared["concluding"] = WEIGHTS["concluding"]
        if question.wants_difference and not said.isdisjoint(_DIFFERENCE_WORDS):
            shared["difference_as_asked"] = WEIGHTS["difference_as_asked"]
        if question.numbers and any(map(_is_of_question, part.marks)):
            shared["restated"] = WEIGHTS["restated"]
        if part.start == 0 and not is_printed:
            shared["leading"] = WEIGHTS["leading"]
        if part.start in asked_for:
            shared["asked_for"] = WEIGHTS["asked_for"]
        in_bold = [mark for mark in part.marks if mark.emphasised and mark.standing == 2]
        announced = any(mark.announced for mark in part.marks)
        clause_start = part.start
        for mark in part.marks:
            clause_start, clause = mark.number.end, block.text[clause_start : mark.number.start]
            if mark.standing:
                # A weak phrase points at the number in bold, where there is one.
                weakly = announced and mark in in_bold if in_bold else mark.announced
                pointed_at = mark.pinned or weakly
                own = _own_evidence(mark, pointed_at, question, printed)
                if len(plain) == 1 and mark is plain[0]:
                    own["sole_plain"] = WEIGHTS["sole_plain"]
                if plain and mark is plain[0] and _opens(block.text, mark.number.start):
                    own["first_word"] = WEIGHTS["first_word"]
                if mark.emphasised and only_bold and same_value(mark.number, only_bold.number):
                    own["only_in_bold"] = WEIGHTS["only_in_bold"]
                if headings:
                    heading = heading_of(headings, block.text, mark.number.start)
                    if covered := overlap(question.target, heading):
                        own["column_overlap"] = WEIGHTS["column_overlap"] * covered
                elif len(part.marks) > 1 and (covered := overlap(question.target, clause)):
                    own["clause_overlap"] = WEIGHTS["clause_overlap"] * covered
                yield mark, block, part, {**shared, **own}


def _opens(text: str, start: int) -> bool:
    """True if a text begins with the number that starts there, but for markup and signs."""
    return start <= _LONGEST_MARKUP and not any(map(str.isalnum, text[:start]))


def _is_of_question(mark: Marked) -> bool:
    return mark.rule is not None and mark.rule.name == "question_number"


def _asked_for(parts: Sequence[Part], text: str) -> set[int]:
    """Where the sentences start that "the one you asked for" points at: its own, or the last one
    before it if its own has no plain number."""
    found = set()
    if phrases.may_refer(text):
        before = -1
        for part in parts:
            if any(mark.standing == 2 for mark in part.marks):
                before = part.start
            if phrases.refers_to_question(text, part.start, part.end):
                found.add(before)
    return found


def _own_evidence(
    mark: Marked, pointed_at: bool, question: Question, printed: Sequence[float]
) -> dict[str, float]:
    """What speaks for or against one number in its place. pointed_at: by an answer phrase."""
    number = mark.number
    names = _place_evidence(mark, pointed_at) + _form_evidence(number, question)
    if mark.sight.topic in question.topics:
        names.append("named_as_asked")
    if question.bound is not None and interval_end(mark.sight) == question.bound:
        names.append("right_end")
    if printed and _is_rounded_from(printed, number):
        names.append("printed")
    evidence = {name: WEIGHTS[name] for name in names}
    if mark.rule is not None:
        evidence[mark.rule.name] = -mark.rule.penalty
    return evidence


def _place_evidence(mark: Marked, pointed_at: bool) -> list[str]:
    names = []
    before = mark.sight.before
    line = mark.sight.line
    if "boxed{" in before and _BOXED.search(before):
        names.append("boxed")
    elif pointed_at:
        names.append("answer_phrase")
    if _is_stated(line) or _OF_ALL.match(mark.sight.after):
        names.append("stated")
    if mark.emphasised:
        names.append("emphasised")
    return names


def _is_stated(line: str) -> bool:
    """True if the words before a number state it: "is", "equals", "=", ":", a table cell."""
    lead = line.rstrip(" \t*_`$(")
    return lead.endswith(_STATING_MARKS) or lead.rpartition(" ")[2].lower() in _STATING_WORDS


def _form_evidence(number: Quantity, question: Question) -> list[str]:
    names = []
    if question.decimals is not None and not question.wants_count:
        places = (
            number.decimals - 2
            if number.is_percent and not question.wants_percent
            else (number.decimals)
        )
        if places == question.decimals and (places or number.is_integer):
            names.append("decimals_as_asked")
        elif question.decimals == 0 and not number.is_percent and number.value % 1:
            names.append("finer_than_asked")
    if question.wants_percent and number.is_percent:
        names.append("percent_as_asked")
    if number.scale != 1.0 and number.scale == question.scale:
        names.append("scale_as_asked")
    if question.wants_count:
        whole = number.value == int(number.value) and not number.is_percent
        names.append("count_as_asked" if whole else "not_a_count")
    if question.wants_money and number.text[0] in "$€£":
        names.append("money_as_asked")
    if question.wants_negative and number.value < 0:
        names.append("sign_as_asked")
    return names


def _add_support(found: list[Weighed], earlier: str) -> None:
    """Count what other mentions of a value, here or in earlier steps, add to its evidence."""
    if len(found) > 1:
        mentions: dict[float, int] = {}
        for mark, block, _, _ in found:
            if block.kind != "execution":
                for key in _keys(mark.number):
                    mentions[key] = mentions.get(key, 0) + 1
        for mark, block, _, evidence in found:
            others = max([mentions.get(key, 0) for key in _keys(mark.number)])
            if block.kind != "execution":
                others -= 1  # itself
            if others > 0:
                evidence["repeated"] = WEIGHTS["repeated"] * min(others, 2)
    if earlier:
        for mark, _, _, evidence in found:
            if mark.number.text in earlier:
                evidence["earlier_step"] = WEIGHTS["earlier_step"]


def _keys(number: Quantity) -> tuple[float, ...]:
    """What a number can be counted under: its value, and to nine digits its other reading."""
    readings = number.readings()
    if len(readings) == 1:
        return readings
    return readings[0], float(f"{readings[1]:.9g}")


def _is_rounded_from(printed: Sequence[float], number: Quantity) -> bool:
    """True if `number` is one of the printed ones, rounded to the places it shows (percent
    form included)."""
    value, slack = number.value, 0.5 * 10.0**-number.decimals * (1 + 1e-9)
    for one in printed:
        if abs(one - value) <= slack or (number.is_percent and abs(one * 100 - value) <= slack):
            return True
    return False


def _without(block: Block, number: Quantity) -> str:
    return block.text[: number.start] + block.text[number.end :]
