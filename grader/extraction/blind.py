"""The blind extractor: rank every candidate by its evidence, without ever seeing the truth.

The best one is the answer; how far it leads, and its score, decide the confidence. The three
numbers that turn these into a confidence (`CALIBRATION`) are a logistic regression on 157
extractions from `fixtures/held_out`, made before any of it was read; on 113 later ones, from
round 3 of `fixtures/families` before that was read, the Brier score is 0.04.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from ..records import Extraction
from ..settings import GradeSettings
from ..text import Block
from ..tolerance import matches, same_value
from .evidence import MINIMUM_IN_PRINT, MINIMUM_SCORE, weigh_candidates
from .parsers import marked_candidate, merge_equal
from .parts import Marked, Part
from .scan import Scan

_TIE = 0.05
CLOSE = 1.0  # a candidate less than this behind the best one is a contender
CALIBRATION = (-2.7, 0.99, 0.55)  # intercept, per point of lead, per point of score
LEAD_CAP, SCORE_CAP = 3.0, 6.0  # more than this adds no confidence
_MOST_SHOWN = 5
_OPEN_WORDS = frozenset({"either", "depending", "depends"})
_SCORE = attrgetter("score")


class Scored(NamedTuple):
    """A candidate, its place, its evidence, and its score: the sum of that."""

    mark: Marked
    block: Block
    part: Part
    evidence: dict[str, float]
    score: float


def rank(scan: Scan, earlier: str = "") -> list[Scored]:
    """Every candidate of the final output, best first.

    earlier: raw text of the steps before, used only as support for what the final one says.
    """
    ranked = [
        Scored(mark, block, part, evidence, round(sum(evidence.values()), 9))
        for mark, block, part, evidence in weigh_candidates(scan, earlier)
    ]
    ranked.sort(key=_SCORE, reverse=True)  # of equal ones, the first stays first
    return ranked


def _is_supported(one: Scored) -> bool:
    """Whether a candidate has enough evidence to be an answer."""
    is_printed = one.block.kind == "execution"
    return one.score >= (MINIMUM_IN_PRINT if is_printed else MINIMUM_SCORE)


def first_choice(ranked: list[Scored]) -> Scored | None:
    """The best of ranked candidates, if it has enough evidence to be the answer; None if not, or if
    its sentence leaves two values open ("either 0.08 or 0.06")."""
    if not (ranked and _is_supported(ranked[0])):
        return None
    best = ranked[0]
    if not best.part.words.isdisjoint(_OPEN_WORDS):
        for one in ranked[1:]:
            if best.score - one.score >= _TIE:
                break
            if one.part is best.part and not same_value(one.mark.number, best.mark.number):
                return None
    return best


def contenders(ranked: list[Scored], settings: GradeSettings) -> list[Scored]:
    """The possible answers, best first: the first choice and, if it comes close and the output
    states no doubt, the best candidate of another value."""
    best = first_choice(ranked)
    if best is None:
        return []
    for one in ranked:
        is_close = _is_supported(one) and best.score - one.score < CLOSE
        if not is_close or "declined" in one.evidence:
            break
        if not matches(one.mark.number, best.mark.number, settings):
            return [best, one]
    return [best]


def parse_blind(ranked: list[Scored]) -> Extraction:
    """The best of ranked candidates, with a confidence in [0, 1]; no scalar if none is supported
    well enough."""
    best = first_choice(ranked)
    if best is None:
        return Extraction(parser="blind", half="verbal", confidence=0.0)
    others = merge_equal([one.mark for one in ranked], _MOST_SHOWN)[1:]
    return as_extraction(best, others, round(confidence(best.score, _lead(ranked)), 4))


def as_extraction(
    one: Scored, others: Sequence[Marked] = (), confidence: float | None = None
) -> Extraction:
    """The `Extraction` of a ranked candidate, with its sentence."""
    return Extraction(
        parser="blind",
        half="execution" if one.block.kind == "execution" else "verbal",
        region_text=one.block.text[one.part.start : one.part.end],
        evidence_score=round(one.score, 6),
        candidates=(
            marked_candidate(one.mark, one.part.start),
            *[marked_candidate(mark) for mark in others],
        ),
        scalar=one.mark.number.value,
        confidence=confidence,
    )


def _lead(ranked: list[Scored]) -> float:
    """The lead of the best candidate over the best one of another value."""
    best = ranked[0]
    for one in ranked:
        if one is not best and not same_value(one.mark.number, best.mark.number):
            return best.score - one.score
    return LEAD_CAP


def confidence(score: float, lead: float) -> float:
    """Probability that the top candidate is the answer meant, from its score and its lead."""
    intercept, per_lead, per_score = CALIBRATION
    z = intercept + per_lead * min(lead, LEAD_CAP) + per_score * min(score, SCORE_CAP)
    return 1 / (1 + math.exp(-z))
