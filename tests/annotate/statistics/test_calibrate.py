"""The published Table 1 from its counts, and counting rules."""

from collections import Counter

import numpy as np
import pytest

from annotate.cases import Case, verdicts_of
from annotate.sample import draw
from annotate.sample.weights import weighting_of
from annotate.shown_numbers import show_percent
from annotate.statistics.calibrate import calibrate, grader_rates
from annotate.statistics.cells import drawn_by
from annotate.statistics.confusion import Confusion
from grader.records import Verdict

# grader, TP, FN -> recall and s.e. as printed (Zheng & Hsu 2026, Table 1)
PUBLISHED = [
    ("strict_heuristic", 19, 53, "26%", "5%"),
    ("strict_keyword", 62, 10, "86%", "4%"),
    ("lenient", 70, 2, "97%", "2%"),
    ("strict without nudges", 17, 55, "24%", "5%"),
    ("lenient without nudges", 25, 47, "35%", "6%"),
]
MATCHES = {f"m{i}": True for i in range(72)} | {f"n{i}": False for i in range(81)}


def verdicts(tp: int, matches: int = 72, others: int = 81) -> dict[str, Verdict]:
    found: dict[str, Verdict] = {f"n{i}": "incorrect" for i in range(others)}
    found |= {f"m{i}": "correct" if i < tp else "incorrect" for i in range(matches)}
    return found


@pytest.mark.parametrize(("name", "tp", "fn", "recall", "error"), PUBLISHED)
def test_published_table_one(name: str, tp: int, fn: int, recall: str, error: str) -> None:
    found = calibrate(name, verdicts(tp), MATCHES)
    assert found.confusion == Confusion(tp=tp, fp=0, fn=fn, tn=81)
    assert show_percent(found.recall.value, 0) == recall
    assert show_percent(found.recall.standard_error, 0) == error
    assert show_percent(found.precision.value, 0) == "100%"
    assert found.recall_bootstrap.low is not None
    assert found.recall_bootstrap.low <= tp / 72 <= (found.recall_bootstrap.high or 0)


def test_published_bound_on_precision() -> None:
    found = calibrate("lenient", verdicts(70), MATCHES)
    assert show_percent(found.precision_bound) == "95.7%"


def test_no_bound_once_a_pass_was_false() -> None:
    found = calibrate("x", verdicts(70) | {"n0": "correct"}, MATCHES)
    assert found.confusion.fp == 1
    assert found.precision_bound is None
    assert found.precision.value == pytest.approx(70 / 71)


def test_what_a_grader_detects_is_over_all_transcripts() -> None:
    graded: dict[str, Verdict] = {f"x{i}": "incorrect" for i in range(55)}
    graded |= {f"y{i}": "no_answer" for i in range(98)}
    found = calibrate("x", graded, {})
    assert (found.detected.successes, found.detected.n) == (55, 153)


def test_only_matches_leaves_specificity_undefined() -> None:
    found = calibrate("x", {"a": "correct"}, {"a": True})
    assert found.specificity.value is None
    assert found.precision_bound == 0.0
    assert calibrate("x", {}, {}).recall.value is None


def test_strata_undo_unequal_sampling() -> None:
    # 10 of 100 passes and all 10 fails labelled; half of the fails are misses.
    graded: dict[str, Verdict] = {f"p{i}": "correct" for i in range(100)}
    graded |= {f"f{i}": "incorrect" for i in range(10)}
    matches = {f"p{i}": True for i in range(10)} | {f"f{i}": i < 5 for i in range(10)}
    found = calibrate(
        "x", graded, matches, drawn=drawn_by({key: key[0] for key in graded}, matches)
    )
    assert (found.recall.successes, found.recall.n) == (10, 15)
    assert found.recall.value == pytest.approx(100 / 105, abs=0.02)
    assert found.accuracy.value == pytest.approx(105 / 110, abs=0.02)
    assert found.precision.high == 1
    assert all(rate.is_weighted for rate in (found.recall, found.precision, found.accuracy))


def test_where_all_strata_weigh_the_same_rates_are_plain() -> None:
    graded = verdicts(62)
    strata = {key: key[0] for key in graded}
    assert calibrate("x", graded, MATCHES, drawn=drawn_by(strata, MATCHES)) == calibrate(
        "x", graded, MATCHES
    )


def test_a_bound_allows_for_false_passes_where_labels_weigh_most() -> None:
    graded: dict[str, Verdict] = {f"a{i}": "correct" for i in range(300)}
    graded |= {f"b{i}": "correct" for i in range(30)}
    matches = {f"a{i}": True for i in range(30)} | {f"b{i}": True for i in range(30)}
    found = calibrate(
        "x", graded, matches, drawn=drawn_by({key: key[0] for key in graded}, matches)
    )
    # at worst three labels' worth of false passes are all in a, where a label stands for ten
    assert found.precision_bound == pytest.approx(1 - 3 * 10 / 330)


