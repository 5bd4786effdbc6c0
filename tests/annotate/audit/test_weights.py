"""Labels that were drawn by a design: how they are weighed, and when they are tested."""

from __future__ import annotations

import pytest

from annotate.audit import AuditSettings, audit, audit_of
from annotate.cases import Case, cases_of
from annotate.sample import Sample, draw
from annotate.sample.drawing import SampleItem
from annotate.sample.queue import save_sample
from annotate.sample.weights import BY_VERDICT, SIMPLE
from annotate.session import Session
from grader.records import Verdict
from grader.run import RunDirectory

from .audits import check, label


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
    sample = draw(cases, "stratified", size=7)
    save_sample(session.store, sample)
    places = {key: place for place, key in enumerate(session.queue)}
    for key in sample.queue:
        session.label(places[key], "transcript", "match")
    found = check(audit(run, session.store))
    passed = {c.transcript_id: c.verdicts["cascade"] == "correct" for c in cases}
    drawn = sum(passed[key] for key in sample.queue)
    assert 0 < drawn < 7
    # every label is a match: the weighted recall is the share of passes in the run, 8 of 12
    recall = found.calibrations[0].recall
    assert found.weights is not None
    assert recall.value == pytest.approx(8 / 12, abs=0.03)
    assert (recall.successes, recall.n) == (drawn, 7)


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


@pytest.mark.parametrize("design", ["random", "stratified"])
def test_rates_leave_out_transcripts_added_after_the_draw(design: str) -> None:
    """As the note says, also the share of answers found, whatever the labels weigh."""
    cases, match = kinds_of_cases()
    sample = draw(cases[:150], design, size=60)
    found = check(audit_of(cases, [label(key, match[key]) for key in sample.queue], sample))
    assert any("Transcripts added after the queue was drawn: 50." in note for note in found.notes)
    assert {row.detected.n for row in found.calibrations} == {150}
    assert {row.automated.n for row in found.pass_rates} == {150}


@pytest.mark.parametrize("size", [11, 100])
def test_a_stratum_without_a_final_label_is_named_and_leaves_no_rates(size: int) -> None:
    cases, match = kinds_of_cases()
    sample = draw(cases, "stratified", size=size, strata_by=["kind"])
    labels = [label(key, match[key]) for key in sample.queue if sample.strata[key] != "rare"]
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
    labels = [label(key, match[key]) for key in sample.queue]
    labels += [
        label(key, match=True) for key in [item.transcript_id for item in sample.items[100:]]
    ]
    found = check(audit_of(cases, labels, sample))
    against_labels = [test for test in found.covariates if test.target == "human match"]
    assert [test.n for test in against_labels] == ([60] if tested else [])
    assert any(note.startswith("No test of covariates") for note in found.notes) != tested
    none_asked = audit_of(cases, labels, sample, AuditSettings(covariates=()))
    assert not any(note.startswith("No test of covariates") for note in none_asked.notes)


def test_snippet_labels_agree_as_often_as_in_the_run() -> None:
    """Snippets mislead on the rare kind only, a fortieth of the run and a third of the labels."""
    cases, match = kinds_of_cases()
    kinds = {case.transcript_id: case.covariates["kind"] for case in cases}
    rare = [key for key, kind in kinds.items() if kind == "rare"]
    strata = {key: "rare" if key in rare else "usual" for key in kinds}
    order = [*rare, *(key for key in kinds if key not in rare)]
    sample = Sample(
        design="stratified",
        seed=0,
        size=15,
        items=tuple(
            SampleItem(position=place, transcript_id=key, stratum=strata[key])
            for place, key in enumerate(order)
        ),
    )
    labels = [label(key, match[key]) for key in order[:15]]
    labels += [label(key, match[key] == (key not in rare), "bob", "snippet") for key in order[:15]]
    agreed = audit_of(cases, labels, sample).stages.overall
    assert (agreed.successes, agreed.n) == (10, 15)
    assert agreed.is_weighted
    assert agreed.value == pytest.approx(195 / 200)


