"""The audit of one run as records: the graders against the labels, agreement, reliability, the
corrected pass rate, covariates and the plan for further labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from pydantic import Field

from grader.grader_names import BLIND
from grader.records import Record
from grader.run import RunDirectory

from ..cases import (
    Case,
    cases_of,
    gradable,
    graders_in,
    judges_failures_only,
    main_grader,
    tasks_of,
    verdicts_of,
)
from ..labels import LabelStore
from ..labels.consensus import by_annotator, final_labels, human_matches, snippet_outcomes
from ..labels.rows import StoredLabel
from ..sample import Sample
from ..sample.queue import load_sample
from ..sample.weights import Weighting, weighting_of
from ..statistics.agreement import Agreement, StageAgreement, agreement, stage_agreement
from ..statistics.calibrate import Calibration, calibrate
from ..statistics.covariates import IndependenceTest
from ..statistics.mcnemar import PairedTest
from ..statistics.planner import LabelPlan
from ..statistics.prevalence import PassRate
from ..statistics.reliability import Reliability, reliability
from .case_frame import case_tests
from .columns import add_columns
from .notes import (
    gone_note,
    origin_note,
    run_notes,
    selected_note,
    unfinished_note,
    untested_note,
)
from .paired import paired
from .pass_rates import label_plan, pass_rates
from .settings import AuditSettings

DEFAULTS = AuditSettings()
FAILURES_ONLY = "strict failures only"


class Audit(Record):
    """The result of calibrating one run, over its gradable transcripts. `level`: of all intervals.
    `weights`: the weight of each label by transcript_id. `weighting`: how they were made; not in
    JSON. `main_grader`: the grader that gives the run's pass rate. `notes`: caveats a reader must
    know."""

    level: float
    transcripts: int
    labelled: int
    undecided: tuple[str, ...]
    from_snippet_only: int
    unblinded: int
    design: str
    weights: dict[str, float] | None
    weighting: Weighting = Field(exclude=True, repr=False)
    main_grader: str | None
    calibrations: tuple[Calibration, ...]
    pass_rates: tuple[PassRate, ...]
    plan: LabelPlan | None
    annotators: Agreement
    snippet_annotators: Agreement
    stages: StageAgreement
    reliability: Reliability
    covariates: tuple[IndependenceTest, ...]
    paired: tuple[PairedTest, ...]
    notes: tuple[str, ...]


def audit(
    run: RunDirectory,
    store: LabelStore,
    settings: AuditSettings = DEFAULTS,
    *,
    columns: Path | None = None,
) -> Audit:
    """Calibrate every grader of a run against its labels. The file `columns` adds covariates.

    Raises `InputError` if that file cannot be used, and `UserError` for an unknown covariate.
    """
    cases = cases_of(run)
    if columns is not None:
        cases = add_columns(cases, columns)
    return audit_of(cases, store.current(), load_sample(store), settings)


def audit_of(
    cases: Sequence[Case],
    labels: Sequence[StoredLabel],
    sample: Sample | None,
    settings: AuditSettings = DEFAULTS,
) -> Audit:
    """The audit of records already read. A pure function."""
    level = settings.level
    recorded, cases = len(cases), gradable(cases)
    known = {case.transcript_id for case in cases}
    gone = tuple(gone_note(sample, labels, known))
    labels = [label for label in labels if label.transcript_id in known]
    left = sample and sample.among(known)
    sample = left if left and left.items else None
    finals = final_labels(labels, stage="transcript" if settings.final_only else "any")
    labelled = human_matches(finals)
    weighting = weighting_of(cases, labelled, sample)
    main = main_grader(cases)
    rates = tuple(pass_rates(cases, weighting, settings.target, level))
    tests = case_tests(cases, weighting.equal, settings.covariates)
    main_rate = next((rate for rate in rates if rate.grader == main), None)
    return Audit(
        level=level,
        transcripts=len(cases),
        labelled=len(labelled),
        undecided=tuple(k for k, f in finals.items() if f.verdict is None and not f.unanimous),
        from_snippet_only=sum(f.basis == "snippet" for key, f in finals.items() if key in labelled),
        unblinded=sum(label.unblinded for label in labels),
        design=weighting.design,
        weights=weighting.weights,
        weighting=weighting,
        main_grader=main,
        calibrations=tuple(_calibrations(cases, weighting, level)),
        pass_rates=rates,
        plan=main_rate and label_plan(cases, main_rate, labelled, weighting, sample, settings.goal),
        annotators=agreement(by_annotator(labels, "transcript"), level),
        snippet_annotators=agreement(by_annotator(labels, "snippet"), level),
        stages=_stages(labels, weighting, level),
        reliability=_reliability(cases, weighting, level),
        covariates=tuple(tests),
        paired=tuple(paired(cases)),
        notes=(
            *gone,
            *weighting.notes,
            *origin_note(weighting),
            *(untested_note(weighting) if tests else ()),
            *run_notes(cases, main, recorded),
            *unfinished_note(cases),
            *selected_note(cases),
        ),
    )


def _calibrations(
    cases: Sequence[Case], weighting: Weighting, level: float
) -> Iterator[Calibration]:
    """A calibration for each grader and configuration of the run. The rates of an LLM judge that
    saw strict failures only cover only these; its configuration says so."""
    for name in graders_in(cases):
        grader, _, configuration = name.partition(":")
        part = [FAILURES_ONLY] if judges_failures_only(name, partial(verdicts_of, cases)) else []
        verdicts = verdicts_of(cases, name)
        yield calibrate(
            grader,
            {key: verdict for key, verdict in verdicts.items() if key in weighting.strata},
            weighting.sampled,
            configuration=", ".join(filter(None, [configuration, *part])),
            drawn=weighting.drawn_from,
            tasks=tasks_of(cases),
            level=level,
        )


def _stages(labels: Sequence[StoredLabel], weighting: Weighting, level: float) -> StageAgreement:
    """How often snippet labels equal the final label, weighted for the sampling design: the share
    that is expected if the whole run is labelled, and read, as the sample was."""
    outcomes = [one for one in snippet_outcomes(labels) if one[0] in weighting.rated]
    return stage_agreement(outcomes, level, weighting.weights)


def _reliability(cases: Sequence[Case], weighting: Weighting, level: float) -> Reliability:
    """How often the blind grade agrees with the human label, by the blind ranker's confidence that
    it read the intended answer. Grades without a confidence, such as answers in words, are left
    out."""
    rows = [
        (
            case.confidence,
            (case.verdicts[BLIND] == "correct") == weighting.rated[case.transcript_id],
            case.task_id,
            1.0 if weighting.weights is None else weighting.weights[case.transcript_id],
        )
        for case in cases
        if case.confidence is not None
        and case.transcript_id in weighting.rated
        and case.verdicts.get(BLIND) in ("correct", "incorrect")
    ]
    scores, hits, tasks, weights = zip(*rows, strict=True) if rows else ((), (), (), ())
    return reliability(scores, hits, tasks, weights=weights, level=level)
