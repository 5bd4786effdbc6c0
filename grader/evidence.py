"""The blind extractor: rank every candidate by evidence, without ever seeing the truth.

Each candidate gets a score, a sum of named weights (`WEIGHTS`, and the penalties of
`rules.RULES`). The best one is the answer; how far it leads decides the confidence.
The weights were set by hand while reading the transcripts in `fixtures/`; the three numbers
that turn lead and score into a confidence (`CALIBRATION`) are a logistic regression on their
labels (`.` and `styles`, n = 181 extractions). No other label was used.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import NamedTuple

from . import phrases
from .numbers import Quantity
from .parsers import as_candidate, merge_equal
from .question import Question
from .records import Extraction
from .rules import interval_end
from .scan import Marked, Part, Scan
from .text import Block, Output
from .tolerance import same_value

WEIGHTS: dict[str, float] = {
    "answer_section": 4.0,  # inside <answer> or an equivalent
    "boxed": 5.0,
    "answer_phrase": 4.0,  # "final answer: 0.28"
    "bare": 4.0,  # the number is all the block says
    "stated": 1.0,  # "is 0.28", "= 0.28", ": 0.28"
    "emphasised": 0.8,
    "concluding": 0.7,  # the sentence has "so", "thus", "rounded" ...
    "overlap": 2.5,  # times the share of the question's content words in the sentence
    "named_as_asked": 1.5,  # called what the question asks for ("p-value ... is")
    "right_end": 1.0,
    "decimals_as_asked": 0.8,
    "percent_as_asked": 1.2,
    "sign_as_asked": 0.7,
    "difference_as_asked": 0.6,
    "count_as_asked": 0.7,
    "not_a_count": -1.0,
    "opening": 0.9,  # the first block of prose after all code, or of all
    "closing": 0.7,  # the last block of prose
    "leading": 0.5,  # the first sentence of its block
    "printed": 0.9,  # the executed code printed this value
    "repeated": 0.4,  # per other mention, at most two
    "earlier_step": 0.3,
    "execution_only": -1.5,
    "reasoning_only": -1.5,
    "sole_output": 2.5,  # the only number of the last printed output
    "unfinished": -4.0,  # the output breaks off inside a section or a sentence
    "declined": -2.0,  # "I cannot run code here", "please tell me which ..."
}
MINIMUM_SCORE = 0.5
CALIBRATION = (-0.48, 1.38, 0.33)  # intercept, per point of lead, per point of score
_LEAD_CAP, _SCORE_CAP = 3.0, 6.0
_MAX_PRINTED, _MAX_IN_PRINT = 400, 60
_MOST_BLOCKS, _MOST_SHOWN = 60, 50

_STATING_WORDS = frozenset(
    "is are was were be at of to by equal equals give gives yield yields approximately about"
    " roughly around report reports obtain obtains obtained get found has contain contains had"
    " only".split()
)
_STATING_MARKS = (":", "=", "≈", "→", "|", "~")
_CONCLUDING_WORDS = frozenset(
    "so thus therefore hence rounded overall result answer conclusion summary".split()
)
_DIFFERENCE_WORDS = frozenset(
    "difference higher lower more less fewer increase decrease gap effect".split()
)
_BOXED = re.compile(r"\\boxed\{[^{}]{0,20}$")
_WORD = re.compile(r"[^\W\d_]{2,}")


class Scored(NamedTuple):
    """A candidate with the named parts of its score and where it stands."""

    mark: Marked
    block: Block
    part: Part
    parts: dict[str, float]

    @property
    def score(self) -> float:
        return sum(self.parts.values())


def rank(scan: Scan, earlier: str = "") -> list[Scored]:
    """Every candidate of the final output, best first.

    earlier: raw text of the steps before, used only as support for what the final one says.
    """
    blocks = _candidate_blocks(scan.output)
    printed = _printed_numbers(scan)
    scored: list[Scored] = []
    opening = scan.opening
    closing = next((b for b in reversed(scan.output.blocks) if b.kind == "prose"), None)
    declined = any(
        block.kind == "prose" and phrases.declines(block.text)
        for block in scan.output.blocks[-_MOST_BLOCKS:]
    )
    for block in blocks:
        place = [n for n, b in (("opening", opening), ("closing", closing)) if b is block]
        place += ["declined"] if declined and block.kind != "answer" else []
        scored += _score_block(scan, block, place, printed)
    mentions = Counter(
        key for one in scored if one.block.kind != "execution" for key in _keys(one.mark.number)
    )
    supported = [_with_support(one, mentions, earlier) for one in scored]
    return sorted(supported, key=lambda one: -one.score)


def parse_blind(scan: Scan, earlier: str = "") -> Extraction:
    """The best candidate by evidence, with a confidence in [0, 1]; no scalar if none is
    supported well enough."""
    ranked = rank(scan, earlier)
    if not ranked or ranked[0].score < MINIMUM_SCORE:
        return Extraction(parser="blind", half="verbal", confidence=0.0)
    best = ranked[0]
    rivals = (one for one in ranked if not same_value(one.mark.number, best.mark.number))
    rival = next(rivals, None)
    lead = best.score - rival.score if rival else _LEAD_CAP
    number, sentence = best.mark.number, best.part
    return Extraction(
        parser="blind",
        half="execution" if best.block.kind == "execution" else "verbal",
        region_text=best.block.text[sentence.start : sentence.end],
        region_score=round(best.score, 6),
        low_confidence=lead < 0.5,
        candidates=tuple(
            as_candidate(mark, sentence.start if mark is best.mark else 0)
            for mark in merge_equal([one.mark for one in ranked[:_MOST_SHOWN]])[:5]
        ),
        scalar=number.value,
        scalar_is_percent=number.is_percent,
        confidence=round(confidence(best.score, lead), 4),
    )


def confidence(score: float, lead: float) -> float:
    """Probability that the top candidate is the answer meant, from its score and its lead."""
    intercept, per_lead, per_score = CALIBRATION
    z = intercept + per_lead * min(lead, _LEAD_CAP) + per_score * min(score, _SCORE_CAP)
    return 1 / (1 + math.exp(-z))


def _candidate_blocks(output: Output) -> list[Block]:
    blocks = [b for b in output.blocks if b.kind in ("prose", "answer", "reasoning", "execution")]
    if any(block.kind == "answer" for block in blocks):
        blocks = [block for block in blocks if block.kind != "reasoning"]
    last_printed = next((b for b in reversed(blocks) if b.kind == "execution"), None)
    return [b for b in blocks if b.kind != "execution" or b is last_printed][-_MOST_BLOCKS:]


def _printed_numbers(scan: Scan) -> list[Quantity]:
    printed: list[Quantity] = []
    for block in reversed(scan.output.blocks):
        if block.kind == "execution" and len(printed) < _MAX_PRINTED:
            printed += scan.numbers(block)
    return printed[:_MAX_PRINTED]


def _score_block(
    scan: Scan, block: Block, place: list[str], printed: list[Quantity]
) -> list[Scored]:
    printed_block = block.kind == "execution"
    if printed_block and len(scan.numbers(block)) > _MAX_IN_PRINT:
        return []
    marks = scan.marks(block)
    if not marks:
        return []
    question = scan.question
    alone = len(marks) == 1
    around = _without(block.text, marks[0].number) if alone else ""
    bare = alone and not printed_block and len(_WORD.findall(around)) <= 2
    scored = []
    for part in scan.parts(block):
        if not part.marks:
            continue
        sentence = block.text[part.start : part.end]
        said = part.words
        share = len(question.target & said) / len(question.target) if question.target else 0.0
        shared = {"overlap": WEIGHTS["overlap"] * share}
        if said & _CONCLUDING_WORDS or "≈" in sentence:
            shared["concluding"] = WEIGHTS["concluding"]
        if question.wants_difference and said & _DIFFERENCE_WORDS:
            shared["difference_as_asked"] = WEIGHTS["difference_as_asked"]
        for name, holds in (
            ("answer_section", block.kind == "answer"),
            ("reasoning_only", block.kind == "reasoning"),
            ("unfinished", scan.output.unfinished and block.kind != "answer"),
            ("declined", "declined" in place),
            ("bare", bare and {"opening", "closing"} & set(place)),
            ("opening", "opening" in place),
            ("closing", "closing" in place),
            ("leading", part.start == 0 and not printed_block),
            ("execution_only", printed_block),
            ("sole_output", printed_block and alone),
        ):
            if holds:
                shared[name] = WEIGHTS[name]
        for mark in part.marks:
            if mark.standing:
                own = _own_evidence(mark, question, [] if printed_block else printed)
                scored.append(Scored(mark, block, part, {**shared, **own}))
    return scored


def _own_evidence(mark: Marked, question: Question, printed: list[Quantity]) -> dict[str, float]:
    """What speaks for or against one number in its place."""
    number = mark.number
    names = _place_evidence(mark) + _form_evidence(number, question)
    if mark.sight.topic in question.topics:
        names.append("named_as_asked")
    if question.bound is not None and interval_end(mark.sight) == question.bound:
        names.append("right_end")
    if any(_rounds_to(value, number) for value in printed):
        names.append("printed")
    evidence = {name: WEIGHTS[name] for name in names}
    if mark.rule is not None:
        evidence[mark.rule.name] = -mark.rule.penalty
    return evidence


def _place_evidence(mark: Marked) -> list[str]:
    names = []
    before = mark.sight.before
    line = mark.sight.line
    if "boxed{" in before and _BOXED.search(before):
        names.append("boxed")
    elif mark.pinned or mark.announced:
        names.append("answer_phrase")
    if _is_stated(line):
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
    if question.wants_percent and number.is_percent:
        names.append("percent_as_asked")
    if question.wants_count:
        whole = number.value == int(number.value) and not number.is_percent
        names.append("count_as_asked" if whole else "not_a_count")
    if question.wants_negative and number.value < 0:
        names.append("sign_as_asked")
    return names


def _with_support(one: Scored, mentions: Counter[float], earlier: str) -> Scored:
    number = one.mark.number
    others = max(mentions[key] for key in _keys(number)) - (one.block.kind != "execution")
    support = {"repeated": WEIGHTS["repeated"] * min(max(others, 0), 2)}
    if earlier and number.text in earlier:
        support["earlier_step"] = WEIGHTS["earlier_step"]
    return one._replace(parts={**one.parts, **support})


def _keys(number: Quantity) -> set[float]:
    """What a number can be counted under: its readings, to nine significant digits."""
    return {float(f"{reading:.9g}") for reading in number.readings()}


def _rounds_to(printed: Quantity, number: Quantity) -> bool:
    """True if `number` is `printed`, rounded to the places it shows (percent form included)."""
    values = printed.readings() + ((printed.value * 100,) if number.is_percent else ())
    half_unit = 0.5 * 10.0**-number.decimals
    return any(abs(value - number.value) <= half_unit * (1 + 1e-9) for value in values)


def _without(text: str, number: Quantity) -> str:
    return text[: number.start] + text[number.end :]