def failures_and_passes(passes: int, failures: int) -> tuple[list[Case], list[str]]:
    """200 transcripts, of which the cascade passed the first half and misses one in five matches,
    and some of its passes and failures."""
    cases = [
        Case(
            transcript_id=f"t{i}",
            task_id=f"k{i}",
            covariates={"kind": "ab"[i % 2]},
            verdicts={"cascade": "correct" if i < 100 else "incorrect"},
        )
        for i in range(200)
    ]
    chosen = [*range(passes), *range(100, 100 + failures)]
    return cases, [f"t{i}" for i in chosen]


def test_labels_of_failures_only_are_no_sample_of_the_run() -> None:
    cases, chosen = failures_and_passes(0, 40)
    found = check(audit_of(cases, [label(key, match=i < 8) for i, key in enumerate(chosen)], None))
    assert found.design == BY_VERDICT
    assert found.notes[0].startswith(
        "The labels come without a sampling design and cannot be a random sample of the run: they "
        "are 40 of the 100 not passed by cascade, 0 of the 100 passed by cascade. The others are "
        "unseen"
    )
    assert any("draw that queue here" in note for note in found.notes)
    assert found.weighting.unlabelled == ("passed by cascade",)
    assert found.calibrations[0].recall.value is None
    assert found.calibrations[0].confusion.fn == 8
    assert found.pass_rates[0]["poststratified"].value is None
    assert found.plan is not None
    assert not [test for test in found.covariates if test.target == "human match"]


def test_labels_of_too_many_failures_weigh_by_verdict() -> None:
    cases, chosen = failures_and_passes(10, 60)
    matches = [label(key, match=i < 10 or i % 5 == 0) for i, key in enumerate(chosen)]
    found = check(audit_of(cases, matches, None))
    assert found.design == BY_VERDICT
    assert "treated as a random sample of each" in found.notes[0]
    assert found.pass_rates[0]["classical"].value == pytest.approx(0.5 + 0.5 * 12 / 60)
    assert found.calibrations[0].recall.value == pytest.approx(0.5 / 0.6, abs=0.03)
    assert set((found.weights or {}).values()) == {10.0, 100 / 60}


@pytest.mark.parametrize(("passes", "failures"), [(20, 20), (10, 22), (0, 6), (12, 0)])
def test_labels_that_may_be_a_sample_of_the_run_are_taken_for_one(
    passes: int, failures: int
) -> None:
    cases, chosen = failures_and_passes(passes, failures)
    found = audit_of(cases, [label(key, match=True) for key in chosen], None)
    assert found.design == SIMPLE
    ungraded = [case.model_copy(update={"verdicts": {}}) for case in cases]
    assert audit_of(ungraded, [label(chosen[0], match=True)], None).design == SIMPLE


def test_labels_beside_the_queue_are_taken_for_a_sample_of_their_own() -> None:
    cases, match = kinds_of_cases()
    sample = draw(cases, "stratified", size=60, strata_by=["kind"])
    beside = [case.transcript_id for case in cases if case.transcript_id not in sample.queue][::4]
    found = check(audit_of(cases, [label(key, match[key]) for key in beside], sample))
    assert found.design == SIMPLE
    assert found.notes[0].startswith("The labels are not from the queue: they are treated as a")
    share = sum(match[key] for key in beside) / len(beside)
    assert found.pass_rates[0]["classical"].value == pytest.approx(share)


def test_labels_are_tested_though_one_of_them_is_open() -> None:
    cases, match = kinds_of_cases()
    sample = draw(cases, "stratified", size=len(cases), strata_by=["kind"])
    labels = [label(key, match[key]) for key in sample.queue]
    most = next(key for key in sample.queue if sample.strata[key] != "rare")
    found = audit_of(cases, [one for one in labels if one.transcript_id != most], sample)
    assert found.weights is not None
    assert [t.n for t in found.covariates if t.target == "human match"] == [len(cases) - 1]
    assert not any(note.startswith("No test of covariates") for note in found.notes)
