"""Rates against formulas written out, scipy and statsmodels."""

import math

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from annotate.shown_numbers import show_percent
from annotate.statistics.rates import (
    bootstrap,
    design_effect,
    exact_bound,
    rate,
    rate_of,
    ratio,
    rule_of_three,
)


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
    assert rule_of_three(70, 0.99) == pytest.approx(1 - 4.6 / 70)
    # the exact bound is Clopper-Pearson's
    exact = stats.binomtest(70, 70, alternative="greater").proportion_ci(0.95, method="exact")
    assert exact_bound(70) == pytest.approx(exact.low, abs=1e-9)


def test_bootstrap_of_a_proportion_is_binomial() -> None:
    values = np.repeat([1.0, 0.0], [62, 10])
    found = bootstrap([values, np.ones(72)], ratio, resamples=20_000)
    ideal = stats.binom.ppf([0.025, 0.975], 72, 62 / 72) / 72
    assert (found.low, found.high) == pytest.approx(tuple(ideal), abs=1.01 / 72)


def test_the_bootstrap_of_many_labels_is_made_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = []

    def statistic(hits: np.ndarray, ones: np.ndarray) -> np.ndarray:
        shapes.append(hits.shape)
        return ratio(hits, ones)

    columns = np.repeat([1.0, 0.0], [62, 11]), np.ones(73)
    at_once = bootstrap(columns, statistic)
    monkeypatch.setattr("annotate.statistics.rates.MOST_PICKS", 73 * 300)
    assert bootstrap(columns, statistic) == at_once
    assert shapes == [(2000, 73), *[(300, 73)] * 6, (200, 73)]


def test_bootstrap_without_variation_is_no_interval() -> None:
    for values in ([1.0] * 10, [1.0]):
        found = bootstrap([values, np.ones(len(values))], ratio)
        assert (found.low, found.high, found.reason) == (None, None, "the same in every resample")


def test_bootstrap_without_a_denominator_is_undefined() -> None:
    found = bootstrap([np.zeros(5), np.zeros(5)], ratio)
    assert (found.low, found.high) == (None, None)
    assert "undefined" in found.reason
    assert bootstrap([[], []], ratio).reason == "no labelled transcripts"


def test_design_effect_of_even_repeats_is_that_of_cluster_robust_regression() -> None:
    rng = np.random.default_rng(4)
    for _ in range(200):
        tasks = np.repeat(np.arange(25), 4)
        easy = rng.random(25)
        hits = (rng.random(100) < easy[tasks]).astype(float)
        mean = sm.OLS(hits, np.ones(100))
        robust = mean.fit(cov_type="cluster", cov_kwds={"groups": tasks})
        ratio = float((robust.bse / mean.fit().bse)[0] ** 2)
        found = design_effect(hits.tolist(), tasks.tolist())
        assert found == pytest.approx(min(max(ratio, 1), 4), rel=0.05)


@pytest.mark.parametrize(
    ("hits", "tasks", "expected"),
    [
        ([1, 1, 0, 0], "aabb", 2),  # repeats always agree
        ([1, 0, 1, 0], "aabb", 1),  # never
        ([1, 1, 1, 1], "aabb", 2),  # nothing is known
        ([1, 0, 1, 1], "aaaa", 4),  # nor here
        ([1, 0, 1, 1], "abcd", 1),
        ([], "", 1),
        # 1 of 4 pairs of one task disagrees, 7 of 11 of different ones; largest: (9 + 4 + 1) / 6
        ([1, 1, 1, 0, 1, 0], "aaabbc", 1 + 4 / 3 * (1 - (1 / 4) / (7 / 11))),
    ],
)
def test_design_effect_by_hand(hits: list[int], tasks: str, expected: float) -> None:
    assert design_effect(hits, list(tasks)) == pytest.approx(expected)


def test_uneven_repeats_do_not_make_intervals_too_short() -> None:
    """One task tried thirty times, one twenty, one ten, and twenty once: the ratio of variances
    covers 81 %."""
    rng = np.random.default_rng(5)
    tasks = np.repeat(np.arange(23), [30, 20, 10] + [1] * 20)
    covered = 0
    for _ in range(500):
        easy = rng.beta(0.5, 0.5, 23)
        found = rate_of((rng.random(80) < easy[tasks]).tolist(), tasks.tolist())
        covered += found.low <= 0.5 <= found.high  # type: ignore[operator]
    assert covered / 500 > 0.9


def test_without_repeats_a_rate_is_what_it_was() -> None:
    hits = [True] * 14 + [False] * 16
    assert rate_of(hits, range(30)) == rate(14, 30)
    assert rate_of([], []) == rate(0, 0)


def test_a_weighted_rate_that_equals_its_counts_is_still_weighted() -> None:
    hits, tasks = [True, False, True, False], range(4)
    assert not rate_of(hits, tasks, weights=[3.0] * 4).is_weighted
    weighted = rate_of(hits, tasks, weights=[1.0, 1.0, 9.0, 9.0])
    assert (weighted.value, weighted.is_weighted) == (0.5, True)
    # worth 20^2 / (2 + 2 * 81) = 2.44 labels that weigh the same (Kish)
    assert weighted.standard_error == pytest.approx((0.25 / (400 / 164)) ** 0.5)


@pytest.mark.parametrize("matches", [0, 3, 30])
def test_copies_tell_nothing_new(matches: int) -> None:
    hits = [i < matches for i in range(30)]
    once, often = rate_of(hits, range(30)), rate_of(hits * 5, list(range(30)) * 5)
    assert (often.successes, often.n) == (5 * matches, 150)
    assert (often.low, often.high) == pytest.approx((once.low, once.high), abs=0.005)


@pytest.mark.parametrize("alike", [0.0, 0.5, 1.0])
def test_with_repeats_the_interval_keeps_its_coverage(alike: float) -> None:
    """Five tries at each of 40 tasks; `alike` of the tasks are always or never passed."""
    rng = np.random.default_rng(9)
    tasks = np.repeat(np.arange(40), 5)
    covered = naive = 0
    for _ in range(600):
        fixed, sure = rng.random(40) < alike, rng.random(40) < 0.4
        share = np.where(fixed, sure, 0.4)[tasks]
        hits = (rng.random(200) < share).tolist()
        found, plain = rate_of(hits, tasks.tolist()), rate(sum(hits), 200)
        covered += found.low <= 0.4 <= found.high  # type: ignore[operator]
        naive += plain.low <= 0.4 <= plain.high  # type: ignore[operator]
    assert 0.92 <= covered / 600 <= 0.98
    assert alike < 1 or naive / 600 < 0.75
