"""The cascade: strict first, the LLM for what strict fails, and one verdict from both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .errors import UserError, unknown_name
from .grader_names import (
    CASCADE,
    GRADERS,
    KEYWORD,
    LENIENT,
    STRICT,
    STRICT_LAYER,
    base_name,
    suffix_of,
)
from .reading import Reading
from .records import Grade, Transcript
from .settings import GradeSettings
from .strict import grade_reading


def check_graders(names: Sequence[str]) -> tuple[str, ...]:
    """The names, each once. Raises `UserError` for an unknown one, or if none is strict."""
    for name in names:
        if name not in GRADERS:
            raise unknown_name("grader", name, list(GRADERS))
    chosen = tuple(dict.fromkeys(names))
    if not any(name in STRICT for name in chosen):
        needs = f"{LENIENT} needs a strict grader beside it" if chosen else "no grader is named"
        raise UserError(f"{needs}, as in --graders {KEYWORD},{LENIENT}")
    return chosen


def check_strict(names: Iterable[str]) -> tuple[str, ...]:
    """The names, each once. Raises `UserError` for one that is no strict grader's, or for none."""
    given = tuple(names)
    if not given:
        raise UserError(f"no grader is named. Valid: {', '.join(STRICT)}")
    for name in given:
        if not isinstance(name, str) or name not in STRICT:
            raise unknown_name("strict grader", name, list(STRICT))
    return tuple(dict.fromkeys(given))


def strict_grades(
    transcript: Transcript, graders: Iterable[str], settings: GradeSettings
) -> list[Grade]:
    """One grade per strict grader among `graders`; the text is split and scanned once."""
    return grades_from(Reading(transcript, settings), graders)


def grades_from(reading: Reading, graders: Iterable[str]) -> list[Grade]:
    """One grade per strict grader, for a transcript that is already being read."""
    return [grade_reading(reading, name) for name in graders if name in STRICT]


def strict_layer(grades: Iterable[Grade]) -> Grade | None:
    """The strict grade that decides whether the LLM is asked."""
    by_name = {base_name(grade.grader): grade for grade in grades}
    return next((by_name[name] for name in STRICT_LAYER if name in by_name), None)


def combine(grades: Sequence[Grade]) -> Grade:
    """The cascade's grade: a pass if strict or lenient passes. Otherwise the lenient verdict
    where there is one (`ungraded` included: an outage is no evidence against the agent), else
    the strict one. Raises ValueError without a strict grade."""
    strict = strict_layer(grades)
    if strict is None:
        raise ValueError("the cascade needs a strict grade")
    lenient = next((g for g in grades if base_name(g.grader) == LENIENT), None)
    decided = strict if strict.verdict == "correct" or lenient is None else lenient
    judges = {key: value for key, value in decided.evidence.items() if key == "judged_by"}
    return Grade(
        transcript_id=strict.transcript_id,
        task_id=strict.task_id,
        grader=CASCADE + suffix_of(strict.grader),
        verdict=decided.verdict,
        value=decided.value,
        reason=decided.reason,
        evidence={"decided_by": base_name(decided.grader), **judges},
    )
