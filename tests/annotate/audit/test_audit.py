"""The audit as a whole: designs, notes, reliability, covariates, and odd label sets."""

from __future__ import annotations

import pytest

from annotate.audit import AuditSettings, audit, audit_of
from annotate.cases import Case, cases_of
from annotate.labels import LabelStore
from annotate.labels.consensus import final_labels
from annotate.sample.weights import SIMPLE
from annotate.session import Session
from grader.errors import UserError
from grader.records import LabelVerdict, Verdict
from grader.run import RunDirectory
from grader.run.transcript_index import TranscriptIndex
from tests.graded import add_grades

from ..runs import grade, make_run, transcript
from .audits import check, label


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
    assert found.undecided == ()  # nobody disagrees


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


def test_ungraded_transcripts_are_noted(tmp_path) -> None:  # type: ignore[no-untyped-def]
    run = make_run(
        tmp_path / "u",
        [transcript(i) for i in range(4)],
        [grade(f"t{i:03d}", "cascade", "ungraded" if i == 0 else "correct") for i in range(4)],
    )
    found = check(audit(run, LabelStore.open(run.labels_path)))
    assert "cascade left 1 of 4 transcripts ungraded" in found.notes[0]
    assert "recall and precision leave them out" in found.notes[0]


@pytest.mark.parametrize("graded", [0, 3, 4])
def test_transcripts_that_wait_to_be_graded_are_noted(graded: int) -> None:
    """Without a grade of each there is no pass rate and no test, which must not go unsaid."""
    cases = [
        Case(
            transcript_id=f"t{i}",
            task_id=f"t{i}",
            verdicts={"strict_keyword": "correct", "lenient": "incorrect"} if i < graded else {},
        )
        for i in range(4)
    ]
    found = check(audit_of(cases, [label("t0", match=True)], None))
    assert bool(found.pass_rates) == (graded == 4)
    said = [note for note in found.notes if "graded yet" in note]
    assert [note.partition(".")[0] for note in said] == {
        0: ["Nothing is graded yet: the labels stand alone until `grader grade DIR` has graded"],
        3: ["Not graded yet: 1 of 4 transcripts, by strict_keyword"],
        4: [],
    }[graded]


@pytest.mark.parametrize("left", ["correct", "ungraded"])
def test_a_cascade_that_left_failures_ungraded_is_not_tested(left: Verdict) -> None:
    """What it graded in mode B are strict passes: a test would find a difference of the modes."""
    cases = [
        Case(
            transcript_id=f"{mode}{i}",
            task_id=f"k{i}",
            nudge_mode=mode,
            covariates={"kind": "ab"[i % 2]},
            verdicts={
                "strict_keyword": "correct" if i % 3 else "incorrect",
                "cascade": "correct" if i % 3 else left if mode == "B" else "incorrect",
            },
        )
        for mode in "AB"
        for i in range(30)
    ]
    found = check(audit_of(cases, [], None))
    is_tested = left != "ungraded"
    assert any("cascade" in test.first + test.second for test in found.paired) == is_tested
    assert any(test.target == "cascade pass" for test in found.covariates) == is_tested
    assert sum(note.startswith("No test of cascade:") for note in found.notes) == (not is_tested)
    assert any(test.first == "strict_keyword, mode A" for test in found.paired)


def test_any_column_can_be_a_covariate(session: Session, run: RunDirectory) -> None:
    found = audit(run, session.store, AuditSettings(covariates=("outcome",)))
    assert {t.covariate for t in found.covariates} == {"outcome"}
    with pytest.raises(UserError, match="variable_type"):
        audit(run, session.store, AuditSettings(covariates=("variable_typ",)))


def test_a_run_without_gradable_transcripts_has_no_outcome_to_test() -> None:
    cases = [Case(transcript_id="t", task_id="t", gradable=False)]
    assert audit_of(cases, [], None, AuditSettings(covariates=("outcome",))).covariates == ()


def test_a_covariate_named_twice_is_tested_once(session: Session, run: RunDirectory) -> None:
    once, twice = (
        audit(run, session.store, AuditSettings(covariates=("variable_type",) * times)).covariates
        for times in (1, 2)
    )
    assert once
    assert once == twice


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
