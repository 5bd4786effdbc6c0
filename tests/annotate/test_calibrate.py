"""The published Table 1 from its counts, and counting rules."""

import pytest

from annotate.calibrate import Confusion, calibrate, confusion
from annotate.rates import show_percent
from grader.records import Verdict

# grader, TP, FN -> recall and s.e. as printed (Zheng & Hsu 2026, Table 1)
PUBLISHED = [
    ("strict_heuristic", 19, 53, "26%", "5%"),
    ("strict_keyword", 62, 10, "86%", "4%"),
    ("lenient", 70, 2, "97%", "2%"),
    ("strict without nudges", 17, 55, "24%", "5%"),
    ("lenient without nudges", 25, 47, "35%", "6%"),
]
TRUTH = {f"m{i}": True for i in range(72)} | {f"n{i}": False for i in range(81)}


def verdicts(tp: int, matches: int = 72, others: int = 81) -> dict[str, Verdict]:
    found: dict[str, Verdict] = {f"n{i}": "incorrect" for i in range(others)}
    found |= {f"m{i}": "correct" if i < tp else "incorrect" for i in range(matches)}
    return found


@pytest.mark.parametrize(("name", "tp", "fn", "recall", "error"), PUBLISHED)
def test_published_table_one(name: str, tp: int, fn: int, recall: str, error: str) -> None:
    found = calibrate(name, verdicts(tp), TRUTH)
    assert found.confusion == Confusion(tp=tp, fp=0, fn=fn, tn=81)
    assert show_percent(found.recall.value, 0) == recall
    assert show_percent(found.recall.standard_error, 0) == error
    assert show_percent(found.precision.value, 0) == "100%"
    assert found.recall_bootstrap.low is not None
    assert found.recall_bootstrap.low <= tp / 72 <= (found.recall_bootstrap.high or 0)


def test_published_bound_on_precision() -> None:
    found = calibrate("lenient", verdicts(70), TRUTH)
    assert show_percent(found.precision_bound) == "95.7%"


def test_no_bound_once_a_pass_was_false() -> None:
    found = calibrate("x", verdicts(70) | {"n0": "correct"}, TRUTH)
    assert found.confusion.fp == 1
    assert found.precision_bound is None
    assert found.precision.value == pytest.approx(70 / 71)


def test_what_a_grader_detects_is_over_all_transcripts() -> None:
    graded: dict[str, Verdict] = {f"x{i}": "incorrect" for i in range(55)}
    graded |= {f"y{i}": "no_answer" for i in range(98)}
    found = calibrate("x", graded, {})
    assert (found.detected.successes, found.detected.n) == (55, 153)


def test_no_answer_is_a_miss_and_ungraded_is_no_statement() -> None:
    graded: dict[str, Verdict] = {"a": "no_answer", "b": "ungraded", "c": "no_answer"}
    counts = confusion(graded, {"a": True, "b": True, "c": False, "unseen": True})
    assert counts == Confusion(fn=1, tn=1, no_answer=2, ungraded=1)


def test_only_matches_leaves_specificity_undefined() -> None:
    found = calibrate("x", {"a": "correct"}, {"a": True})
    assert found.specificity.value is None
    assert found.precision_bound == 0.0
    assert calibrate("x", {}, {}).recall.value is None


def test_weights_undo_unequal_sampling() -> None:
    # 10 of 100 passes and all 10 fails labelled; half of the fails are misses.
    graded: dict[str, Verdict] = {f"p{i}": "correct" for i in range(10)}
    graded |= {f"f{i}": "incorrect" for i in range(10)}
    truth = {f"p{i}": True for i in range(10)} | {f"f{i}": i < 5 for i in range(10)}
    weights = {key: 10.0 if key.startswith("p") else 1.0 for key in truth}
    found = calibrate("x", graded, truth, weights=weights)
    assert found.recall.value == pytest.approx(10 / 15)
    assert found.weighted_recall == pytest.approx(100 / 105)
    assert found.weighted_accuracy == pytest.approx(105 / 110)
