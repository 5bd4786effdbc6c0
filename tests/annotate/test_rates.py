"""Rates against formulas written out, scipy and statsmodels."""

import math

import numpy as np
import pytest
from scipy import stats

from annotate.rates import bootstrap, exact_bound, rate, ratio, rule_of_three, show_percent


def test_thousand_random_counts_agree_with_scipy() -> None:
    rng = np.random.default_rng(3)
    for _ in range(1000):
        n = int(rng.integers(1, 500))
        successes = int(rng.integers(0, n + 1))
        level = float(rng.choice([0.8, 0.9, 0.95, 0.99]))
        found = rate(successes, n, level)
        wilson = stats.binomtest(successes, n).proportion_ci(level, method="wilson")
        assert found.low == pytest.approx(wilson.low, abs=1e-9)
        assert found.high == pytest.approx(wilson.high, abs=1e-9)
        p = successes / n
        assert found.standard_error == pytest.approx(math.sqrt(p * (1 - p) / n), abs=1e-12)


def test_no_trials_is_undefined_not_zero() -> None:
    found = rate(0, 0)
    assert (found.value, found.standard_error, found.low, found.high) == (None,) * 4
    assert show_percent(found.value) == "n/a"
    assert rule_of_three(0) is None
    assert exact_bound(0) is None


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="3 successes of 2"):
        rate(3, 2)


def test_rule_of_three() -> None:
    assert show_percent(rule_of_three(70)) == "95.7%"
    assert rule_of_three(2) == 0.0
    # the exact bound is Clopper-Pearson's
    exact = stats.binomtest(70, 70, alternative="greater").proportion_ci(0.95, method="exact")
    assert exact_bound(70) == pytest.approx(exact.low, abs=1e-9)


def test_bootstrap_of_a_proportion_is_binomial() -> None:
    values = np.repeat([1.0, 0.0], [62, 10])
    found = bootstrap([values, np.ones(72)], ratio, resamples=20_000)
    ideal = stats.binom.ppf([0.025, 0.975], 72, 62 / 72) / 72
    assert (found.low, found.high) == pytest.approx(tuple(ideal), abs=1.01 / 72)


def test_bootstrap_keeps_to_its_strata() -> None:
    values = np.repeat([1.0, 0.0], [5, 5])
    found = bootstrap([values, np.ones(10)], ratio, strata=["a"] * 5 + ["b"] * 5)
    assert (found.low, found.high) == (0.5, 0.5)


def test_bootstrap_without_a_denominator_is_undefined() -> None:
    found = bootstrap([np.zeros(5), np.zeros(5)], ratio)
    assert (found.low, found.high) == (None, None)
    assert "undefined" in found.reason
    assert bootstrap([[], []], ratio).reason == "no labelled transcripts"
