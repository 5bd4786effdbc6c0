"""Which label counts."""

from datetime import UTC, datetime
from itertools import count
from typing import Any

from annotate.labels.consensus import (
    by_annotator,
    disagreements,
    final_labels,
    human_matches,
    snippet_outcomes,
)
from annotate.labels.rows import StoredLabel

_ids = count(1)


def given(annotator: str, verdict: str, stage: str = "transcript", **more: Any) -> StoredLabel:
    fields = {"transcript_id": "t1", "label_id": next(_ids), "revision": 1, **more}
    return StoredLabel.model_validate(
        {
            "annotator": annotator,
            "verdict": verdict,
            "stage": stage,
            "created_at": datetime(2026, 1, 1, tzinfo=UTC),
            **fields,
        }
    )


def test_the_transcript_label_is_final() -> None:
    final = final_labels([given("a", "match", "snippet"), given("a", "non_match")])["t1"]
    assert (final.verdict, final.basis) == ("non_match", "transcript")


def test_the_snippet_label_stands_in_and_can_be_left_out() -> None:
    labels = [given("a", "match", "snippet")]
    assert final_labels(labels)["t1"].basis == "snippet"
    assert final_labels(labels, stage="transcript") == {}


def test_needs_transcript_decides_nothing() -> None:
    final = final_labels([given("a", "needs_transcript", "snippet")])["t1"]
    assert final.verdict is None
    assert human_matches({"t1": final}) == {}


def test_a_tie_waits_for_adjudication_and_a_majority_does_not() -> None:
    tie = [given("a", "match"), given("b", "non_match")]
    assert final_labels(tie)["t1"].verdict is None
    assert disagreements(tie) == {"t1": None}
    majority = [*tie, given("c", "match")]
    assert final_labels(majority)["t1"].verdict == "match"
    assert disagreements(majority) == {"t1": "match"}
    settled = [*tie, given("judge", "non_match", adjudication=True)]
    assert final_labels(settled)["t1"].basis == "adjudication"
    assert disagreements(settled) == {}
    assert disagreements(tie[:1]) == {}


def test_two_ways_of_not_matching_are_no_tie() -> None:
    pair = [given("a", "non_match"), given("b", "no_answer")]
    assert human_matches(final_labels(pair)) == {"t1": False}
    assert disagreements(pair) == {"t1": "non_match"}
    assert human_matches(final_labels([*pair, given("c", "match")])) == {"t1": False}
    assert human_matches(final_labels([*pair, given("c", "match"), given("d", "match")])) == {}
    nobody = [*pair, given("c", "no_answer")]
    assert final_labels(nobody)["t1"].verdict == "no_answer"


def test_the_latest_adjudication_counts() -> None:
    labels = [
        given("x", "match", adjudication=True),
        given("y", "no_answer", adjudication=True),
    ]
    assert final_labels(labels)["t1"].verdict == "no_answer"
    assert human_matches(final_labels(labels)) == {"t1": False}


def test_an_adjudication_that_asks_for_the_transcript_settles_nothing() -> None:
    asks = given("zoe", "needs_transcript", "snippet", adjudication=True)
    final = final_labels([given("a", "match"), asks])["t1"]
    assert (final.verdict, final.basis, final.annotators) == ("match", "transcript", ("a",))
    tie = [given("a", "match", "snippet"), given("b", "non_match", "snippet"), asks]
    assert disagreements(tie) == {"t1": None}
    settled = [*tie, given("y", "match", adjudication=True), asks]
    assert final_labels(settled)["t1"].verdict == "match"
    assert final_labels([asks]) == {}


def test_inputs_of_agreement_leave_out_adjudications_and_escalations() -> None:
    labels = [
        given("a", "match"),
        given("j", "match", adjudication=True),
        given("j", "match", "snippet", adjudication=True),
        given("b", "needs_transcript", "snippet"),
        given("b", "match"),
    ]
    assert by_annotator(labels, "transcript") == {"a": {"t1": "match"}, "b": {"t1": "match"}}
    assert snippet_outcomes(labels) == [("t1", "needs_transcript", "match")]


def test_snippet_labels_are_held_against_the_final_label_whoever_gave_it() -> None:
    triage = [given("a", "match", "snippet"), given("b", "non_match", "snippet")]
    assert snippet_outcomes([*triage, given("b", "needs_transcript")]) == []
    assert snippet_outcomes([*triage, given("c", "match"), given("d", "no_answer")]) == []
    read = [*triage, given("c", "match")]
    assert snippet_outcomes(read) == [("t1", "match", "match"), ("t1", "non_match", "match")]
    settled = [*read, given("judge", "non_match", adjudication=True)]
    assert [final for _, _, final in snippet_outcomes(settled)] == ["non_match", "non_match"]
