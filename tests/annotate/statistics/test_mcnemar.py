"""McNemar's test against scipy and statsmodels, of single transcripts and of tasks; of common tasks
only."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats import contingency_tables

from annotate.statistics.mcnemar import mcnemar, paired_tests, sign_flip_p


def test_mcnemar_on_a_thousand_random_pairs() -> None:
    rng = np.random.default_rng(2)
    for _ in range(1000):
        n = int(rng.integers(1, 80))
        first, second = rng.random(n) < 0.6, rng.random(n) < 0.5
        found = mcnemar(list(first), list(second))
        b, c = int((first & ~second).sum()), int((~first & second).sum())
        assert (found.only_first, found.only_second) == (b, c)
        expected = stats.binomtest(b, b + c, 0.5).pvalue if b + c else 1.0
        assert found.p_value == pytest.approx(expected, abs=1e-9)


def test_paired_tests_use_common_tasks_only() -> None:
    strict = {"1": True, "2": False, "3": False}
    lenient = {"2": True, "3": True, "4": True}
    (found,) = paired_tests({"strict": strict, "lenient": lenient})
    assert (found.first, found.second, found.n, found.only_second) == ("strict", "lenient", 2, 2)
    assert mcnemar([], []).p_value is None


def test_transcripts_of_different_tasks_are_tested_by_mcnemar() -> None:
    rng = np.random.default_rng(3)
    for _ in range(200):
        n = int(rng.integers(1, 300))
        first, second = (rng.random((2, n)) < 0.6).tolist()
        table = [[0, sum(a > b for a, b in zip(first, second, strict=True))], [0, 0]]
        table[1][0] = sum(a < b for a, b in zip(first, second, strict=True))
        expected = contingency_tables.mcnemar(table, exact=True).pvalue
        net = [int(a) - int(b) for a, b in zip(first, second, strict=True)]
        assert sign_flip_p(net) == pytest.approx(expected, rel=1e-9)
        assert mcnemar(first, second, range(n)).p_value == pytest.approx(expected, rel=1e-9)


def test_transcripts_of_a_task_are_tested_together() -> None:
    """Against scipy's permutation test of the tasks' net differences, over all their signs."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        tasks = rng.integers(0, 9, 30).tolist()
        first, second = (rng.random((2, 30)) < 0.5).tolist()
        net = dict.fromkeys(tasks, 0)
        for task, a, b in zip(tasks, first, second, strict=True):
            net[task] += a - b
        expected = stats.permutation_test(
            (np.array(list(net.values())),), np.sum, permutation_type="samples", n_resamples=10_000
        )
        found = mcnemar(first, second, tasks)
        assert found.p_value == pytest.approx(expected.pvalue)
        assert found.only_first == sum(a > b for a, b in zip(first, second, strict=True))


def test_copies_of_a_transcript_are_no_further_evidence() -> None:
    first, second = [True] * 6 + [False] * 2, [False] * 4 + [True] * 4
    once = mcnemar(first, second)
    often = mcnemar(first * 4, second * 4, list(range(8)) * 4)
    assert often.p_value == pytest.approx(once.p_value)
    assert (often.n, often.only_first) == (32, 4 * once.only_first)


def test_many_differences_have_a_p_value() -> None:
    assert sign_flip_p([2] * 3000 + [1] * 3000) == 0.0
    assert 0 < sign_flip_p([2] * 60 + [1] * 60) < 1e-30
    assert sign_flip_p([]) == 1.0


def test_the_cost_of_many_differences_does_not_grow_with_their_square(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only sums whose chance is a number are convolved: about 77 standard deviations of them."""
    counts: list[int] = []
    convolve = np.convolve

    def counted(first: np.ndarray, second: np.ndarray) -> np.ndarray:
        counts.append(len(first) * len(second))
        return np.asarray(convolve(first, second))

    monkeypatch.setattr(np, "convolve", counted)
    differences = [1, -1] * 10_000 + [2, -2] * 10_000 + [1] * 700
    spread = np.sqrt(sum(one**2 for one in differences))
    assert sign_flip_p(differences) == pytest.approx(2 * stats.norm.sf(699 / spread), rel=1e-3)
    assert max(counts) < 40_000 * 80_000 / 10
