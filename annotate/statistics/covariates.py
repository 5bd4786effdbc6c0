"""Do task covariates go with grades? Tests of independence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from .holm import Significance, with_holm

# Before the name of a task covariate among other columns, one of which may have the same name.
COVARIATE = "covariate:"
SMALL_EXPECTED = 5.0
PERMUTATIONS = 9999
MAX_LEVELS = 10
QUANTILE_BINS = 4


class IndependenceTest(Significance):
    """A test of independence on one contingency table.

    `statistic`, `dof`, `p_chi2` and `cramers_v` are Pearson's chi-squared. Where an expected
    count is below 5 (`small_expected`), `p_exact` holds Fisher's exact p (2 x 2) or a
    permutation p, and `p_value` is that one; `method` says which. All are None on a table with a
    single row or column, and `reason` says so.
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
    method: str = "none"
    reason: str = ""


def independence(table: npt.ArrayLike) -> IndependenceTest:
    """Test the independence of rows and columns of a table of counts (no Yates correction).

    Empty rows and columns are dropped first. Uses scipy; the permutation p is reproducible.
    """
    from scipy.stats import chi2_contingency
    from scipy.stats.contingency import association

    counts = np.asarray(table, dtype=np.int64)
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    result = IndependenceTest(n=int(counts.sum()), shape=counts.shape)
    if min(counts.shape) < 2:
        short = "row" if counts.shape[0] < 2 else "column"
        return result.model_copy(update={"reason": f"fewer than two non-empty {short}s"})
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


def column_test(frame: pd.DataFrame, covariate: str, target: str) -> IndependenceTest:
    """Test one column against another. Each task counts once, by the first of its rows that lacks
    neither: repeats of a task are not independent.

    A numeric covariate with more than ten values is cut at its quartiles. The prefix
    `COVARIATE` of a column is no part of the covariate's name.
    """
    rows = frame[["task_id", covariate, target]].dropna().drop_duplicates("task_id")
    table = pd.crosstab(as_levels(rows[covariate]), rows[target])
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
    """Each covariate x each target x each nudge mode (Table 3 of the paper) of each agent, with
    Holm's correction over all of them. `frame` has one row a transcript, with its `task_id`,
    `agent`, `repeat` and mode; the first repeats count."""
    frame = frame.sort_values("repeat", kind="stable")
    tests = [
        column_test(part, covariate, target).model_copy(
            update={"mode": str(mode), "agent": str(agent)}
        )
        for (mode, agent), part in frame.groupby([mode_column, "agent"], dropna=False, sort=True)
        for target in targets
        for covariate in covariates
    ]
    return with_holm(tests)


def as_levels(column: pd.Series[Any]) -> pd.Series[Any]:
    """A column as categories: numbers with many values become quartiles, the rest stays."""
    numbers = pd.to_numeric(column, errors="coerce")
    if numbers.isna().any() or numbers.nunique() <= MAX_LEVELS:
        return column.astype(str)
    return pd.qcut(numbers, QUANTILE_BINS, duplicates="drop").astype(str)


def _small_sample(counts: npt.NDArray[np.int64]) -> tuple[str, float]:
    from scipy.stats import PermutationMethod, chi2_contingency, fisher_exact

    if counts.shape == (2, 2):
        return "Fisher exact", float(fisher_exact(counts).pvalue)
    method = PermutationMethod(n_resamples=PERMUTATIONS, rng=np.random.default_rng(0))
    found = chi2_contingency(counts, correction=False, method=method)
    return "chi-squared permutation", float(found.pvalue)
