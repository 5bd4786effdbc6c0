"""The transcripts of a run with their grades and covariates, as known before labelling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pydantic import Field

from grader.grader_names import (
    BEFORE_NUDGE,
    BLIND,
    CASCADE,
    KEYWORD,
    LENIENT,
    STRICT_LAYER,
    base_name,
    is_before_nudge,
    suffix_of,
)
from grader.reading import problem_with
from grader.records import Grade, Outcome, Record, Transcript, Verdict
from grader.run import RunDirectory


class Case(Record):
    """One transcript with its grades: the input of sampling, calibration and estimates.

    `confidence` is the blind grader's, for numbers only. `region_score` is the answer region's and
    not a probability. `gradable` is False without an answer to grade or a published answer. Never
    shown to annotators.
    """

    transcript_id: str
    task_id: str
    agent: str = ""
    nudge_mode: str | None = None
    repeat: int = 1
    outcome: Outcome | None = None
    covariates: dict[str, str] = Field(default_factory=dict)
    verdicts: dict[str, Verdict] = Field(default_factory=dict)
    confidence: float | None = None
    region_score: float | None = None
    gradable: bool = True


def cases_of(run: RunDirectory) -> list[Case]:
    """Every transcript of a run, in file order; the last one of a repeated id counts."""
    grades = run.grades_by_transcript()
    found = {
        t.transcript_id: case_of(t, grades.get(t.transcript_id, {})) for t in run.transcripts()
    }
    return list(found.values())


def case_of(transcript: Transcript, grades: dict[str, Grade]) -> Case:
    """The case of one transcript; `grades` by grader name."""
    return Case(
        transcript_id=transcript.transcript_id,
        task_id=transcript.task.task_id,
        agent=transcript.agent,
        nudge_mode=transcript.nudge_mode,
        repeat=transcript.repeat,
        outcome=transcript.outcome,
        covariates=transcript.task.covariates,
        verdicts={name: grade.verdict for name, grade in grades.items()},
        confidence=_evidence(grades, BLIND, "confidence"),
        region_score=_evidence(grades, KEYWORD, "region_score"),
        gradable=problem_with(transcript) is None,
    )


def graders_in(cases: Iterable[Case]) -> list[str]:
    """Names of the graders with at least one grade, in order of first appearance. A name may
    end in `:before_nudge`."""
    return list(dict.fromkeys(name for case in cases for name in case.verdicts))


def complete_graders(cases: Sequence[Case]) -> list[str]:
    """The graders of the main configuration that graded every transcript. A lenient grader that saw
    strict failures only is left out; the cascade is included."""
    return [
        name
        for name in graders_in(cases)
        if not is_before_nudge(name) and all(name in case.verdicts for case in cases)
    ]


def unfinished_graders(cases: Sequence[Case]) -> list[str]:
    """The graders that should have graded every transcript but have not yet: all of the main
    configuration but an LLM judge, which may be asked about strict failures only."""
    complete = complete_graders(cases)
    return [
        name
        for name in graders_in(cases)
        if name not in complete and name != LENIENT and not is_before_nudge(name)
    ]


def ungraded_in(cases: Iterable[Case], grader: str) -> int:
    """How many transcripts a grader left ungraded: of those that can be graded, strict failures
    that no judge was asked about, or without a judge's reply. The others are then a selection by
    outcome, so a test of them finds differences where there are none."""
    return sum(verdict == "ungraded" for verdict in verdicts_of(cases, grader).values())


def tested_graders(cases: Sequence[Case]) -> list[str]:
    """The complete graders that left nothing ungraded, so that their passes can be tested."""
    return [name for name in complete_graders(cases) if not ungraded_in(cases, name)]


def judges_failures_only(grader: str, verdicts: Callable[[str], Mapping[str, Verdict]]) -> bool:
    """Whether a grader is an LLM judge that was asked about the strict failures only, so that its
    rates do not describe the run. `verdicts` maps a grader to its verdicts by transcript_id."""
    if base_name(grader) != LENIENT:
        return False
    judged, cascade = verdicts(grader), verdicts(CASCADE + suffix_of(grader))
    return any(judged.get(key, "ungraded") == "ungraded" for key in cascade)


def verdicts_of(cases: Iterable[Case], grader: str) -> dict[str, Verdict]:
    """transcript_id -> verdict of one grader."""
    return {c.transcript_id: c.verdicts[grader] for c in cases if grader in c.verdicts}


def tasks_of(cases: Iterable[Case]) -> dict[str, str]:
    """transcript_id -> task_id."""
    return {case.transcript_id: case.task_id for case in cases}


def main_grader(cases: Iterable[Case]) -> str | None:
    """The grader that gives the run's pass rate: the cascade, else the best strict one; on all
    steps, else on the steps before the first nudge."""
    present = graders_in(cases)
    best = [name + suffix for suffix in ("", BEFORE_NUDGE) for name in (CASCADE, *STRICT_LAYER)]
    return next((name for name in (*best, *present) if name in present), None)


def gradable(cases: Iterable[Case]) -> list[Case]:
    """The transcripts that can be graded; only these are labelled and counted in rates."""
    return [case for case in cases if case.gradable]


def _evidence(grades: dict[str, Grade], grader: str, key: str) -> float | None:
    value = grades[grader].evidence.get(key) if grader in grades else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return None
