"""Proportions with their denominators: standard error, Wilson, bootstrap, rule of three."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from grader.records import Record

Array = npt.NDArray[np.float64]


class Rate(Record):
    """`successes` of `n`. Everything is None where n = 0: undefined, printed "n/a".

    `standard_error` is sqrt(p(1-p)/n); `low`, `high` are the Wilson interval at `level`.
    """

    successes: int
    n: int
    level: float = 0.95
    value: float | None = None
    standard_error: float | None = None
    low: float | None = None
    high: float | None = None


class Interval(Record):
    """An interval; both ends None where it cannot be computed, with the `reason`."""

    low: float | None = None
    high: float | None = None
    level: float = 0.95
    method: str
    reason: str = ""


def rate(successes: int, n: int, level: float = 0.95) -> Rate:
    """The proportion successes / n with standard error and Wilson interval.

    Raises `ValueError` unless 0 <= successes <= n.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n}")
    if n == 0:
        return Rate(successes=0, n=0, level=level)
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(successes, n, alpha=1 - level, method="wilson")
    value = successes / n
    return Rate(
        successes=successes,
        n=n,
        level=level,
        value=value,
        standard_error=float(np.sqrt(value * (1 - value) / n)),
        low=max(0.0, float(low)),
        high=min(1.0, float(high)),
    )


def rule_of_three(n: int) -> float | None:
    """The lower 95 % bound 1 - 3/n on a rate that was 1 in all of n trials.

    None for n = 0; 0 where 3/n exceeds 1 (Tuyl, Gerlach & Mengersen 2009).
    """
    return max(0.0, 1 - 3 / n) if n > 0 else None


def exact_bound(n: int, level: float = 0.95) -> float | None:
    """The exact one-sided lower bound (1-level)^(1/n) that the rule of three approximates."""
    return float((1 - level) ** (1 / n)) if n > 0 else None


def bootstrap(
    columns: Sequence[npt.ArrayLike],
    statistic: Callable[..., Any],
    *,
    strata: Sequence[object] | None = None,
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Interval:
    """Percentile bootstrap over transcripts, resampled within `strata` when given.

    `columns` are equally long arrays, one entry a transcript; `statistic(*columns)` must accept
    a leading axis of resamples and return one number for each, NaN where it is undefined.
    Undefined resamples are left out; if more than half are undefined so is the interval.
    """
    arrays = [np.asarray(column, dtype=float) for column in columns]
    size = len(arrays[0])
    if size == 0:
        return Interval(level=level, method="bootstrap", reason="no labelled transcripts")
    picks = _resample(size, strata, resamples, np.random.default_rng(seed))
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.asarray(statistic(*(array[picks] for array in arrays)), dtype=float)
    defined = values[np.isfinite(values)]
    if len(defined) <= resamples / 2:
        return Interval(level=level, method="bootstrap", reason="undefined in most resamples")
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Interval(low=float(low), high=float(high), level=level, method="bootstrap")


def ratio(numerator: Array, denominator: Array) -> Array:
    """sum(numerator) / sum(denominator) along the last axis; NaN where the latter is 0."""
    return np.asarray(numerator.sum(axis=-1) / denominator.sum(axis=-1))


def show_percent(value: float | None, digits: int = 1) -> str:
    """`26.4%`, or `n/a` for an undefined value."""
    return "n/a" if value is None else f"{100 * value:.{digits}f}%"


def rate_in_full(rate: Rate) -> str:
    """`86% ± 4% (76% to 92%), 62/72`, or `n/a (n=0)`."""
    if rate.value is None:
        return "n/a (n=0)"
    return (
        f"{show_percent(rate.value, 0)} ± {show_percent(rate.standard_error, 0)} "
        f"({show_percent(rate.low, 0)} to {show_percent(rate.high, 0)}), {rate.successes}/{rate.n}"
    )


def _resample(
    size: int, strata: Sequence[object] | None, resamples: int, rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Row numbers of every resample, shape (resamples, size)."""
    if strata is None:
        return rng.integers(0, size, (resamples, size))
    groups: dict[object, list[int]] = {}
    for row, stratum in enumerate(strata):
        groups.setdefault(stratum, []).append(row)
    parts = [
        np.asarray(rows)[rng.integers(0, len(rows), (resamples, len(rows)))]
        for rows in groups.values()
    ]
    return np.concatenate(parts, axis=1)
