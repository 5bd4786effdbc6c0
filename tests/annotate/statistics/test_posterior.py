"""Rates of a grader from labels of different weight: against closed forms and simulated runs."""

import numpy as np
import pytest

from annotate.statistics.calibrate import calibrate, grader_rates
from annotate.statistics.cells import drawn_by
from annotate.statistics.rates import wilson
from grader.records import Verdict

THIRD = 1 / 3  # the prior of four cells or fewer


def test_rates_are_those_of_the_posterior_of_their_cells() -> None:
    """Two strata that are passed or failed as a whole: recall is a ratio of independent Betas."""
    graded: dict[str, Verdict] = {f"p{i}": "correct" for i in range(3000)}
    graded |= {f"f{i}": "incorrect" for i in range(1000)}
    matches = {f"p{i}": i < 45 for i in range(60)} | {f"f{i}": i < 8 for i in range(40)}
    found = calibrate(
        "x", graded, matches, drawn=drawn_by({key: key[0] for key in graded}, matches)
    ).recall
    rng = np.random.default_rng(1)
    hit = 3000 * rng.beta(45 + THIRD, 15 + THIRD, 100_000)
    missed = 1000 * rng.beta(8 + THIRD, 32 + THIRD, 100_000)
    expected = hit / (hit + missed)
    assert found.standard_error == pytest.approx(expected.std(), rel=0.05)
    assert (found.low, found.value, found.high) == pytest.approx(
        np.quantile(expected, [0.025, 0.5, 0.975]), abs=0.004
    )
    assert (found.successes, found.n) == (45, 53)


def test_the_standard_error_is_that_of_the_printed_rate() -> None:
    """A grader that passes a third of the matches, whatever their stratum. Labels of the large
    stratum weigh much, so the ratio of weighted labels varies by three such standard errors."""
    rng = np.random.default_rng(5)
    errors, stated, within = [], [], 0
    for _ in range(100):
        strata = {str(i): "hard" if i < 100 else "easy" for i in range(600)}
        match = rng.random(600) < 0.6
        passed = match & (rng.random(600) < 0.34)
        graded: dict[str, Verdict] = {
            str(i): "correct" if ok else "incorrect" for i, ok in enumerate(passed)
        }
        matches = {str(i): bool(match[i]) for i in (*range(40), *range(100, 120))}
        found = grader_rates("x", graded, matches, drawn=drawn_by(strata, matches)).recall
        assert found.value is not None
        assert found.standard_error is not None
        errors.append(found.value - 0.34)
        stated.append(found.standard_error)
        within += abs(errors[-1]) <= 1.96 * stated[-1]
    assert np.std(errors) == pytest.approx(np.mean(stated), rel=0.2)
    assert within / 100 >= 0.9


def test_an_interval_reaches_the_end_that_no_label_speaks_against() -> None:
    graded: dict[str, Verdict] = {f"{kind}{i}": "correct" for kind in "ab" for i in range(50)}
    graded |= {f"c{i}": "incorrect" for i in range(50)}
    matches = {f"a{i}": True for i in range(40)} | {f"b{i}": True for i in range(10)}
    matches |= {f"c{i}": False for i in range(10)}
    drawn = drawn_by({key: key[0] for key in graded}, matches)
    found = calibrate("x", graded, matches, drawn=drawn)
    for rate in (found.recall, found.precision, found.specificity):
        assert rate.value is not None
        assert rate.value < rate.high == 1
    against = calibrate("x", graded, matches | {"a0": False}, drawn=drawn).precision
    assert against.high is not None
    assert against.high < 1
    opposite = {key: not match for key, match in matches.items()}
    turned = calibrate("x", graded, opposite, drawn=drawn)
    for rate in (turned.recall, turned.precision, turned.specificity):
        assert rate.value is not None
        assert 0 == rate.low < rate.value


def test_a_grader_without_passes_has_no_recall_known_without_error() -> None:
    graded: dict[str, Verdict] = {f"{kind}{i}": "incorrect" for kind in "ab" for i in range(50)}
    matches = {f"a{i}": True for i in range(40)} | {f"b{i}": True for i in range(10)}
    found = calibrate(
        "x", graded, matches, drawn=drawn_by({key: key[0] for key in graded}, matches)
    ).recall
    assert (found.value, found.low) == (0, 0)
    weights = np.repeat([50 / 40, 5], [40, 10])
    assert found.high == pytest.approx(wilson(0, weights.sum() ** 2 / (weights**2).sum())[1])
