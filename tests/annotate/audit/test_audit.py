"""The audit as a whole: designs, notes, reliability, covariates, and odd label sets."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from itertools import product
from typing import Any

import pytest

from annotate.audit import Audit, AuditSettings, audit, audit_of
from annotate.cases import Case, cases_of
from annotate.labels import LabelStore
from annotate.labels.consensus import final_labels
from annotate.labels.rows import StoredLabel
from annotate.sample import draw
from annotate.sample.queue import save_sample
from annotate.sample.weights import SIMPLE
from annotate.session import Session
from annotate.statistics.estimates import Target
from grader.errors import UserError
from grader.records import LabelVerdict, Verdict
from grader.run import RunDirectory
from grader.run.transcript_index import TranscriptIndex
from tests.graded import add_grades

from ..runs import grade, make_run, transcript


def no_nan(value: object) -> bool:
    """True if no number in a JSON-like value is NaN or infinite."""
    if isinstance(value, dict):
        return all(map(no_nan, value.values()))
    if isinstance(value, list | tuple):
        return all(map(no_nan, value))
    return not isinstance(value, float) or math.isfinite(value)


def check(found: Audit) -> Audit:
    assert no_nan(found.model_dump())
    json.loads(found.model_dump_json(), parse_constant=pytest.fail)
    return found


def test_no_labels_at_all(run: RunDirectory, store: LabelStore) -> None:
    found = check(audit(run, store))
    assert found.labelled == 0
    assert found.calibrations[0].recall.value is None
    assert found.pass_rates[0]["poststratified"].reason == "no labels"
    assert found.plan is not None


@pytest.mark.parametrize("verdict", ["match", "non_match", "no_answer", "needs_transcript"])
def test_every_label_the_same(session: Session, run: RunDirectory, verdict: LabelVerdict) -> None:
    for position in range(12):
        session.label(position, "snippet", verdict)
    found = check(audit(run, session.store))
    assert found.labelled == (0 if verdict == "needs_transcript" else 12)


def test_a_single_transcript(tmp_path, store: LabelStore) -> None:  # type: ignore[no-untyped-def]
    one = make_run(tmp_path / "one", [transcript(0, covariates={"type": "x"})])
    session_store = LabelStore.open(one.labels_path)
    check(audit(one, session_store))
    add_grades(one, [grade("t000", "strict_keyword", "correct")])
    found = check(audit(one, session_store))
    assert found.covariates[0].reason.startswith("fewer than two")


def test_fully_labelled_is_a_census(session: Session, run: RunDirectory) -> None:
    for position in range(12):
        session.label(position, "transcript", "non_match" if position % 3 == 0 else "match")
    found = check(audit(run, session.store, AuditSettings(target="run")))
    assert found.design == "every transcript is labelled"
    rate = found.pass_rates[0]["poststratified"]
    assert (rate.low, rate.value, rate.high) == (8 / 12, 8 / 12, 8 / 12)
    assert found.calibrations[0].confusion.tp == 8
    assert found.reliability.n == 12
    assert found.reliability.bands[0].hits.value == 1.0
    kinds = {(t.covariate, t.target) for t in found.covariates}
    assert ("variable_type", "human match") in kinds
    assert found.paired[0].only_first == 0


def test_labels_without_a_design_are_said_to_be_assumed_random(
    session: Session, run: RunDirectory
) -> None:
    session.label(0, "snippet", "match")
    found = check(audit(run, session.store))
    assert found.design == SIMPLE
    assert "without a sampling design" in found.notes[0]
    assert found.from_snippet_only == 1
    assert check(audit(run, session.store, AuditSettings(final_only=True))).labelled == 0


def test_a_gap_in_the_queue_is_said(session: Session, run: RunDirectory) -> None:
    sample = draw(cases_of(run), "stratified", size=12)
    save_sample(session.store, sample)
    places = {key: place for place, key in enumerate(session.queue)}
    for position in (0, 1, 2, 3, 6):
        session.label(places[sample.queue[position]], "snippet", "match")
    found = check(audit(run, session.store))
    assert found.design == "stratified"
    assert found.pass_rates[0].labelled == 4
    assert "Labels beyond place 4 of the queue: 1." in found.notes[0]
    assert found.calibrations[0].confusion.n == 4


def test_weights_follow_the_design(session: Session, run: RunDirectory) -> None:
    cases = cases_of(run)
    sample = draw(cases, "stratified", size=6)
    save_sample(session.store, sample)
    places = {key: place for place, key in enumerate(session.queue)}
    for key in sample.queue:
        session.label(places[key], "transcript", "match")
    found = check(audit(run, session.store))
    passed = {c.transcript_id: c.verdicts["cascade"] == "correct" for c in cases}
    drawn = sum(passed[key] for key in sample.queue)
    assert 0 < drawn < 6
    # every label is a match: the weighted recall is the share of passes in the run, 8 of 12
    recall = found.calibrations[0].recall
    assert recall.value == pytest.approx(8 / 12)
    assert (recall.successes, recall.n) == (drawn, 6)


def test_ungraded_transcripts_are_noted(tmp_path) -> None:  # type: ignore[no-untyped-def]
    run = make_run(
        tmp_path / "u",
        [transcript(i) for i in range(4)],
        [grade(f"t{i:03d}", "cascade", "ungraded" if i == 0 else "correct") for i in range(4)],
    )
    found = check(audit(run, LabelStore.open(run.labels_path)))
    assert "cascade left 1 of 4 transcripts ungraded" in found.notes[0]
    assert "recall and precision leave them out" in found.notes[0]


def test_any_column_can_be_a_covariate(session: Session, run: RunDirectory) -> None:
    found = audit(run, session.store, AuditSettings(covariates=("outcome",)))
    assert {t.covariate for t in found.covariates} == {"outcome"}
    with pytest.raises(UserError, match="variable_type"):
        audit(run, session.store, AuditSettings(covariates=("variable_typ",)))


def test_a_covariate_may_be_called_what_a_column_of_the_run_is_called() -> None:
    cases = [
        Case(
            transcript_id=f"a{i}",
            task_id=f"k{i}",
            outcome="clean" if i % 2 else "failed",
            covariates={"outcome": "high" if i < 6 else "low", "human match": str(i % 3)},
            verdicts={"cascade": "correct" if i < 6 else "incorrect"},
        )
        for i in range(12)
    ]
    own, other = audit_of(cases, [], None).covariates
    assert (own.covariate, own.cramers_v) == ("outcome", pytest.approx(1.0))
    assert other.covariate == "human match"
    bare = [case.model_copy(update={"covariates": {}}) for case in cases]
    (pipeline,) = audit_of(bare, [], None, AuditSettings(covariates=("outcome",))).covariates
    assert pipeline.cramers_v == pytest.approx(0.0)
    with pytest.raises(UserError, match="unknown covariate"):
        audit_of(bare, [], None, AuditSettings(covariates=("task_id",)))


def test_adjudicating_leaves_the_agreement_as_it_was(run: RunDirectory, store: LabelStore) -> None:
    archive = TranscriptIndex(run.transcripts_path)
    ada, bob = (Session(archive, store, name, list(archive)) for name in ("ada", "bob"))
    for position in range(4):
        ada.label(position, "transcript", "match" if position < 2 else "non_match")
        bob.label(position, "transcript", "match" if position < 3 else "non_match")
    before = check(audit(run, store))
    assert (before.annotators.coefficient, before.annotators.n_items) == (0.5, 4)
    disputed = before.undecided[0]
    own = next(x for x in store.current() if x.annotator == "ada" and x.transcript_id == disputed)
    store.add(own.model_copy(update={"verdict": "match"}), adjudication=True)
    after = check(audit(run, store))
    assert (after.annotators, after.undecided) == (before.annotators, ())
    ada.label(2, "transcript", "no_answer")
    assert final_labels(store.current())[disputed].verdict == "match"


def test_labels_of_other_runs_do_not_count(session: Session, run: RunDirectory) -> None:
    session.label(0, "transcript", "match")
    cases = cases_of(run)[1:]
    assert audit_of(cases, session.store.current(), None).labelled == 0


def intervals(value: object, place: str = "") -> dict[str, float]:
    """The width of every interval in an audit, by where it stands; limits of bands are none."""
    if isinstance(value, list | tuple):
        value = {str(number): part for number, part in enumerate(value)}
    if not isinstance(value, dict):
        return {}
    found: dict[str, float] = {}
    for name, part in value.items():
        found |= intervals(part, f"{place}/{name}")
    if value.get("low") is not None and value.get("high") is not None and "mean" not in value:
        found[place] = value["high"] - value["low"]
    return found


def many_cases(repeats: int = 1) -> tuple[list[Case], list[StoredLabel]]:
    """60 tasks, labelled by two annotators at both stages, some of them wrong."""
    cases, labels = [], []
    for number in range(60 * repeats):
        task = number % 60
        match = task % 2 == 0
        ok = match if task % 7 else not match
        verdict: Verdict = "correct" if ok else "incorrect"
        cases.append(
            Case(
                transcript_id=f"t{number}",
                task_id=f"k{task}",
                repeat=number // 60 + 1,
                covariates={"kind": "abc"[task % 3]},
                verdicts={"cascade": verdict, "strict_blind": verdict},
                confidence=task / 60,
            )
        )
        for annotator, stage in product(("ada", "bob"), ("snippet", "transcript")):
            same = (task + len(annotator + stage)) % 11 or annotator == "bob"
            labels.append(
                StoredLabel(
                    label_id=len(labels),
                    revision=1,
                    transcript_id=f"t{number}",
                    annotator=annotator,
                    stage=stage,
                    verdict="match" if match == bool(same) else "non_match",
                    created_at=datetime(2026, 1, 1, tzinfo=UTC),
                )
            )
    return cases, labels


@pytest.mark.parametrize("target", ["population", "run"])
def test_the_level_reaches_every_interval(target: Target) -> None:
    cases, labels = many_cases()
    wide = intervals(audit_of(cases, labels, None, AuditSettings(target=target)).model_dump())
    half = intervals(
        audit_of(cases, labels, None, AuditSettings(target=target, level=0.5)).model_dump()
    )
    assert len(wide) > 30
    for place, width in wide.items():
        assert half[place] < 0.6 * width or half[place] == width == 0, place


def test_copies_of_the_transcripts_change_neither_intervals_nor_tests() -> None:
    one, often = (audit_of(*many_cases(repeats), None) for repeats in (1, 5))
    assert often.covariates == one.covariates
    assert often.paired == one.paired
    assert often.plan is not None
    assert one.plan is not None
    assert often.plan.now == pytest.approx(one.plan.now, abs=0.01)
    assert "300 transcripts of 60 tasks" in often.notes[-1]
    assert not any("transcripts of" in note for note in one.notes)
    # annotators are compared over what they labelled, however often a task was tried
    apart = ("/annotators", "/snippet_annotators", "/stages")
    for place, width in intervals(often.model_dump()).items():
        if not place.startswith(apart):
            assert width == pytest.approx(intervals(one.model_dump())[place], abs=0.02), place


def kinds_of_cases() -> tuple[list[Case], dict[str, bool]]:
    """200 tasks of five kinds, the last of them rare, and whether the answer to each matches."""
    cases, match = [], {}
    for number in range(200):
        key = f"t{number}"
        match[key] = number % 5 > 1
        verdict: Verdict = "correct" if match[key] and number % 3 else "incorrect"
        kind = "rare" if number % 40 == 0 else "abcd"[number % 4]
        cases.append(
            Case(
                transcript_id=key,
                task_id=f"k{number}",
                covariates={"kind": kind},
                verdicts={"cascade": verdict, "strict_blind": verdict},
                confidence=0.95,
            )
        )
    return cases, match


def label(key: str, verdict: LabelVerdict, annotator: str = "ada", **more: Any) -> StoredLabel:
    """A label of a transcript, given after its full text was read."""
    return StoredLabel.model_validate(
        {
            "label_id": 0,
            "revision": 1,
            "transcript_id": key,
            "annotator": annotator,
            "stage": "transcript",
            "verdict": verdict,
            "created_at": datetime(2026, 1, 1, tzinfo=UTC),
            **more,
        }
    )


@pytest.mark.parametrize("size", [11, 100])
def test_a_stratum_without_a_final_label_is_named_and_leaves_no_rates(size: int) -> None:
    cases, match = kinds_of_cases()
    sample = draw(cases, "stratified", size=size, strata_by=["kind"])
    labels = [
        label(key, "match" if match[key] else "non_match")
        for key in sample.queue
        if sample.strata[key] != "rare"
    ]
    found = check(audit_of(cases, labels, sample))
    assert "No final label yet in: rare (2% of the transcripts)." in found.notes[0]
    assert all(row.recall.value is None for row in found.calibrations)
    assert found.calibrations[0].confusion.n > 8
    assert found.reliability.n == 0
    assert "rare" in found.pass_rates[0]["poststratified"].reason


@pytest.mark.parametrize(("design", "tested"), [("stratified", False), ("random", True)])
def test_labels_that_do_not_weigh_the_same_are_not_tested(design: str, tested: bool) -> None:
    cases, match = kinds_of_cases()
    sample = draw(cases, design, size=60, strata_by=["kind"] if design == "stratified" else [])
    labels = [label(key, "match" if match[key] else "non_match") for key in sample.queue]
    labels += [label(key, "match") for key in [item.transcript_id for item in sample.items[100:]]]
    found = check(audit_of(cases, labels, sample))
    against_labels = [test for test in found.covariates if test.target == "human match"]
    assert [test.n for test in against_labels] == ([60] if tested else [])
    assert any(note.startswith("No test of covariates") for note in found.notes) != tested
    none_asked = audit_of(cases, labels, sample, AuditSettings(covariates=()))
    assert not any(note.startswith("No test of covariates") for note in none_asked.notes)


def test_labels_are_tested_though_one_of_them_is_open() -> None:
    cases, match = kinds_of_cases()
    sample = draw(cases, "stratified", size=len(cases), strata_by=["kind"])
    labels = [label(key, "match" if match[key] else "non_match") for key in sample.queue]
    most = next(key for key in sample.queue if sample.strata[key] != "rare")
    found = audit_of(cases, [one for one in labels if one.transcript_id != most], sample)
    assert found.weights is not None
    assert [t.n for t in found.covariates if t.target == "human match"] == [len(cases) - 1]
    assert not any(note.startswith("No test of covariates") for note in found.notes)


def test_the_rates_of_a_judge_of_strict_failures_are_said_to_be_of_these() -> None:
    asked: dict[str, Verdict] = {"strict_keyword": "incorrect", "lenient": "correct"}
    spared: dict[str, Verdict] = {"strict_keyword": "correct"}
    given = [verdicts | {"cascade": "correct"} for verdicts in (asked, spared)]
    given = [v | {f"{name}:before_nudge": one for name, one in v.items()} for v in given]
    cases = [
        Case(transcript_id=str(number), task_id=str(number), verdicts=verdicts)
        for number, verdicts in enumerate(given)
    ]
    found = {(row.grader, row.configuration) for row in audit_of(cases, [], None).calibrations}
    assert {configuration for grader, configuration in found if grader == "lenient"} == {
        "strict failures only",
        "before_nudge, strict failures only",
    }
    assert ("cascade", "before_nudge") in found
    alone = audit_of(cases[:1], [], None).calibrations
    assert ("lenient", "") in {(row.grader, row.configuration) for row in alone}
