"""Sampling designs: reproducible, valid at every stop, strict passes always in."""

from collections import Counter
from itertools import pairwise
from pathlib import Path
from statistics import fmean, stdev

import pytest

from annotate.cases import Case
from annotate.labels import LabelStore
from annotate.sample import draw, labelled_part, resized
from annotate.sample.designs import DESIGNS, confidence_band, uncertainty
from annotate.sample.queue import load_sample, save_sample
from annotate.sample.weights import weighting_of
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


@pytest.mark.parametrize("size", [100, None])
@pytest.mark.parametrize("design", ["random", "stratified", "informative"])
def test_a_run_that_grew_keeps_its_order(design: str, size: int | None) -> None:
    before = [item.transcript_id for item in draw(cases(400), design, size=size).items]
    grown = [item.transcript_id for item in draw(cases(410), design, size=size).items]
    known = set(before[:100])
    assert len(known & set(grown[:110])) >= 95


def test_within_a_stratum_all_are_as_likely_to_be_drawn() -> None:
    found: Counter[str] = Counter()
    for seed in range(600):
        sample = draw(cases(60), "informative", size=20, seed=seed)
        found.update(sample.queue)
    drawn, sizes = (Counter(i.stratum for i in sample.items[:n]) for n in (20, 60))
    for key, stratum in sample.strata.items():
        probability = drawn[stratum] / sizes[stratum]
        spread = 4 * (probability * (1 - probability) / 600) ** 0.5
        assert found[key] / 600 == pytest.approx(probability, abs=spread + 0.01)


def passes_and_fails(count: int, passes: float) -> list[Case]:
    """That share of passes, sure and unsure ones, and otherwise fails."""
    return [
        Case(
            transcript_id=f"t{i}",
            task_id=f"k{i}",
            verdicts={"cascade": "correct" if i < passes * count else "incorrect"},
            confidence=0.95 if i % 4 else 0.2,
        )
        for i in range(count)
    ]


@pytest.mark.parametrize("design", ["stratified", "informative"])
@pytest.mark.parametrize(
    ("count", "share", "size"), [(60, 0.6, 60), (150, 0.85, 150), (150, 0.2, 150), (300, 0.9, 150)]
)
def test_a_place_in_the_queue_tells_no_grade(
    design: str, count: int, share: float, size: int
) -> None:
    """Passes are as likely in every third, and two neighbours as likely alike as any two."""
    some = passes_and_fails(count, share)
    ids = {case.transcript_id for case in some if case.verdicts["cascade"] == "correct"}
    repeats, third = 60, size // 3
    thirds, alike = [0, 0, 0], 0
    for seed in range(repeats):
        passed = [key in ids for key in draw(some, design, size=size, seed=seed).queue]
        for number in range(3):
            thirds[number] += sum(passed[number * third : (number + 1) * third])
        alike += sum(one == other for one, other in pairwise(passed))
        drawn = sum(passed)
    mean = drawn / size
    spread = (mean * (1 - mean) / (repeats * third)) ** 0.5
    for found in thirds:
        assert found / (repeats * third) == pytest.approx(mean, abs=3.5 * spread)
    by_chance = (drawn * (drawn - 1) + (size - drawn) * (size - drawn - 1)) / size / (size - 1)
    assert alike / (repeats * (size - 1)) == pytest.approx(by_chance, abs=0.03)


def test_every_stratum_is_in_the_first_quarter_and_not_at_a_place_of_its_own() -> None:
    rare = [
        case.model_copy(update={"covariates": {"type": "rare" if i < 2 else "usual"}})
        for i, case in enumerate(cases(200))
    ]
    places = set()
    for seed in range(40):
        sample = draw(rare, "stratified", size=100, strata_by=["type"], seed=seed)
        places.add([sample.strata[key] for key in sample.queue].index("rare"))
    assert max(places) < 25
    assert len(places) > 15


