"""Proportions with their denominators: standard error, Wilson, bootstrap, rule of three.

Where tasks were tried several times, transcripts are not independent: the repeats of a task are
alike. Rates then cover all transcripts, and intervals allow for the repeats (`design_effect`).
Where some transcripts were likelier to be labelled than others, rates are weighted for that.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from grader.records import Record

from .likeness import likeness

Array = npt.NDArray[np.float64]
LEVEL = 0.95  # of intervals and bounds, where no other is asked for
RESAMPLES = 2000
MOST_PICKS = 1_000_000  # of the resamples held at once


class Rate(Record):
    """A rate and its counts, `successes` of `n`: their quotient, or weighted for the sampling
    design. It is undefined if nothing of any weight is counted: all but the counts is then None,
    printed "n/a".

    `standard_error` is sqrt(p(1-p)/m); `low`, `high` are the Wilson interval at `level` for m
    trials. m is n over the design effect: n if no task was tried twice and all weights are the
    same. `is_weighted`: weights differ, even if the rate equals the quotient. Weighted rates of a
    grader have all of these from a posterior (`posterior.posterior_rate`).
    """

    successes: int
    n: int
    level: float = LEVEL
    value: float | None = None
    standard_error: float | None = None
    low: float | None = None
    high: float | None = None
    is_weighted: bool = False


class Interval(Record):
    """An interval; both ends None where it cannot be computed, with the `reason`."""

    low: float | None = None
    high: float | None = None
    level: float = LEVEL
    method: str
    reason: str = ""


def rate(
    successes: int,
    n: int,
    level: float = LEVEL,
    design_effect: float = 1.0,
    share: float | None = None,
) -> Rate:
    """A proportion with standard error and Wilson interval, for n / design_effect independent
    trials. `share` is its value if it is weighted.

    Raises `ValueError` unless 0 <= successes <= n.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n}")
    if n == 0:
        return Rate(successes=0, n=0, level=level)
    value, worth = successes / n if share is None else share, n / design_effect
    low, high = wilson(value, worth, level)
    return Rate(
        successes=successes,
        n=n,
        level=level,
        value=value,
        standard_error=float(np.sqrt(value * (1 - value) / worth)),
        low=low,
        high=high,
        is_weighted=share is not None,
    )


def wilson(share: float, trials: float, level: float = LEVEL) -> tuple[float, float]:
    """The Wilson interval of a share of that many independent trials; the share itself for
    infinitely many."""
    from statsmodels.stats.proportion import proportion_confint

    if trials == math.inf:
        return share, share
    low, high = proportion_confint(share * trials, trials, alpha=1 - level, method="wilson")
    return max(0.0, float(low)), min(1.0, float(high))


def z_of(level: float = LEVEL) -> float:
    """How many standard errors an interval reaches to either side: 1.96 at 95 %."""
    return NormalDist().inv_cdf((1 + level) / 2)


def design_effect(hits: Sequence[float], tasks: Sequence[object]) -> float:
    """How many of these transcripts are worth one independent one: 1 + (largest - 1) * correlation
    (Kish 1965) of the `hits` of one task (`likeness`, after Fleiss & Cuzick 1979). With few tasks
    or uneven repeats it is steadier than the ratio of variances with and without tasks as clusters,
    whose intervals are then too short.

    1 where no task was tried twice. Never below 1, nor above `largest_design_effect`, which is
    assumed where all hits are the same, or none of different tasks differ.
    """
    most = largest_design_effect(tasks)
    if most == 1:
        return 1.0
    found = likeness(hits, tasks, [1.0] * len(hits))
    return most if found is None else min(max(1 + (most - 1) * found.correlation, 1.0), most)


def largest_design_effect(tasks: Sequence[object]) -> float:
    """The design effect where the repeats of a task always agree; 1 without transcripts."""
    counts = Counter(tasks).values()
    return sum(count**2 for count in counts) / len(tasks) if tasks else 1.0


def rate_of(
    hits: Sequence[float],
    tasks: Sequence[object],
    level: float = LEVEL,
    weights: Sequence[float] | None = None,
) -> Rate:
    """The share of `hits` (0 or 1), one a transcript, given the task and the weight of each
    (default: equal weights). Weights that differ count as a further design effect, n sum(w^2) /
    sum(w)^2 (Kish 1965)."""
    successes, n, effect = int(sum(hits)), len(hits), design_effect(hits, tasks)
    if not n or weights is None or len(set(weights)) == 1:
        return rate(successes, n, level, effect)
    total = sum(weights)
    effect *= n * sum(weight**2 for weight in weights) / total**2
    weighted = sum(hit * weight for hit, weight in zip(hits, weights, strict=True))
    return rate(successes, n, level, effect, weighted / total)


def rule_of_three(n: float, level: float = LEVEL) -> float | None:
    """The lower bound 1 - 3/n on a rate that was 1 in all of n trials; at another level the 3 is
    `three_of` it.

    None for n = 0; 0 where the bound is negative (Tuyl, Gerlach & Mengersen 2009).
    """
    return max(0.0, 1 - three_of(level) / n) if n > 0 else None


def three_of(level: float = LEVEL) -> float:
    """The 3 of the rule of three at a level: -ln(1 - level) to one decimal, as it is at 95 %."""
    return round(-math.log(1 - level), 1)


def exact_bound(n: float, level: float = LEVEL) -> float | None:
    """The exact one-sided lower bound (1-level)^(1/n) that the rule of three approximates."""
    return float((1 - level) ** (1 / n)) if n > 0 else None


def bootstrap(
    columns: Sequence[npt.ArrayLike],
    statistic: Callable[..., Any],
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
) -> Interval:
    """Percentile bootstrap over independent units: tasks, or transcripts of different tasks.

    `columns` are equally long arrays, one entry per unit; `statistic(*columns)` must accept a
    leading axis of resamples and return one number for each, NaN where it is undefined.
    Undefined resamples are left out. There is no interval if more than half are undefined, or
    if all are the same: then the data show no variation to resample.
    """
    arrays = [np.asarray(column, dtype=float) for column in columns]
    size = len(arrays[0])
    blank = Interval(level=level, method="bootstrap")
    if size == 0:
        return blank.model_copy(update={"reason": "no labelled transcripts"})
    rng, batch = np.random.default_rng(0), max(1, MOST_PICKS // size)
    values = np.empty(resamples)
    for start in range(0, resamples, batch):
        part = values[start : start + batch]
        picks = rng.integers(0, size, (len(part), size))
        with np.errstate(invalid="ignore", divide="ignore"):
            part[:] = statistic(*(array[picks] for array in arrays))
    defined = values[np.isfinite(values)]
    if len(defined) <= resamples / 2:
        return blank.model_copy(update={"reason": "undefined in most resamples"})
    if np.ptp(defined) == 0:
        return blank.model_copy(update={"reason": "the same in every resample"})
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return blank.model_copy(update={"low": float(low), "high": float(high)})


def ratio(numerator: Array, denominator: Array) -> Array:
    """sum(numerator) / sum(denominator) along the last axis; NaN where the latter is 0."""
    return np.asarray(numerator.sum(axis=-1) / denominator.sum(axis=-1))
