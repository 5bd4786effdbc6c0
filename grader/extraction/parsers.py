"""Parsers: from one half of one output to candidate numbers and a scalar.

`heuristic` is the baseline, the last number. `keyword` finds the answer region first
(Zheng & Hsu 2026, section 3): the block that shares most words with the question, with a
bonus for answer phrases; then takes its numbers that can be answers.
"""

from __future__ import annotations

from collections.abc import Callable

from ..errors import unknown_name
from ..numbers import Quantity
from ..records import Candidate, Extraction, Half, Task
from ..settings import GradeSettings
from ..text import Block, Output
from ..tolerance import same_value
from .options.choices import options
from .options.parser import parse_choice
from .parts import FALLBACK, PLAIN, Marked
from .question import read_question
from .region import find_region, nothing_found, refers_to_print
from .scan import Scan
from .words.parser import parse_text

_CONTEXT = 60  # characters on either side of the last number, shown as its region


class Source:
    """One output and the task it answers, with what the parsers find in it: nothing is searched
    until it is asked for, and nothing twice."""

    def __init__(self, output: Output, task: Task, settings: GradeSettings | None = None) -> None:
        self.scan = Scan(output, read_question(task.question))
        self.task = task
        self.settings = settings or GradeSettings()
        self._found: dict[tuple[str, Half], Extraction] = {}

    def half(self, parser: str, half: Half) -> Extraction:
        """One parser's result on one half. Raises `UserError` for an unknown parser."""
        found = self._found.get((parser, half))
        if found is None:
            found = self._found[parser, half] = _parse(parser, self, half)
        return found

    def speaking(self, parser: str) -> Extraction:
        """One parser's result on the half that decides.

        The execution half decides if it has a number printed after all words, or one that the prose
        refers to ("see the row `age`"). Otherwise the verbal half does, unless it has no candidate,
        too many while the execution half has exactly one, or only repeats numbers of the question
        while the execution half has some.
        """
        if self.task.wants_number and self.scan.output_speaks_last():
            return self.half(parser, "execution")
        if parser == "keyword" and self.task.wants_number and refers_to_print(self.scan):
            return self.half(parser, "execution")
        verbal = self.half(parser, "verbal")
        repeats = all(one.rule == "question_number" for one in verbal.candidates)
        if not verbal.ambiguous and not repeats:
            return verbal
        execution = self.half(parser, "execution")
        if verbal.candidates and repeats:
            return execution if execution.candidates and not execution.ambiguous else verbal
        if not execution.candidates or (verbal.candidates and len(execution.candidates) > 1):
            return verbal
        return execution


# -- keyword parser ----------------------------------------------------------------------


def parse_keyword(source: Source, half: Half) -> Extraction:
    """The keyword-anchored parser: the numbers of the answer region that can be answers. `scalar`
    is set where exactly one is left."""
    region = find_region(source.scan, half, source.settings)
    if region is None:
        return nothing_found(half)
    kept = merge_equal(_best_standing(region.marks))
    ambiguous = len(kept) > source.settings.max_candidates
    return Extraction(
        parser="keyword",
        half=half,
        region_text=region.text,
        region_score=round(region.score, 6),
        low_confidence=region.low_confidence,
        candidates=tuple(marked_candidate(mark, region.start) for mark in kept),
        rejected=tuple(marked_candidate(m, region.start) for m in region.marks if m not in kept),
        ambiguous=ambiguous,
        scalar=kept[0].number.value if len(kept) == 1 else None,
    )


def _best_standing(marks: tuple[Marked, ...]) -> list[Marked]:
    """The marks to keep: numbers an explicit phrase points at, else numbers in bold, else all. Only
    numbers without an objecting rule are used, or if there are none, numbers that may come back."""
    for standing in (PLAIN, FALLBACK):
        if usable := [mark for mark in marks if mark.standing == standing]:
            pinned = [mark for mark in usable if mark.pinned]
            return pinned or [mark for mark in usable if mark.emphasised] or usable
    return []


def merge_equal(marks: list[Marked], most: int | None = None) -> list[Marked]:
    """Equal values, and a value beside its own percent form, count once (the first stays);
    at most the first `most` of what is left."""
    merged: list[Marked] = []
    for mark in marks:
        if len(merged) == most:
            break
        if not any(same_value(mark.number, other.number) for other in merged):
            merged.append(mark)
    return merged


# -- heuristic parser --------------------------------------------------------------------


def parse_heuristic(source: Source, half: Half) -> Extraction:
    """The baseline: the last number of the half, whatever it is."""
    last = last_number(source.scan, half)
    if last is None:
        return Extraction(parser="heuristic", half=half)
    block, number = last
    start = max(0, number.start - _CONTEXT)
    return Extraction(
        parser="heuristic",
        half=half,
        region_text=block.text[start : number.end + _CONTEXT],
        candidates=(as_candidate(number, start, "last_number"),),
        scalar=number.value,
    )


def last_number(scan: Scan, half: Half) -> tuple[Block, Quantity] | None:
    """The last number in digits of a half, and its block; None if there is none."""
    for block in reversed(scan.output.blocks):
        if (block.kind in ("execution", "error")) == (half == "execution"):
            for number in reversed(scan.numbers(block)):
                if not number.text.isalpha():
                    return block, number
    return None


# -- the registry ------------------------------------------------------------------------

Parser = Callable[[Source, Half], Extraction]
HALF_PARSERS: dict[str, Parser] = {"heuristic": parse_heuristic, "keyword": parse_keyword}


def _parse(parser: str, source: Source, half: Half) -> Extraction:
    if parser not in HALF_PARSERS:
        raise unknown_name("parser", parser, list(HALF_PARSERS))
    if parser == "keyword" and not source.task.wants_number:
        if options(source.task):
            return parse_choice(source.scan, half, source.task, source.settings)
        return parse_text(source.scan, half, source.settings)
    return HALF_PARSERS[parser](source, half)


# -- numbers as records ------------------------------------------------------------------


def as_candidate(number: Quantity, offset: int, rule: str) -> Candidate:
    """A number as a record; `offset` is where the text its span refers to begins."""
    return Candidate(
        value=number.value,
        text=number.written,
        span=(number.start - offset, number.end + len(number.scale_word) - offset),
        is_percent=number.is_percent,
        scale=number.scale,
        rule=rule,
    )


def marked_candidate(mark: Marked, offset: int = 0) -> Candidate:
    """A marked number as a record, with the rule that fired on it."""
    return as_candidate(mark.number, offset, mark.rule.name if mark.rule else "kept")


def as_quantity(candidate: Candidate) -> Quantity:
    """A candidate as the tolerance rule wants it. It must be a number, no option."""
    assert isinstance(candidate.value, float)
    return Quantity(candidate.value, candidate.is_percent, scale=candidate.scale)