@pytest.mark.parametrize("design", ["random", "stratified", "informative"])
def test_recall_and_precision_cover_what_they_are_of(design: str) -> None:
    """Where the grader is unsure it is often wrong, and such cases are labelled more often."""
    rng = np.random.default_rng(7)
    of, covered, raw = {"recall": 0.9234, "precision": 0.9474}, Counter[str](), Counter[str]()
    repeats = 120
    for seed in range(repeats):
        sure = rng.random(400) < 0.85
        match = rng.random(400) < 0.6
        right = rng.random(400) < np.where(sure, 0.98, 0.6)
        cases = [
            Case(
                transcript_id=str(i),
                task_id=str(i),
                verdicts={"cascade": "correct" if match[i] == right[i] else "incorrect"},
                confidence=0.95 if sure[i] else 0.15,
            )
            for i in range(400)
        ]
        sample = draw(cases, design, size=100, seed=seed)
        matches = {key: bool(match[int(key)]) for key in sample.queue}
        drawn = weighting_of(cases, matches, sample).drawn_from
        graded = verdicts_of(cases, "cascade")
        found = grader_rates("cascade", graded, matches, drawn=drawn)
        plain = grader_rates("cascade", graded, matches)
        for name, true in of.items():
            for counted, row in ((covered, found), (raw, plain)):
                rate = getattr(row, name)
                counted[name] += rate.low <= true <= rate.high
    for name in of:
        assert covered[name] / repeats >= 0.92
        assert design != "informative" or raw[name] / repeats < 0.75


def test_copies_of_transcripts_make_nothing_surer() -> None:
    graded = verdicts(60) | {"n0": "correct"}
    one = calibrate("x", graded, MATCHES)
    tasks = {f"{key}.{k}": key for key in MATCHES for k in range(5)}
    copied = calibrate(
        "x",
        {key: graded[task] for key, task in tasks.items()},
        {key: MATCHES[task] for key, task in tasks.items()},
        tasks=tasks,
    )
    assert copied.recall.n == 5 * one.recall.n
    for name in ("detected", "recall", "precision", "specificity", "accuracy"):
        before, after = getattr(one, name), getattr(copied, name)
        assert (after.low, after.high) == pytest.approx((before.low, before.high), abs=0.002)
    assert copied.recall_bootstrap == one.recall_bootstrap
    assert copied.precision_bootstrap == one.precision_bootstrap


def test_bounds_count_tasks_and_go_by_the_level() -> None:
    graded: dict[str, Verdict] = {f"p{i}": "correct" for i in range(60)}
    matches = dict.fromkeys(graded, True)
    tasks = {key: str(i % 20) for i, key in enumerate(graded)}
    found = calibrate("x", graded, matches, tasks=tasks)
    assert found.precision_bound == pytest.approx(1 - 3 / 20)
    assert found.precision_exact_bound == pytest.approx(0.05 ** (1 / 20))
    half = calibrate("x", graded, matches, tasks=tasks, level=0.5)
    assert half.precision_bound == pytest.approx(1 - 0.7 / 20)
    assert half.precision_exact_bound == pytest.approx(0.5 ** (1 / 20))


def test_the_bootstrap_covers_recall_where_strata_have_few_labels() -> None:
    """300 transcripts in ten strata of which a few are labelled, as designs with many strata do."""
    rng = np.random.default_rng(3)
    covered = defined = 0
    for _ in range(150):
        graded: dict[str, Verdict] = {}
        matches, strata = {}, {}
        for stratum in range(10):
            size, labelled = (6, 1) if stratum < 5 else (54, 5)
            for i in range(size):
                key = f"{stratum}.{i}"
                match = bool(rng.random() < 0.5)
                graded[key] = "correct" if match == (rng.random() < 0.8) else "incorrect"
                strata[key] = str(stratum)
                if i < labelled:
                    matches[key] = match
        drawn = drawn_by(strata, matches)
        found = calibrate("x", graded, matches, drawn=drawn, resamples=500).recall_bootstrap
        if found.low is not None and found.high is not None:
            defined += 1
            covered += found.low <= 0.8 <= found.high
    assert defined > 140
    assert 0.9 <= covered / defined <= 0.995


def test_misses_that_no_label_has_found_are_allowed_for() -> None:
    """Passes are labelled ten times as often as failures: a missed match is rarely seen at all."""
    rng = np.random.default_rng(4)
    graded: dict[str, Verdict] = {f"p{i}": "correct" for i in range(180)}
    graded |= {f"f{i}": "incorrect" for i in range(1200)}
    strata = {key: key[0] for key in graded}
    covered, repeats = 0, 200
    for _ in range(repeats):
        missed = rng.random(60) < 0.016  # of 1,200 failures 60 are labelled, of 180 passes 90
        matches = {f"p{i}": True for i in range(90)}
        matches |= {f"f{i}": bool(miss) for i, miss in enumerate(missed)}
        drawn = drawn_by(strata, matches)
        recall = grader_rates("x", graded, matches, drawn=drawn).recall
        assert recall.low is not None
        assert recall.high is not None
        covered += recall.low <= 180 / (180 + 0.016 * 1200) <= recall.high
    assert covered / repeats >= 0.93


def test_there_are_no_rates_while_a_stratum_has_no_label() -> None:
    graded: dict[str, Verdict] = {f"p{i}": "correct" for i in range(100)}
    graded |= {f"f{i}": "incorrect" for i in range(50)}
    matches = {f"p{i}": True for i in range(10)}
    found = calibrate(
        "x", graded, matches, drawn=drawn_by({key: key[0] for key in graded}, matches)
    )
    assert found.confusion.tp == 10
    for name in ("recall", "precision", "specificity", "accuracy"):
        assert getattr(found, name).value is None
    assert found.detected.value == 1.0
    assert found.precision_bound is None
    assert found.recall_bootstrap.low is None


def test_the_rates_without_a_bootstrap_are_those_of_the_calibration() -> None:
    strata = {key: key[0] for key in MATCHES}
    drawn, tasks = drawn_by(strata, MATCHES), {key: key[-1] for key in MATCHES}
    alone = grader_rates("x", verdicts(70), MATCHES, drawn=drawn, tasks=tasks)
    both = calibrate("x", verdicts(70), MATCHES, drawn=drawn, tasks=tasks, resamples=10)
    assert dict(alone).items() <= dict(both).items()