@pytest.mark.parametrize("design", ["random", "stratified", "informative"])
@pytest.mark.parametrize("labelled", [16, 25, 40, 70])
def test_the_labels_of_any_first_part_are_weighed_without_bias(design: str, labelled: int) -> None:
    """Of a queue of 40, and of one that was made longer; whether they match hangs on the stratum
    and on the case."""
    some = passes_and_fails(120, 0.75)
    match = {case.transcript_id: (i * 7) % 10 < (8 if i < 90 else 2) for i, case in enumerate(some)}
    means = []
    for seed in range(300):
        sample = resized(draw(some, design, size=40, seed=seed), max(labelled, 40))
        given = {key: match[key] for key in sample.queue[:labelled]}
        weighting = weighting_of(some, given, sample)
        assert weighting.sampled == given
        weights = weighting.weights or dict.fromkeys(given, 120 / labelled)
        assert sum(weights.values()) == pytest.approx(120)
        means.append(sum(weights[key] * given[key] for key in given) / 120)
    true = sum(match.values()) / 120
    assert fmean(means) == pytest.approx(true, abs=3.5 * stdev(means) / 300**0.5)


def test_transcripts_that_are_gone_leave_the_queue() -> None:
    sample = draw(cases(40), "informative", size=20)
    gone = {*sample.queue[:5], sample.items[30].transcript_id}
    left = sample.among(sample.strata.keys() - gone)
    assert left.queue == sample.queue[5:]
    assert left.strata.keys() == sample.strata.keys() - gone
    assert sample.among(sample.strata) == sample


def test_what_cannot_be_graded_is_not_drawn() -> None:
    some = [c.model_copy(update={"gradable": i % 2 == 0}) for i, c in enumerate(cases(40))]
    assert sorted(draw(some, "random").queue) == sorted(f"t{i}" for i in range(0, 40, 2))
    with pytest.raises(UserError, match=r"can be graded, .* grader grade DIR .* --tasks TASKS"):
        draw([c.model_copy(update={"gradable": False}) for c in some], "random")


def test_choice_tasks_are_sorted_by_region_score() -> None:
    words = [
        Case(
            transcript_id=f"t{i}", task_id="k", region_score=score, verdicts={"cascade": "correct"}
        )
        for i, score in enumerate((0.1, 1.2))
    ]
    assert {i.stratum for i in draw(words, "informative").items} == {"pass / low", "pass / high"}


@pytest.mark.parametrize(
    ("other", "kind"),
    [
        ("strict_blind", "disagree"),
        ("strict_heuristic", "high"),  # too often wrong
        ("cascade:before_nudge", "high"),
    ],
)
def test_whose_disagreement_makes_a_grade_doubtful(other: str, kind: str) -> None:
    verdicts: dict[str, Verdict] = {"cascade": "correct", other: "incorrect"}
    case = Case(transcript_id="t", task_id="k", confidence=0.99, verdicts=verdicts)
    assert uncertainty(case) == kind


def test_strata_are_named_for_stratified_alone() -> None:
    with pytest.raises(UserError, match="--design stratified"):
        draw(cases(), "informative", strata_by=["outcome"])


def test_a_queue_has_room_for_every_stratum() -> None:
    keys = ["outcome", "type", "verdict"]
    strata = len(set(draw(cases(), "stratified", strata_by=keys).strata.values()))
    sample = draw(cases(), "stratified", strata_by=keys, size=strata)
    assert len({sample.strata[key] for key in sample.queue}) == strata
    for small in (
        lambda: draw(cases(), "stratified", strata_by=keys, size=strata - 1),
        lambda: resized(sample, strata - 1),
    ):
        with pytest.raises(UserError, match=f"{strata} strata.* --size {strata} or more"):
            small()


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
    with pytest.raises(UserError, match="Valid: confidence, outcome, pass, type, unc"):
        draw(cases(5), "stratified", strata_by=["colour"])
    with pytest.raises(UserError, match="no transcript of the run can be graded"):
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
    assert resized(large, 20) == small
    assert len(resized(small, 10_000).queue) == 400


def test_the_first_part_with_few_open_places_counts_as_a_sample() -> None:
    sample = draw(cases(20), "random")
    order = sample.queue
    part = labelled_part(sample, {order[0]: True, order[1]: False, order[5]: True, "else": True})
    assert part.matches == {order[0]: True, order[1]: False}
    assert (part.places, part.open, part.beyond) == (2, 0, 1)
    one_open = labelled_part(sample, dict.fromkeys(order[1:], True))
    assert (one_open.places, one_open.open, one_open.beyond) == (20, 1, 0)
    assert labelled_part(sample, dict.fromkeys(order, True)).open == 0
    nine_in_ten = labelled_part(sample, dict.fromkeys(order[1:10], True))
    assert (nine_in_ten.places, nine_in_ten.open, nine_in_ten.beyond) == (10, 1, 0)


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
