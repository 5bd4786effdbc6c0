"""McNemar's test against scipy; of common tasks only."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from annotate.statistics.mcnemar import mcnemar, paired_tests


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
