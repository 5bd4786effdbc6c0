"""Everything `grader calibrate` says about one run, as records: the graders against the labels,
agreement, reliability, the corrected pass rate, covariates and the plan for further labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from grader.errors import unknown_name
from grader.records import Record
from grader.run import RunDirectory

from .agreement import Agreement, StageAgreement, agreement, stage_agreement
from .calibrate import Calibration, calibrate
from .cases import Case, cases_of, complete_graders, graders_in, main_grader, verdicts_of
from .columns import add_columns
from .consensus import by_annotator, disagreements, final_labels, stage_pairs, truth
from .covariates import COVARIATE, IndependenceTest, covariate_tests
from .label_rows import StoredLabel
from .labels import LabelStore
from .mcnemar import PairedTest, paired
from .planner import LabelPlan, plan, waiting_of
from .prevalence import PassRate, Target, cells_of, pass_rate
from .queue import load_sample
from .reliability import Reliability, reliability
from .sample import Sample, labelled_part

SIMPLE = "simple random sample (assumed)"


class Audit(Record):
    """The result of calibrating one run. `main_grader` is the one whose passes stand for the
    run; `notes` are caveats a reader must know."""

    transcripts: int
    labelled: int
    undecided: tuple[str, ...]
    from_snippet_only: int
    unblinded: int
    design: str
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
    *,
    final_only: bool = False,
    target: Target = "population",
    goal: float = 0.03,
    covariates: Sequence[str] | None = None,
    columns: Path | None = None,
    level: float = 0.95,
) -> Audit:
    """Calibrate every grader of a run against its labels.

    `final_only` leaves out labels from the snippet alone; `goal` is the half-width the plan
    aims at; `covariates` default to all the tasks have and the file `columns` adds, and may
    also name "outcome", the pipeline's, where no task covariate is called so.
    """
    cases = cases_of(run)
    if columns is not None:
        cases = add_columns(cases, columns)
    labels = store.current()
    return audit_of(
        cases,
        labels,
        load_sample(store),
        final_only=final_only,
        target=target,
        goal=goal,
        covariates=covariates,
        level=level,
    )


def audit_of(
    cases: Sequence[Case],
    labels: Sequence[StoredLabel],
    sample: Sample | None,
    *,
    final_only: bool = False,
    target: Target = "population",
    goal: float = 0.03,
    covariates: Sequence[str] | None = None,
    level: float = 0.95,
) -> Audit:
    """`audit` of what was read: a pure function."""
    known = {case.transcript_id for case in cases}
    labels = [label for label in labels if label.transcript_id in known]
    finals = final_labels(labels, stage="transcript" if final_only else "any")
    judged = truth(finals)
    notes: list[str] = []
    sampled, strata, weights, design = _design(cases, judged, sample, notes)
    main = main_grader(cases)
    ungraded = sum(v == "ungraded" for v in verdicts_of(cases, main).values()) if main else 0
    if ungraded:
        notes.append(
            f"Ungraded by {main}: {ungraded} of {len(cases)} transcripts; no statement about the "
            "agent. The automated pass rate counts them as not passed; the corrected ones allow "
            "for it."
        )
    rates, plan_for = _pass_rates(cases, sampled, strata, sample, target, goal, level)
    return Audit(
        transcripts=len(cases),
        labelled=len(judged),
        undecided=tuple(disagreements(labels)),
        from_snippet_only=sum(f.basis == "snippet" for key, f in finals.items() if key in judged),
        unblinded=sum(label.unblinded for label in labels),
        design=design,
        main_grader=main,
        calibrations=tuple(
            calibrate(
                name.partition(":")[0],
                verdicts_of(cases, name),
                judged,
                configuration=name.partition(":")[2],
                weights=weights,
                strata=strata if weights else None,
                level=level,
            )
            for name in graders_in(cases)
        ),
        pass_rates=rates,
        plan=plan_for,
        annotators=agreement(by_annotator(labels, "transcript")),
        snippet_annotators=agreement(by_annotator(labels, "snippet")),
        stages=stage_agreement(*stage_pairs(labels)),
        reliability=_reliability(cases, judged),
        covariates=tuple(_covariates(cases, judged, covariates)),
        paired=tuple(paired(cases)),
        notes=tuple(notes),
    )


def case_frame(cases: Sequence[Case], judged: Mapping[str, bool]) -> pd.DataFrame:
    """One row a transcript: `covariate:NAME`, `GRADER pass`, `human match`, mode and outcome. Yes
    or no where it is known, else None."""
    rows = []
    for case in cases:
        row: dict[str, object] = {
            "transcript_id": case.transcript_id,
            "task_id": case.task_id,
            "nudge_mode": case.nudge_mode or "not recorded",
            "outcome": case.outcome,
            "human match": _yes_no(judged.get(case.transcript_id)),
            **{
                f"{name} pass": _yes_no(None if v == "ungraded" else v == "correct")
                for name, v in case.verdicts.items()
            },
        }
        rows.append({**{COVARIATE + name: v for name, v in case.covariates.items()}, **row})
    return pd.DataFrame(rows)


def _design(
    cases: Sequence[Case], judged: Mapping[str, bool], sample: Sample | None, notes: list[str]
) -> tuple[dict[str, bool], dict[str, str], dict[str, float] | None, str]:
    """(labels that form a sample, stratum of each transcript, weights, name of the design)."""
    everyone = {case.transcript_id: "all" for case in cases}
    if judged and len(judged) == len(cases):
        return dict(judged), everyone, None, "every transcript is labelled"
    part = None if sample is None else labelled_part(sample, judged)
    if sample is None or part is None or (not part.truth and judged):
        if judged:
            notes.append(
                "The labels come without a sampling design: they are taken for a simple random "
                "sample. If they were picked otherwise, the pass rate is off."
            )
        return dict(judged), everyone, None, SIMPLE
    if part.beyond:
        notes.append(
            f"Labels beyond place {(part.gap or 0) + 1} of the queue, which has no final label: "
            f"{part.beyond}. They join the pass rate once it is filled."
        )
    strata = sample.strata
    added = sum(case.transcript_id not in strata for case in cases)
    if added:
        notes.append(
            f"Transcripts added after the queue was drawn: {added}. The pass rate leaves them "
            "out. Draw a new queue with --design."
        )
    sizes, drawn = Counter(strata.values()), Counter(strata[key] for key in part.truth)
    weights = {key: sizes[strata[key]] / drawn[strata[key]] for key in part.truth}
    # Labels outside the sample have no known probability; they keep the weight 0 here.
    weights |= {key: 0.0 for key in judged if key not in weights}
    return part.truth, strata, weights, sample.design


def _pass_rates(
    cases: Sequence[Case],
    sampled: Mapping[str, bool],
    strata: Mapping[str, str],
    sample: Sample | None,
    target: Target,
    goal: float,
    level: float,
) -> tuple[tuple[PassRate, ...], LabelPlan | None]:
    rates, best = [], main_grader(cases)
    planned: LabelPlan | None = None
    for name in complete_graders(cases):
        verdicts = verdicts_of(cases, name)
        passed = {key: verdicts[key] == "correct" for key in strata if key in verdicts}
        cells = cells_of(passed, strata, {k: v for k, v in sampled.items() if k in passed})
        rates.append(pass_rate(name, cells, target=target, level=level))
        if name == best:
            order = [item.transcript_id for item in sample.items] if sample else list(strata)
            waiting = waiting_of(order, strata, passed, dict(sampled))
            planned = plan(cells, waiting, goal, target=target, level=level)
    return tuple(rates), planned


def _reliability(cases: Sequence[Case], judged: Mapping[str, bool]) -> Reliability:
    """How often the blind grade agrees with the human label, by the blind ranker's confidence
    that it read the answer meant."""
    rows = [
        (
            case.confidence,
            (case.verdicts["strict_blind"] == "correct") == judged[case.transcript_id],
        )
        for case in cases
        if case.confidence is not None
        and case.transcript_id in judged
        and case.verdicts.get("strict_blind") in ("correct", "incorrect")
    ]
    return reliability([score for score, _ in rows], [hit for _, hit in rows])


def _covariates(
    cases: Sequence[Case], judged: Mapping[str, bool], names: Sequence[str] | None
) -> list[IndependenceTest]:
    known = {name: COVARIATE + name for case in cases for name in case.covariates}
    valid = {"outcome": "outcome", **known}
    chosen = list(known) if names is None else list(names)
    for name in chosen:
        if name not in valid:
            raise unknown_name("covariate", name, list(valid))
    if not chosen:
        return []
    targets = [f"{name} pass" for name in complete_graders(cases)]
    targets += ["human match"] if judged else []
    frame = case_frame(cases, judged)
    columns = [valid[name] for name in chosen]
    return covariate_tests(frame, columns, targets, mode_column="nudge_mode")


def _yes_no(value: bool | None) -> str | None:
    return None if value is None else "yes" if value else "no"
