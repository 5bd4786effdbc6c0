"""Tests of independence: do grades depend on task covariates?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from .holm import Significance, with_holm
from .levels import covariate_levels

# Prefix of a task covariate's column, since another column may have the covariate's name.
COVARIATE = "covariate:"
SMALL_EXPECTED = 5.0
PERMUTATIONS = 9999
MOST_CELLS = 1_000_000  # of the tables held at once
ROUNDING = 1e-9  # equal statistics may differ by it, relatively

Method = Literal["none", "chi-squared", "Fisher exact", "chi-squared permutation"]


class IndependenceTest(Significance):
    """A test of independence on one contingency table.

    `statistic`, `dof`, `p_chi2` and `cramers_v` are Pearson's chi-squared. Where an expected
    count is below 5 (`small_expected`), `p_exact` holds Fisher's exact p (2 x 2) or a
    permutation p, and `p_value` is that one; `method` says which. All are None where there is no
    test, and `reason` says why.
    """

    covariate: str = ""
    target: str = ""
    mode: str = ""
    agent: str = ""
    n: int
    shape: tuple[int, int]
    statistic: float | None = None
    dof: int | None = None
    p_chi2: float | None = None
    p_exact: float | None = None
    cramers_v: float | None = None
    min_expected: float | None = None
    small_expected: bool = False
    method: Method = "none"
    reason: str = ""


def independence(table: npt.ArrayLike) -> IndependenceTest:
    """Test the independence of rows and columns of a table of counts (no Yates correction).

    Empty rows and columns are dropped first. There is no test of a single row or column, nor of
    more rows than half the counts. Uses scipy; the permutation p is reproducible.
    """
    from scipy.stats import chi2_contingency
    from scipy.stats.contingency import association

    counts = np.asarray(table, dtype=np.int64)
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    result = IndependenceTest(n=int(counts.sum()), shape=counts.shape)
    if reason := _untestable(counts):
        return result.model_copy(update={"reason": reason})
    pearson = chi2_contingency(counts, correction=False)
    smallest = float(pearson.expected_freq.min())
    found: dict[str, Any] = {
        "statistic": float(pearson.statistic),
        "dof": int(pearson.dof),
        "p_chi2": float(pearson.pvalue),
        "p_value": float(pearson.pvalue),
        "cramers_v": float(association(counts, method="cramer", correction=False)),
        "min_expected": smallest,
        "method": "chi-squared",
    }
    if smallest < SMALL_EXPECTED:
        method, p_exact = _small_sample(counts)
        found |= {"small_expected": True, "method": method, "p_exact": p_exact, "p_value": p_exact}
    return result.model_copy(update=found)


def _untestable(counts: npt.NDArray[np.int64]) -> str:
    """Why a table of counts without empty rows and columns has no test, or ""."""
    levels, results = counts.shape
    if levels < 2:
        return "fewer than two levels"
    if results < 2:
        return "fewer than two results"
    return "fewer than two tasks a level" if counts.sum() < 2 * levels else ""


def _column_test(frame: pd.DataFrame, covariate: str, target: str) -> IndependenceTest:
    """The test of a column of levels against another column. Each task counts once, by its first
    row that has both: repeats of a task are not independent."""
    rows = frame[["task_id", covariate, target]].dropna().drop_duplicates("task_id")
    table = pd.crosstab(rows[covariate], rows[target])
    return independence(table.to_numpy() if table.size else np.zeros((0, 0))).model_copy(
        update={"covariate": covariate.removeprefix(COVARIATE), "target": target}
    )


def covariate_tests(
    frame: pd.DataFrame,
    covariates: Sequence[str],
    targets: Sequence[str],
    *,
    mode_column: str,
) -> list[IndependenceTest]:
    """Tests of each covariate x each target x each nudge mode (Table 3 of the paper) of each agent,
    with Holm's correction over all of them.

    `frame` has one row per transcript, with its `task_id`, `agent`, `repeat` and mode; the first
    repeats count. Levels (`covariate_levels`) are made once, over the whole frame. A covariate's
    name omits the prefix `COVARIATE` of its column.
    """
    frame = frame.assign(**{name: covariate_levels(frame, name) for name in covariates})
    frame = frame.sort_values("repeat", kind="stable")
    tests = [
        _column_test(part, covariate, target).model_copy(
            update={"mode": str(mode), "agent": str(agent)}
        )
        for (mode, agent), part in frame.groupby([mode_column, "agent"], dropna=False, sort=True)
        for target in targets
        for covariate in covariates
    ]
    return with_holm(tests)


def _small_sample(counts: npt.NDArray[np.int64]) -> tuple[Method, float]:
    """The method for a table with small expected counts, and its p-value."""
    from scipy.stats import fisher_exact

    if counts.shape == (2, 2):
        return "Fisher exact", float(fisher_exact(counts).pvalue)
    return "chi-squared permutation", _permutation_p(counts)


def _permutation_p(counts: npt.NDArray[np.int64]) -> float:
    """The share of `PERMUTATIONS` tables with the margins of this one whose chi-squared is no
    smaller, this one included. Such tables (Patefield 1981) are distributed as those of permuted
    observations, at a cost that does not grow with their number."""
    from scipy.stats import random_table

    rows, results = counts.sum(axis=1), counts.sum(axis=0)
    expected = np.outer(rows, results) / counts.sum()

    def statistic(tables: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        return np.asarray(((tables - expected) ** 2 / expected).sum(axis=(-2, -1)))

    found, extreme, rng = float(statistic(counts)), 0, np.random.default_rng(0)
    batch = max(1, MOST_CELLS // counts.size)
    for start in range(0, PERMUTATIONS, batch):
        size = min(batch, PERMUTATIONS - start)
        drawn = random_table(rows, results).rvs(size, method="patefield", random_state=rng)
        extreme += int((statistic(drawn) >= found * (1 - ROUNDING)).sum())
    return (1 + extreme) / (1 + PERMUTATIONS)
