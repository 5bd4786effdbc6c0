"""What rates are of: the labels that form a sample, and the transcripts that can be graded."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from annotate.audit import AuditSettings, audit_of
from annotate.audit.text import plan_sentence
from annotate.cases import Case
from annotate.labels.rows import StoredLabel
from annotate.sample import draw
from annotate.sample.weights import SIMPLE

from .audits import check, label

MATCH = {f"t{i}": i % 2 == 0 for i in range(60)}


def case(number: int, **fields: object) -> Case:
    """A transcript graded by the cascade and the blind grader, wrongly where a seventh is."""
    ok = (number % 2 == 0) == bool(number % 7)
    verdict = "correct" if ok else "incorrect"
    return Case.model_validate(
        {
            "transcript_id": f"t{number}",
            "task_id": f"t{number}",
            "verdicts": {"cascade": verdict, "strict_blind": verdict},
            "confidence": 0.2 if number % 7 == 0 else 0.9,
            **fields,
        }
    )


CASES = [case(i) for i in range(60)]


def labels(keys: Iterable[str]) -> list[StoredLabel]:
    return [label(key, MATCH[key]) for key in keys]


@pytest.mark.parametrize("place", [0, 5, 29])
def test_an_open_place_takes_no_label_away(place: int) -> None:
    sample = draw(CASES, "informative", size=30)
    given = [key for key in sample.queue if key != sample.queue[place]]
    found = audit_of(CASES, labels(given), sample)
    whole = audit_of(CASES, labels(sample.queue), sample)
    assert (found.design, found.pass_rates[0].labelled) == ("informative", 29)
    assert bool(found.notes) == (place < 29)
    if found.notes:
        assert "final label among the first 30 of the queue: 1." in found.notes[0]
    for one, other in zip(found.calibrations, whole.calibrations, strict=True):
        assert one.recall.value == pytest.approx(other.recall.value, abs=0.1)
    assert sum((found.weights or {}).values()) == pytest.approx(60)


@pytest.mark.parametrize("gradable", [True, False])
@pytest.mark.parametrize("design", ["random", "informative"])
def test_transcripts_that_are_gone_take_no_other_labels_away(design: str, gradable: bool) -> None:
    """Whether they are no longer in the run, or can no longer be graded."""
    sample = draw(CASES, design, size=30)
    gone = {one.transcript_id for one in CASES[::4]}
    left = [one for one in CASES if one.transcript_id not in gone]
    if not gradable:
        left += [case(i, gradable=False) for i in range(0, 60, 4)]
    found = check(audit_of(left, labels(sample.queue), sample))
    labelled = [key for key in sample.queue if key not in gone]
    assert found.notes[0] == (
        "Transcripts of the queue that are no longer in the run or gradable: 15. They are left "
        f"out, with the labels that {30 - len(labelled)} of them have."
    )
    assert not any("beyond" in note for note in found.notes)
    assert found.pass_rates[0].labelled == len(labelled)
    assert (found.weights is None) == (design == "random")
    assert sum((found.weights or dict.fromkeys(range(45), 1)).values()) == pytest.approx(45)


def test_a_queue_of_which_all_is_gone_is_none() -> None:
    sample, left = draw(CASES[:20], "informative", size=10), CASES[20:]
    for keys in ([], ["t30", "t31"]):
        found = check(audit_of(left, labels(keys), sample))
        assert found.design == SIMPLE
        assert found.pass_rates[0].labelled == len(keys)


def test_labels_wait_where_more_than_one_place_in_ten_is_open() -> None:
    sample = draw(CASES, "informative", size=30)
    found = audit_of(CASES, labels(sample.queue[5:]), sample)
    assert "Labels beyond place 0 of the queue: 25." in found.notes[0]
    assert found.pass_rates[0]["poststratified"].reason == "no labels"
    assert found.calibrations[0].recall.value is None


def test_labels_that_are_none_of_the_queues_are_taken_for_a_random_sample() -> None:
    sample = draw(CASES, "random", size=20)
    others = [item.transcript_id for item in sample.items[20:50]]
    found = audit_of(CASES, labels(others), sample)
    assert (found.design, found.pass_rates[0].labelled) == (SIMPLE, 30)
    assert "not from the queue" in found.notes[0]
    assert found.weights is None


def test_a_plan_without_a_queue_names_no_transcripts() -> None:
    """In the order of the file the first would be no sample."""
    some, goal = labels(f"t{i}" for i in range(20)), AuditSettings(goal=0.08, target="run")
    found = audit_of(CASES, some, None, goal).plan
    assert found is not None
    assert found.more
    assert found.transcript_ids == ()
    assert "drawn at random, as by `grader annotate RUN --design random`" in plan_sentence(found)
    queued = audit_of(CASES, some, draw(CASES, "random"), goal).plan
    assert queued is not None
    assert "in queue order" in plan_sentence(queued)
    bare = audit_of(CASES, [], None, goal).plan
    assert bare is not None
    assert bare.transcript_ids == ()


def test_labels_of_another_queue_are_told_how_to_get_it() -> None:
    elsewhere = draw(CASES, "informative", size=30)
    given = labels(elsewhere.queue)
    assert "grader annotate RUN --design NAME" in audit_of(CASES, given, None).notes[1]
    again = audit_of(CASES, given, draw(CASES, "informative", size=30))
    assert again == audit_of(CASES, given, elsewhere)
    for known in (again, audit_of(CASES, [], None)):
        assert not any("--design NAME" in note for note in known.notes)


def test_weights_are_none_where_all_labels_weigh_the_same() -> None:
    sample = draw(CASES, "random", size=20)
    assert audit_of(CASES, labels(sample.queue), sample).weights is None
    assert audit_of(CASES, labels(MATCH), sample).weights is None
    sample = draw(CASES, "informative", size=20)
    weights = audit_of(CASES, labels(sample.queue), sample).weights
    assert weights is not None
    assert sum(weights.values()) == pytest.approx(60)


def test_what_cannot_be_graded_is_left_out() -> None:
    bare = [case(i, verdicts={"cascade": "ungraded"}, gradable=False) for i in range(60, 80)]
    some = labels(f"t{i}" for i in range(40))
    whole = audit_of([*CASES, *bare], [*some, label("t70", match=False)], None)
    plain = audit_of(CASES, some, None)
    assert "Not gradable" in whole.notes[2]
    assert "20 of 80 transcripts" in whole.notes[2]
    assert whole.model_copy(update={"notes": whole.notes[:2]}) == plain


def test_there_is_no_automated_rate_where_the_grader_left_failures_open() -> None:
    down = [case(i, verdicts={"cascade": "ungraded"}) if i >= 40 else case(i) for i in range(60)]
    (rate,) = (r for r in audit_of(down, [], None).pass_rates if r.grader == "cascade")
    assert (rate.automated.n, rate.automated.value) == (0, None)
    assert sum(cell.size for cell in rate.cells) == 60


def test_reliability_is_of_the_blind_confidence_alone() -> None:
    words = [case(i, confidence=None, region_score=1.2) if i % 2 else case(i) for i in range(60)]
    found = audit_of(words, labels(MATCH), None).reliability
    assert (found.n, found.bands[-1].high) == (30, 1)
    assert found.brier is not None


def test_reliability_is_weighted_for_the_design() -> None:
    whole = audit_of(CASES, labels(MATCH), None).reliability
    sample = draw(CASES, "informative", size=20)
    given = labels(sample.queue)
    assert audit_of(CASES, given, sample).reliability.brier == pytest.approx(whole.brier)
    # the doubtful cases are labelled more often, and what they state is farther from the truth
    plain = audit_of(CASES, given, None).reliability.brier
    assert plain is not None
    assert whole.brier is not None
    assert plain > 1.3 * whole.brier


def test_with_final_only_no_snippet_awaits_adjudication() -> None:
    given = [label("t0", name == "ada", name, "snippet") for name in ("ada", "bob")]
    assert audit_of(CASES, given, None).undecided == ("t0",)
    assert audit_of(CASES, given, None, AuditSettings(final_only=True)).undecided == ()
