"""Sampling designs: reproducible, valid at every stop, strict passes always in."""

from collections import Counter
from pathlib import Path

import pytest

from annotate.cases import Case
from annotate.labels import LabelStore
from annotate.sample import draw, labelled_part, resized
from annotate.sample.designs import DESIGNS, confidence_band
from annotate.sample.queue import load_sample, save_sample
from grader.errors import UserError
from grader.records import Verdict


def cases(count: int = 400) -> list[Case]:
    """Three fifths passed; every 20th with the graders at odds; confidence all over."""
    found = []
    for i in range(count):
        passed: Verdict = "correct" if i % 5 < 3 else "incorrect"
        other: Verdict = "incorrect" if i % 20 == 0 else passed
        found.append(
            Case(
                transcript_id=f"t{i}",
                task_id=f"k{i}",
                outcome="clean" if i % 3 else "nudge_recovered",
                covariates={"type": "abc"[i % 3]},
                verdicts={"strict_keyword": other, "cascade": passed},
                confidence=(i * 7 % 100) / 100,
            )
        )
    return found


@pytest.mark.parametrize("design", list(DESIGNS))
def test_every_design_is_a_reproducible_permutation(design: str) -> None:
    sample = draw(cases(), design, size=50, seed=4)
    assert sample == draw(cases(), design, size=50, seed=4)
    assert sample != draw(cases(), design, size=50, seed=5)
    assert sorted(i.transcript_id for i in sample.items) == sorted(f"t{i}" for i in range(400))
    assert len(sample.queue) == (400 if design == "all" else 50)


@pytest.mark.parametrize("design", list(DESIGNS))
def test_stored_probabilities_are_those_of_the_queue(design: str) -> None:
    sample = draw(cases(), design, size=60)
    drawn = Counter(item.stratum for item in sample.items[: sample.size])
    sizes = Counter(item.stratum for item in sample.items)
    for item in sample.items:
        assert item.stratum_size == sizes[item.stratum]
        assert item.probability == drawn[item.stratum] / sizes[item.stratum]
    # inverse probabilities sum to the size of the run wherever all strata are drawn from
    assert sum(1 / i.probability for i in sample.items[: sample.size]) == pytest.approx(400)


def test_inclusion_frequencies_match_the_probabilities() -> None:
    found: Counter[str] = Counter()
    for seed in range(600):
        sample = draw(cases(60), "informative", size=20, seed=seed)
        found.update(sample.queue)
    expected = {i.transcript_id: i.probability for i in sample.items}
    for key, probability in expected.items():
        spread = 4 * (probability * (1 - probability) / 600) ** 0.5
        assert found[key] / 600 == pytest.approx(probability, abs=spread + 0.01)


def test_informative_asks_for_disagreement_first_and_never_forgets_passes() -> None:
    sample = draw(cases(), "informative", size=100)
    strata = Counter(item.stratum for item in sample.items[:100])
    sizes = Counter(item.stratum for item in sample.items)
    share = {name: strata[name] / sizes[name] for name in sizes}
    assert share["pass / disagree"] > share["pass / low"] > share["pass / high"] > 0
    passes = sum(count for name, count in strata.items() if name.startswith("pass"))
    assert passes >= 10


def test_passes_are_in_even_where_they_look_safe() -> None:
    safe = [
        Case(
            transcript_id=f"t{i}",
            task_id="k",
            verdicts={"cascade": "correct" if i < 50 else "incorrect"},
            confidence=0.99 if i < 50 else 0.1,
        )
        for i in range(1000)
    ]
    sample = draw(safe, "informative", size=100)
    assert sum(i.stratum.startswith("pass") for i in sample.items[:100]) >= 9


def test_strata_by_several_keys() -> None:
    sample = draw(cases(), "stratified", size=40, strata_by=["outcome", "type"])
    strata = {item.stratum for item in sample.items}
    assert "nudge_recovered / a" in strata
    assert {i.stratum for i in sample.items[:40]} == strata


def test_unknown_names_list_the_valid_ones() -> None:
    with pytest.raises(UserError, match="Did you mean 'random'"):
        draw(cases(5), "randon")
    with pytest.raises(UserError, match="Valid: confidence, outcome, type, verdict"):
        draw(cases(5), "stratified", strata_by=["colour"])
    with pytest.raises(UserError, match="no transcripts"):
        draw([], "random")


@pytest.mark.parametrize("size", [0, -5])
def test_a_queue_of_nothing_is_refused(size: int) -> None:
    for design in DESIGNS:
        with pytest.raises(UserError, match=f"--size was {size}"):
            draw(cases(5), design, size=size)
    with pytest.raises(UserError, match="at least 1"):
        resized(draw(cases(5), "random"), size)


def test_ungraded_runs_can_be_sampled() -> None:
    plain = [Case(transcript_id=f"t{i}", task_id="k") for i in range(5)]
    assert len(draw(plain, "informative").queue) == 5
    assert {i.stratum for i in draw(plain, "stratified").items} == {"not graded"}


def test_a_larger_queue_extends_the_smaller() -> None:
    small = draw(cases(), "informative", size=20)
    large = resized(small, 90)
    assert large.queue[:20] == small.queue
    assert large == draw(cases(), "informative", size=90)
    assert len(resized(small, 10_000).queue) == 400


def test_only_the_unbroken_part_counts_as_a_sample() -> None:
    sample = draw(cases(20), "random")
    order = sample.queue
    part = labelled_part(sample, {order[0]: True, order[1]: False, order[5]: True, "else": True})
    assert part.truth == {order[0]: True, order[1]: False}
    assert (part.gap, part.beyond) == (2, 1)
    assert labelled_part(sample, dict.fromkeys(order, True)).gap is None


def test_a_queue_is_kept_in_the_label_database(tmp_path: Path) -> None:
    store = LabelStore.open(tmp_path / "l.sqlite")
    assert load_sample(store) is None
    sample = draw(cases(30), "stratified", size=12, strata_by=["outcome", "type"])
    save_sample(store, draw(cases(30), "random"))
    save_sample(store, sample)
    assert load_sample(store) == sample


def test_confidence_bands() -> None:
    assert confidence_band(0.3) == "0.3 to 0.6"
    assert confidence_band(1.4) == "0.9 and more"
    assert confidence_band(-1.0) == "0.0 to 0.3"
    assert confidence_band(None) == "unknown"
