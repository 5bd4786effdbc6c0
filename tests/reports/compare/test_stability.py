"""pass@k and pass^k against brute force; flips."""

from __future__ import annotations

from itertools import combinations

import pytest

from reports.compare.stability import flips_table, pass_at_k, pass_hat_k, stability_table
from reports.frames import RunFrames


@pytest.mark.parametrize("n", range(1, 7))
def test_against_all_subsets(n: int) -> None:
    for passed in range(n + 1):
        tries = [i < passed for i in range(n)]
        for k in range(1, n + 1):
            subsets = list(combinations(tries, k))
            assert pass_at_k(n, passed, k) == pytest.approx(sum(map(any, subsets)) / len(subsets))
            assert pass_hat_k(n, passed, k) == pytest.approx(sum(map(all, subsets)) / len(subsets))


def test_k_beyond_n_is_refused() -> None:
    with pytest.raises(ValueError, match="k = 3"):
        pass_at_k(2, 1, 3)


def test_two_modes_as_repeats(run_ab: RunFrames) -> None:
    """Strict passes 62 and 66 of 153, 47 in both: 81 in at least one, 34 flips."""
    table = stability_table(run_ab.by_mode())
    assert table is not None
    (row,) = [r for r in table.rows if r["k"] == 2 and r["title"].startswith("Strict")]
    assert row["pass_at_k"] == pytest.approx(81 / 153)
    assert row["pass_hat_k"] == pytest.approx(47 / 153)
    assert row["flips"] == 34
    flips = flips_table(run_ab.by_mode())
    assert flips is not None
    assert sum(r["title"].startswith("Strict") for r in flips.rows) == 34


def test_no_repeats_no_table(run_a: RunFrames) -> None:
    assert stability_table({"a": run_a}) is None
    assert flips_table({"a": run_a}) is None
