"""Tests of independence against scipy and formulas."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from annotate.statistics.covariates import PERMUTATIONS, covariate_tests, independence


def test_a_thousand_random_tables() -> None:
    rng = np.random.default_rng(11)
    for _ in range(1000):
        shape = tuple(rng.integers(2, 5, 2))
        table = rng.integers(5, 60, shape) * 3
        found = independence(table)
        expected = np.outer(table.sum(1), table.sum(0)) / table.sum()
        statistic = float(((table - expected) ** 2 / expected).sum())
        dof = (shape[0] - 1) * (shape[1] - 1)
        assert found.statistic == pytest.approx(statistic, abs=1e-9)
        assert found.dof == dof
        assert found.p_chi2 == pytest.approx(stats.chi2.sf(statistic, dof), abs=1e-9)
        v = math.sqrt(statistic / table.sum() / (min(shape) - 1))
        assert found.cramers_v == pytest.approx(v, abs=1e-9)
        assert found.min_expected == pytest.approx(expected.min())


def test_small_two_by_two_uses_fisher() -> None:
    found = independence([[8, 2], [1, 5]])
    assert found.small_expected
    assert found.method == "Fisher exact"
    assert found.p_value == pytest.approx(stats.fisher_exact([[8, 2], [1, 5]]).pvalue, abs=1e-12)
    assert found.p_chi2 != found.p_value


def test_small_larger_table_uses_a_reproducible_permutation_test() -> None:
    table = [[6, 1, 1], [1, 5, 2]]
    found = independence(table)
    assert found.method == "chi-squared permutation"
    assert found == independence(table)
    # the permutation p approaches the exact one over all tables with these margins
    exact = stats.fisher_exact(table).pvalue
    assert found.p_value == pytest.approx(exact, abs=0.03)


def test_many_transcripts_cost_a_permutation_test_no_more() -> None:
    """Permuting this many observations would need some 100 GB."""
    table = np.array([[6_000_000, 4_000_000], [4, 0], [2, 5]])
    found = independence(table)
    rows, hits, n = table.sum(axis=1), table[:, 0].sum(), int(table.sum())
    ways = np.array([[a, b] for a in range(5) for b in range(8)])
    first = np.column_stack([hits - ways.sum(axis=1), ways])
    chance = stats.multivariate_hypergeom.pmf(first, rows, hits)
    share = np.array([hits, n - hits]) / n
    expected = rows[:, None] * share
    tables = np.stack([first, rows - first], axis=2)
    statistic = ((tables - expected) ** 2 / expected).sum(axis=(1, 2))
    exact = chance[statistic >= found.statistic * (1 - 1e-9)].sum()
    assert found.method == "chi-squared permutation"
    assert found.p_value == pytest.approx(exact, abs=0.01)


@pytest.mark.parametrize("shape", [(3, 2), (5, 3), (400, 2)])
def test_the_permutation_p_is_scipys(shape: tuple[int, int]) -> None:
    table = np.random.default_rng(3).integers(0, 5, shape) + np.arange(shape[1])
    method = stats.PermutationMethod(n_resamples=999, rng=np.random.default_rng(1))
    expected = stats.chi2_contingency(table, correction=False, method=method).pvalue
    assert independence(table).p_value == pytest.approx(expected, abs=0.04)


@pytest.mark.parametrize("table", [[[3, 4]], [[3], [4]], [[3, 0], [2, 0]], np.zeros((0, 0))])
def test_single_row_or_column_has_no_test(table: object) -> None:
    found = independence(table)  # type: ignore[arg-type]
    assert (found.statistic, found.p_value, found.cramers_v) == (None, None, None)
    assert found.reason.startswith("fewer than two")


def test_each_covariate_by_target_by_mode_with_holm() -> None:
    rng = np.random.default_rng(1)
    kind = rng.choice(["categorical", "continuous"], 200)
    frame = pd.DataFrame(
        {
            "variable_type": kind,
            "noise": rng.choice(["x", "y"], 200),
            "size": rng.integers(1, 10_000, 200),
            "constant": "same",
            "strict": np.where(kind == "categorical", rng.random(200) < 0.8, rng.random(200) < 0.3),
            "mode": ["A", "B"] * 100,
            "task_id": range(200),
            "repeat": 1,
            "agent": "a",
        }
    )
    names = ["variable_type", "noise", "size", "constant"]
    found = covariate_tests(frame, names, ["strict"], mode_column="mode")
    assert [(t.mode, t.covariate) for t in found] == [(m, c) for m in "AB" for c in names]
    by_name = {(t.mode, t.covariate): t for t in found}
    assert by_name["A", "variable_type"].p_holm < 0.001  # type: ignore[operator]
    assert by_name["A", "size"].shape == (4, 2)
    assert by_name["B", "constant"].p_holm is None
    known = [t.p_value for t in found if t.p_value is not None]
    order = np.argsort(known)
    stepped = np.maximum.accumulate(np.array(known)[order] * np.arange(len(known), 0, -1))
    by_hand = dict(zip(order, np.minimum(stepped, 1), strict=True))
    got = [t.p_holm for t in found if t.p_holm is not None]
    assert got == pytest.approx([by_hand[i] for i in range(len(known))], abs=1e-12)


def test_levels_are_made_once_for_all_tests() -> None:
    frame = pd.DataFrame(
        {
            "task_id": range(200),
            "repeat": 1,
            "rows": [0] * 100 + list(range(1, 101)),
            "strict": ["yes", "no"] * 100,
            "cascade": ["yes", "no"] * 25 + [None] * 150,
            "mode": "A",
            "agent": "a",
        }
    )
    strict, cascade = covariate_tests(frame, ["rows"], ["strict", "cascade"], mode_column="mode")
    assert strict.shape == (3, 2)
    assert (cascade.n, cascade.shape, cascade.reason) == (50, (1, 2), "fewer than two levels")


def test_a_value_for_nearly_every_task_is_not_tested() -> None:
    found = independence([[1, 0], [0, 1], [1, 0], [1, 1]])
    assert (found.p_value, found.reason) == (None, "fewer than two tasks a level")


def test_copies_of_a_task_are_no_further_evidence() -> None:
    rng = np.random.default_rng(7)
    once = pd.DataFrame(
        {
            "task_id": [f"t{i}" for i in range(60)],
            "repeat": 1,
            "kind": rng.choice(["a", "b", "c"], 60),
            "rows": rng.integers(1, 5000, 60),
            "strict": rng.choice(["yes", "no"], 60),
            "mode": "A",
            "agent": "a",
        }
    )
    later = [once.assign(repeat=n, strict=rng.permutation(once["strict"])) for n in range(2, 6)]
    often = pd.concat([*later, once], ignore_index=True)
    names = ["kind", "rows"]
    every, first = (
        covariate_tests(frame, names, ["strict"], mode_column="mode") for frame in (often, once)
    )
    assert every == first


def test_another_agent_is_no_repeat() -> None:
    frame = pd.DataFrame(
        {
            "task_id": ["t1", "t2", "t3", "t4"] * 2,
            "repeat": 1,
            "kind": ["x", "y"] * 4,
            "strict": ["yes", "no"] * 2 + ["no", "yes"] * 2,
            "mode": "A",
            "agent": ["alpha"] * 4 + ["beta"] * 4,
        }
    )
    found = covariate_tests(frame, ["kind"], ["strict"], mode_column="mode")
    assert [(test.agent, test.n, test.cramers_v) for test in found] == [
        ("alpha", 4, pytest.approx(1.0)),
        ("beta", 4, pytest.approx(1.0)),
    ]


def test_the_first_repeat_that_is_graded_counts() -> None:
    frame = pd.DataFrame(
        {
            "task_id": ["a", "a", "b", "c", "d"],
            "repeat": [2, 1, 1, 1, 1],
            "kind": ["x", "x", "y", "x", "y"],
            "strict": ["yes", None, "no", "yes", "no"],
            "mode": "A",
            "agent": "a",
        }
    )
    (found,) = covariate_tests(frame, ["kind"], ["strict"], mode_column="mode")
    assert (found.n, found.cramers_v) == (4, pytest.approx(1.0))


def test_no_permutation_is_impossible() -> None:
    """The table itself is one of those that are drawn, so p is never 0 (Phipson & Smyth 2010)."""
    found = independence([[9, 0, 0], [0, 9, 0], [0, 0, 4]])
    assert found.method == "chi-squared permutation"
    assert found.p_value == pytest.approx(1 / (1 + PERMUTATIONS))


@pytest.mark.parametrize(
    ("table", "is_small"), [([[9, 9], [9, 9]], False), ([[9, 9], [4, 5]], True)]
)
def test_expected_counts_below_five_are_small(table: list[list[int]], is_small: bool) -> None:
    found = independence(table)
    assert found.small_expected is is_small
    assert found.min_expected is not None and (4 < found.min_expected < 5) is is_small
