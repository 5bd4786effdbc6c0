"""Estimates of the share of true matches, all reweighted for the sampling design:

poststratified   The headline. Within each cell (design stratum x automated pass or fail) the
                 share of matches is estimated from the labels; cells are weighted by their known
                 sizes. The interval is Bayesian: a Beta(1/3, 1/3) prior on each cell (Kerman
                 2011, "neutral": its median follows the data even at 0 or all), weakened where
                 there are many cells, and, for the population target, a Dirichlet over cells. It
                 is prediction-powered in that it uses every automated grade, and keeps its
                 coverage when the labels show no error.
ppi              PPI++ (Angelopoulos, Duchi & Zrnic 2023) by the ppi-python library. Its normal
                 interval is too short when the labels hold few grading errors.
rogan_gladen     The automated pass rate corrected by sensitivity and specificity (1978), with
                 the delta method. None when sensitivity + specificity is not above 1.
classical        The labels alone (Hajek), with a Wilson interval on the effective sample size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from grader.records import Record

from .cells import Cell, columns, labelled_sample, unlabelled_rest

ESTIMATES = ("poststratified", "ppi", "rogan_gladen", "classical")
Target = Literal["run", "population"]
PRIOR = 1 / 3
PRIOR_CELLS = 4
DRAWS = 20_000


class Estimate(Record):
    """One estimate of the share of transcripts whose answer truly matches; None where it cannot
    be made, with the `reason`."""

    name: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    level: float = 0.95
    reason: str = ""


def poststratified(
    cells: Sequence[Cell],
    *,
    target: Target = "population",
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Estimate:
    """The headline estimate (see the module's text): posterior median and quantiles."""
    size, labelled, matched = columns(cells)
    rng = np.random.default_rng(seed)
    prior = prior_of(len(cells))
    share = rng.beta(matched + prior, labelled - matched + prior, (draws, len(size)))
    if target == "run":
        rest = rng.binomial(size - labelled, share)
        rates = (matched + rest).sum(axis=1) / size.sum()
    else:
        rates = (share * rng.dirichlet(size, draws)).sum(axis=1)
    low, middle, high = np.quantile(rates, [(1 - level) / 2, 0.5, (1 + level) / 2])
    return Estimate(
        name="poststratified", value=float(middle), low=float(low), high=float(high), level=level
    )


def prior_of(cells: int) -> float:
    """Both parameters of the Beta prior on a cell's match rate. Over `PRIOR_CELLS` cells or more
    the prior as a whole keeps the same weight, so that many small cells do not drown in it."""
    return PRIOR * min(1.0, PRIOR_CELLS / max(cells, 1))


def ppi(cells: Sequence[Cell], *, level: float = 0.95) -> Estimate:
    """PPI++ by ppi-python, the labelled sample weighted by stratum size / labels in it."""
    try:
        from ppi_py import ppi_mean_ci, ppi_mean_pointestimate
    except ImportError:
        return Estimate(
            name="ppi",
            level=level,
            reason="ppi-python is not installed: pip install 'grading-cascade[ppi]'",
        )
    y, predicted, weight = labelled_sample(cells)
    if len(y) < 2:
        return Estimate(name="ppi", level=level, reason="fewer than two labels")
    rest, rest_weight, tuning = unlabelled_rest(cells)
    if np.ptp(rest) == 0 or np.ptp(predicted) == 0:
        return Estimate(name="ppi", level=level, reason="every automated grade is the same")
    given = {"w": weight, "w_unlabeled": rest_weight, "lam": tuning}
    value = ppi_mean_pointestimate(y, predicted, rest, **given)
    low, high = ppi_mean_ci(y, predicted, rest, alpha=1 - level, **given)
    return Estimate(
        name="ppi",
        value=_unit(value),
        low=_unit(low),
        high=_unit(high),
        level=level,
    )


def rogan_gladen(cells: Sequence[Cell], *, level: float = 0.95) -> Estimate:
    """(automated rate + specificity - 1) / (sensitivity + specificity - 1), design-weighted."""
    from scipy.stats import norm

    y, predicted, weight = labelled_sample(cells)
    total = sum(cell.size for cell in cells)
    automated = sum(cell.size for cell in cells if cell.passed) / total
    blank = Estimate(name="rogan_gladen", level=level)
    if y.sum() == 0 or y.sum() == len(y):
        kind = "matches" if y.sum() == 0 else "non-matches"
        return blank.model_copy(update={"reason": f"no {kind} among the labels"})
    sensitivity, n_match = _weighted_share(predicted[y == 1], weight[y == 1])
    specificity, n_rest = _weighted_share(1 - predicted[y == 0], weight[y == 0])
    youden = sensitivity + specificity - 1
    if youden <= 0:
        return blank.model_copy(update={"reason": "the grader does not beat chance"})
    value = (automated + specificity - 1) / youden
    variance = (
        automated * (1 - automated) / total
        + value**2 * sensitivity * (1 - sensitivity) / n_match
        + (1 - value) ** 2 * specificity * (1 - specificity) / n_rest
    ) / youden**2
    reach = float(norm.ppf((1 + level) / 2)) * variance**0.5
    return blank.model_copy(
        update={"value": _unit(value), "low": _unit(value - reach), "high": _unit(value + reach)}
    )


def classical(cells: Sequence[Cell], *, level: float = 0.95) -> Estimate:
    """The labels alone: Hajek mean, Wilson interval on Kish's effective sample size."""
    from statsmodels.stats.proportion import proportion_confint

    y, _, weight = labelled_sample(cells)
    value, effective = _weighted_share(y, weight)
    low, high = proportion_confint(value * effective, effective, alpha=1 - level, method="wilson")
    return Estimate(name="classical", value=value, low=_unit(low), high=_unit(high), level=level)


def _weighted_share(values: np.ndarray, weight: np.ndarray) -> tuple[float, float]:
    """Weighted mean, and Kish's effective number of observations."""
    return (
        float((values * weight).sum() / weight.sum()),
        float(weight.sum() ** 2 / (weight**2).sum()),
    )


def _unit(value: object) -> float:
    return float(np.clip(np.asarray(value, dtype=float).ravel()[0], 0.0, 1.0))
