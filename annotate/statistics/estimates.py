"""Estimates of the share of true matches, all reweighted for the sampling design:

poststratified   The headline. Within each cell (design stratum x automated pass or fail) the
                 share of matches is estimated from the labels; cells are weighted by their known
                 sizes. The interval is Bayesian: a Beta(1/3, 1/3) prior on each cell (Kerman
                 2011, "neutral": its median follows the data even at 0 or all), weakened where
                 there are many cells, and, for the population target, a Dirichlet over cells. It
                 is prediction-powered in that it uses every automated grade, and keeps its
                 coverage when the labels show no error.
ppi              PPI++ (Angelopoulos, Duchi & Zrnic 2023) in closed form: the labels alone, moved
                 by how far their automated grades are from those of the run, as much as makes
                 the variance least. Too short when the labels hold few grading errors
                 (`FEW_ERRORS`).
rogan_gladen     The automated pass rate corrected by sensitivity and specificity (1978), with
                 the delta method; too short likewise. None when sensitivity + specificity is not
                 above 1.
classical        The labels alone (Hajek), with a Wilson interval on the effective sample size.

Two things vary by chance: which transcripts of the run are labelled, and which tasks the benchmark
holds. The first variance is 0 once all are labelled; ppi, rogan_gladen and classical are then
equal. The second is left out for the target `run`. It is computed as if each transcript had a task
of its own, times the `design_effect` of repeats (`rates.design_effect`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from grader.records import Record

from .cells import Cell, columns, labelled_sample
from .rates import LEVEL, wilson, z_of

ESTIMATES = ("poststratified", "ppi", "rogan_gladen", "classical")
Target = Literal["run", "population"]
PRIOR = 1 / 3
PRIOR_CELLS = 4
DRAWS = 20_000
FEW_ERRORS = 10  # grading errors among the labels, below which ppi and rogan_gladen are too short


class Aim(Record):
    """What an interval must cover, and how often.

    target: the share among exactly these transcripts (`run`), or on tasks like these. level: how
    often. design_effect: how many transcripts are worth one independent task.
    """

    target: Target = "population"
    level: float = LEVEL
    design_effect: float = 1.0

    def tasks(self, transcripts: float) -> float:
        """How many independent tasks the run is worth; infinitely many for the target `run`."""
        return math.inf if self.target == "run" else transcripts / self.design_effect


POPULATION = Aim()


class Estimate(Record):
    """One estimate of the share of transcripts whose answer truly matches; None where it cannot
    be made, with the `reason`."""

    name: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    level: float = LEVEL
    reason: str = ""


def poststratified(
    cells: Sequence[Cell], aim: Aim = POPULATION, *, draws: int = DRAWS, seed: int = 0
) -> Estimate:
    """The headline estimate (see the module's text): posterior median and quantiles."""
    if aim.target == "run":
        size, labelled, matched = columns(cells)
        rng, prior = np.random.default_rng(seed), prior_of(len(cells))
        share = rng.beta(matched + prior, labelled - matched + prior, (draws, len(size)))
        rest = rng.binomial(size - labelled, share)
        rates = (matched + rest).sum(axis=1) / size.sum()
    else:
        cell, share = population_draws(cells, aim, draws, seed)
        rates = (cell * share).sum(axis=1)
    low, middle, high = np.quantile(rates, [(1 - aim.level) / 2, 0.5, (1 + aim.level) / 2])
    return Estimate(
        name="poststratified",
        value=float(middle),
        low=float(low),
        high=float(high),
        level=aim.level,
    )


def population_draws(
    cells: Sequence[Cell], aim: Aim, draws: int = DRAWS, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Draws from the posterior for tasks like these, a row each: the share of all transcripts that
    is in each cell, and the share of the cell's that match."""
    size, labelled, matched = columns(cells)
    rng, prior = np.random.default_rng(seed), prior_of(len(cells))
    worth = labels_worth(size, labelled, aim.design_effect)
    hits = matched * worth
    share = rng.beta(hits + prior, labelled * worth - hits + prior, (draws, len(size)))
    return rng.dirichlet(size / aim.design_effect, draws), share


def prior_of(cells: int) -> float:
    """Both parameters of the Beta prior on a cell's match rate. Over `PRIOR_CELLS` cells or more
    the prior as a whole keeps the same weight, so that many small cells do not drown in it."""
    return PRIOR * min(1.0, PRIOR_CELLS / max(cells, 1))


def labels_worth(size: np.ndarray, labelled: np.ndarray, design_effect: float) -> np.ndarray:
    """By cell, how many independent tasks one label is worth: 1 without repeats, else less.

    Of n labels in N transcripts, 1/n - 1/N of the variance comes from the choice of what to label
    and 1/N from the tasks: only the latter grows with the design effect.
    """
    return np.asarray(size / (size + (design_effect - 1) * labelled))


def ppi(cells: Sequence[Cell], aim: Aim = POPULATION) -> Estimate:
    """PPI++; with yes/no grades its tuning is the slope of labels on automated grades."""
    y, predicted, weight = labelled_sample(cells)
    unseen = weight * (weight - 1)
    if unseen.any() and np.ptp(predicted) == 0:
        reason = "every labelled transcript has the same automated grade"
        return Estimate(name="ppi", level=aim.level, reason=reason)
    mean, predicted_mean = np.average(y, weights=weight), np.average(predicted, weights=weight)
    error, guess = y - mean, predicted - predicted_mean
    slope = (unseen * error * guess).sum() / (unseen * guess**2).sum() if unseen.any() else 0.0
    tuning = np.clip(slope, 0, 1)
    total = weight.sum()
    automated = sum(cell.size for cell in cells if cell.passed) / total
    value = mean + tuning * (automated - predicted_mean)
    variance = (unseen * (error - tuning * guess) ** 2).sum() / total**2
    return _estimate("ppi", value, variance, total, aim)


def rogan_gladen(cells: Sequence[Cell], aim: Aim = POPULATION) -> Estimate:
    """(automated rate + specificity - 1) / (sensitivity + specificity - 1), design-weighted."""
    y, predicted, weight = labelled_sample(cells)
    blank = Estimate(name="rogan_gladen", level=aim.level)
    if y.sum() == 0 or y.sum() == len(y):
        kind = "matches" if y.sum() == 0 else "non-matches"
        return blank.model_copy(update={"reason": f"no {kind} among the labels"})
    sensitivity, of_matches = _weighted_share(predicted[y == 1], weight[y == 1])
    specificity, of_rest = _weighted_share(1 - predicted[y == 0], weight[y == 0])
    youden = sensitivity + specificity - 1
    if youden <= 0:
        return blank.model_copy(update={"reason": "the grader does not beat chance"})
    total = weight.sum()
    automated = sum(cell.size for cell in cells if cell.passed) / total
    value = (automated + specificity - 1) / youden
    variance = (
        value**2 * sensitivity * (1 - sensitivity) * of_matches
        + (1 - value) ** 2 * specificity * (1 - specificity) * of_rest
    ) / youden**2
    return _estimate("rogan_gladen", value, variance, total, aim)


def classical(cells: Sequence[Cell], aim: Aim = POPULATION) -> Estimate:
    """The labels alone: Hajek mean, Wilson interval on Kish's effective sample size."""
    y, _, weight = labelled_sample(cells)
    value, unseen = _weighted_share(y, weight)
    variance = unseen + 1 / aim.tasks(weight.sum())
    low, high = wilson(value, 1 / variance if variance else math.inf, aim.level)
    return Estimate(name="classical", value=value, low=low, high=high, level=aim.level)


def _weighted_share(values: np.ndarray, weight: np.ndarray) -> tuple[float, float]:
    """The weighted mean, and the variance it has from the choice of labels relative to the variance
    of one label: 1/n - 1/N for n labels of N transcripts."""
    unseen = (weight * (weight - 1)).sum() / weight.sum() ** 2
    return float(np.average(values, weights=weight)), float(unseen)


def _estimate(name: str, value: float, variance: float, total: float, aim: Aim) -> Estimate:
    """An estimate with its interval. `variance` is from the choice of labels; its half-width and
    that from the choice of tasks (Wilson) are added as squares (Zou & Donner 2008)."""
    reach, share = z_of(aim.level) * variance**0.5, _unit(value)
    low, high = wilson(share, aim.tasks(total), aim.level)
    return Estimate(
        name=name,
        value=share,
        low=_unit(value - math.hypot(reach, share - low)),
        high=_unit(value + math.hypot(reach, high - share)),
        level=aim.level,
    )


def _unit(value: float) -> float:
    return min(max(float(value), 0.0), 1.0)
