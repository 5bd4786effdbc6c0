"""Parsers: from one half of one output to candidate numbers and a scalar.

`heuristic` is the baseline, the last number. `keyword` finds the answer region first
(Zheng & Hsu 2026, section 3): the block that shares most words with the question, with a
bonus for answer phrases; then takes its numbers less those that cannot be answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from .choices import find_options
from .errors import unknown_name
from .keywords import words
from .numbers import Quantity, find_numbers, last_number
from .question import Question, read_question
from .records import Candidate, Extraction, Half, Task
from .rules import Rule, first_mark, look
from .settings import GradeSettings
from .text import Block, Output
from .tolerance import same_value

EXPLICIT_PHRASE = re.compile(
    r"\\boxed\{|\bfinal[ _]answer\b|\banswer\s*(?:\*\*|__)?\s*[:=]|\"answer\"\s*:",
    re.IGNORECASE,
)
STRONG_PHRASE = re.compile(
    r"\bthe answer (?:is|to|comes)|\banswer (?:is|would be)\b|\bconclusion\s*(?:\*\*)?\s*:"
    r"|\bfinal (?:result|value|estimate)\b",
    re.IGNORECASE,
)
WEAK_PHRASE = re.compile(
    r"\b(?:therefore|thus|hence|so (?:the|that)|result|rounded|overall|in conclusion|in summary"
    r"|we (?:get|obtain|find)|comes to|equals|gives|yields|is approximately)\b|^so\b|≈|\*\*[^*]*\d",
    re.IGNORECASE | re.MULTILINE,
)
EXPLICIT_BONUS, STRONG_BONUS, WEAK_BONUS = 1.0, 0.5, 0.2
_SENTENCE_END = re.compile(r"(?<=[.!?])[*_)\"”]*\s+(?=[A-Z*_(\[\"“$\\−-])|\n")
_ANSWER_BEARING = {"verbal": ("prose", "answer", "reasoning"), "execution": ("execution",)}


class Marked(NamedTuple):
    """A number of a region with the rule that fired on it, if any."""

    number: Quantity
    rule: Rule | None


class Region(NamedTuple):
    """The part of an output taken to hold the answer."""

    text: str
    score: float
    low_confidence: bool
    block: Block


# -- shared steps ------------------------------------------------------------------------


def region_score(text: str, question: Question, kind: str = "prose") -> float:
    """Answer-region confidence score of a text: the share of the question's keywords in it,
    plus a bonus for answer phrases. 0 = no overlap; above 1 is possible."""
    share = (
        len(question.keywords & words(text)) / len(question.keywords) if question.keywords else 0.0
    )
    if kind == "answer" or EXPLICIT_PHRASE.search(text):
        return share + EXPLICIT_BONUS
    if STRONG_PHRASE.search(text):
        return share + STRONG_BONUS
    return share + WEAK_BONUS if WEAK_PHRASE.search(text) else share


def mark_numbers(text: str, kind: str, question: Question) -> list[Marked]:
    """Every number of a text with the rule that fires on it, if any."""
    block_kind = "execution" if kind == "execution" else "prose"
    return [
        Marked(number, first_mark(look(number, text, block_kind, question)))
        for number in find_numbers(text, spaced=kind != "execution")
    ]


def keep_candidates(marked: list[Marked]) -> tuple[list[Marked], list[Marked]]:
    """Split marked numbers into kept and rejected. Numbers dropped only "unless alone" come
    back, all of them, when nothing else is left."""
    kept = [m for m in marked if m.rule is None]
    if not kept:
        kept = [m for m in marked if m.rule is not None and m.rule.drop == "unless_alone"]
    return kept, [m for m in marked if m not in kept]


def merge_equal(marked: list[Marked]) -> list[Marked]:
    """Equal values, and a value beside its own percent form, count once (the first stays)."""
    merged: list[Marked] = []
    for mark in marked:
        if not any(same_value(mark.number, other.number) for other in merged):
            merged.append(mark)
    return merged


# -- keyword parser ----------------------------------------------------------------------


def find_region(
    output: Output, half: Half, question: Question, settings: GradeSettings
) -> Region | None:
    """The answer region of one half: its best block, narrowed to the best sentence or line.

    None if no block of that half has a number. Below the threshold the last block is taken
    and flagged `low_confidence`.
    """
    ranked = [
        (standing, block)
        for block in output.blocks
        if block.kind in _ANSWER_BEARING[half]
        and (standing := _standing(block.text, block.kind, question))
    ]
    if not ranked:
        return None
    # A block with a number that no rule objects to goes before one without.
    best_standing = max(standing for standing, _ in ranked)
    blocks = [block for standing, block in ranked if standing == best_standing]
    if answers := [block for _, block in ranked if block.kind == "answer"]:
        blocks = answers[-1:]
    elif stated := [block for block in blocks if block.kind != "reasoning"]:
        blocks = stated
    scored = [(region_score(block.text, question, block.kind), block) for block in blocks]
    best, block = max(reversed(scored), key=lambda pair: pair[0])
    low = best <= settings.region_threshold
    if low:
        best, block = scored[-1]
    return Region(_narrow(block, question), best, low, block)


def _standing(text: str, kind: str, question: Question) -> int:
    """2 if a text has a number that no rule objects to, 1 if it has one that may come back
    when nothing else is left, else 0."""
    if not any(character.isdigit() for character in text):
        return 0
    rules = [mark.rule for mark in mark_numbers(text, kind, question)]
    if any(rule is None for rule in rules):
        return 2
    return int(any(rule is not None and rule.drop == "unless_alone" for rule in rules))


def _narrow(block: Block, question: Question) -> str:
    """The sentence or line of a block that scores best among those with a candidate."""
    parts = [part for part in _SENTENCE_END.split(block.text) if part and part.strip()]
    if len(parts) < 2:
        return block.text
    best, narrowed = (0, 0.0), block.text
    for part in parts:
        standing = _standing(part, block.kind, question)
        if standing and (standing, region_score(part, question)) > best:
            best, narrowed = (standing, region_score(part, question)), part
    return narrowed


def parse_keyword(output: Output, half: Half, task: Task, settings: GradeSettings) -> Extraction:
    """The keyword-anchored parser. `scalar` is its last candidate, unless it is ambiguous."""
    question = read_question(task.question)
    region = find_region(output, half, question, settings)
    if region is None:
        return Extraction(parser="keyword", half=half)
    kept, rejected = keep_candidates(mark_numbers(region.text, region.block.kind, question))
    kept = merge_equal(kept)
    ambiguous = len(kept) > settings.max_candidates
    last = kept[-1].number if kept and not ambiguous else None
    return Extraction(
        parser="keyword",
        half=half,
        region_text=region.text,
        region_score=round(region.score, 6),
        low_confidence=region.low_confidence,
        candidates=tuple(as_candidate(m, "kept") for m in kept),
        rejected=tuple(as_candidate(m, "repeated") for m in rejected),
        ambiguous=ambiguous,
        scalar=last.value if last else None,
        scalar_is_percent=bool(last and last.is_percent),
    )


# -- heuristic parser --------------------------------------------------------------------


def parse_heuristic(output: Output, half: Half, task: Task, settings: GradeSettings) -> Extraction:
    """The baseline: the last number of the half, whatever it is."""
    text = output.verbal if half == "verbal" else output.execution
    number = last_number(text)
    if number is None:
        return Extraction(parser="heuristic", half=half)
    return Extraction(
        parser="heuristic",
        half=half,
        region_text=text[max(0, number.start - 100) : number.end + 20],
        candidates=(as_candidate(Marked(number, None), "last_number"),),
        scalar=number.value,
        scalar_is_percent=number.is_percent,
    )


# -- choice tasks ------------------------------------------------------------------------


def parse_choice(output: Output, half: Half, task: Task, settings: GradeSettings) -> Extraction:
    """The option named in the best block of one half. A block that names several options is
    decided by the last one stated as an answer, else it is ambiguous."""
    question = read_question(task.question)
    best: tuple[float, Block, list[Candidate]] | None = None
    for block in output.blocks:
        if block.kind not in _ANSWER_BEARING[half]:
            continue
        named = find_options(block.text, task)
        if not named:
            continue
        score = region_score(block.text, question, block.kind)
        score += 1.0 if block.kind == "answer" or _decided(block.text, named) else 0.0
        if best is None or score >= best[0]:
            best = (score, block, named)
    if best is None:
        return Extraction(parser="keyword", half=half)
    score, block, named = best
    chosen = _decided(block.text, named)
    distinct = list({c.value: c for c in named}.values())
    kept = [chosen] if chosen else distinct
    return Extraction(
        parser="keyword",
        half=half,
        region_text=block.text,
        region_score=round(score, 6),
        low_confidence=score <= settings.region_threshold,
        candidates=tuple(kept),
        rejected=tuple(c for c in named if c not in kept),
        ambiguous=len(kept) > 1,
        scalar=kept[0].value if len(kept) == 1 else None,
    )


_STATED = re.compile(
    r"(?:answer|option|choice|conclusion|conclude|therefore|thus|hence|so)\b[^.\n]{0,80}$", re.I
)


def _decided(text: str, named: list[Candidate]) -> Candidate | None:
    """The option a text settles on: the only one, or the last one stated as the answer."""
    if len({candidate.value for candidate in named}) == 1:
        return named[-1]
    stated = [c for c in named if _STATED.search(text[max(0, c.span[0] - 120) : c.span[0]])]
    return stated[-1] if stated else None


# -- the registry ------------------------------------------------------------------------

Parser = Callable[[Output, Half, Task, GradeSettings], Extraction]
PARSERS: dict[str, Parser] = {"heuristic": parse_heuristic, "keyword": parse_keyword}


def extract_half(
    parser: str, output: Output, half: Half, task: Task, settings: GradeSettings | None = None
) -> Extraction:
    """Run one parser on one half of an output. Raises `UserError` for an unknown parser."""
    if parser not in PARSERS:
        raise unknown_name("parser", parser, list(PARSERS))
    settings = settings or GradeSettings()
    if task.answer_kind in ("choice", "text") and parser == "keyword":
        return parse_choice(output, half, task, settings)
    return PARSERS[parser](output, half, task, settings)


def pick_half(verbal: Extraction, execution: Extraction) -> Extraction:
    """The half that speaks for a response: the verbal one, unless it has no candidate, or too
    many while the execution half has exactly one."""
    if verbal.candidates and not verbal.ambiguous:
        return verbal
    if not execution.candidates or (verbal.candidates and len(execution.candidates) > 1):
        return verbal
    return execution


def as_candidate(mark: Marked, default_rule: str) -> Candidate:
    """A marked number as a record."""
    number = mark.number
    return Candidate(
        value=number.value,
        text=number.text,
        span=(number.start, number.end),
        is_percent=number.is_percent,
        rule=mark.rule.name if mark.rule else default_rule,
    )
