"""Intervals of a grader's recall, precision and other rates if labels have different weights, from
the posterior of the headline estimate (`estimates.poststratified`)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .cells import cells_of
from .estimates import Aim, population_draws
from .prevalence import effect_of_matches
from .rates import Rate


def posterior_rates(
    graded: Mapping[str, bool],
    judged: Mapping[str, bool],
    strata: Mapping[str, str],
    tasks: Mapping[str, str],
) -> dict[str, np.ndarray]:
    """Draws of recall, precision, specificity and accuracy on tasks like these. By transcript_id:
    whether the grader passed it, whether the label says that it matches, its stratum, its task."""
    cells = cells_of(graded, strata, judged)
    effect = effect_of_matches(cells, graded, tasks)
    cell, match = population_draws(cells, Aim(design_effect=effect))
    passed = np.array([one.passed for one in cells])
    matches, others = cell * match, cell * (1 - match)
    hit, rejected = matches[:, passed].sum(axis=1), others[:, ~passed].sum(axis=1)
    return {
        "recall": hit / matches.sum(axis=1),
        "precision": hit / np.maximum(cell[:, passed].sum(axis=1), np.finfo(float).tiny),
        "specificity": rejected / others.sum(axis=1),
        "accuracy": hit + rejected,
    }


def with_interval(rate: Rate, draws: np.ndarray) -> Rate:
    """A weighted rate with standard error and interval from its posterior, widened to include the
    rate. An undefined rate stays undefined."""
    if rate.value is None:
        return rate
    low, high = np.quantile(draws, [(1 - rate.level) / 2, (1 + rate.level) / 2])
    return rate.model_copy(
        update={
            "standard_error": float(draws.std()),
            "low": min(float(low), rate.value),
            "high": max(float(high), rate.value),
            "is_weighted": True,
        }
    )
