"""A grader's recall, precision and other rates if labels have different weights, from the posterior
of the headline estimate (`estimates.poststratified`)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .cells import cells_of
from .estimates import Aim, population_draws
from .rates import Rate
from .repeats import effect_of_matches


def posterior_rates(
    graded: Mapping[str, bool],
    labelled: Mapping[str, bool],
    strata: Mapping[str, str],
    tasks: Mapping[str, str],
) -> dict[str, np.ndarray]:
    """Draws of recall, precision, specificity and accuracy on tasks like these. By transcript_id:
    whether the grader passed it, whether the label says that it matches, its stratum, its task."""
    cells = cells_of(graded, strata, labelled)
    effect = effect_of_matches(graded, labelled, strata, tasks)
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


def posterior_rate(rate: Rate, draws: np.ndarray) -> Rate:
    """A weighted rate as its posterior has it: median, standard deviation and quantiles; the counts
    stay those of the labels.

    Such a rate knows how many transcripts of each stratum the grader passed, as the headline does,
    and varies less from one draw of the queue to the next than the ratio of weighted labels
    (post-stratification, Holt & Smith 1979; Little 1993). Where no labelled transcript is a
    success, or all are, the interval reaches to 0 or 1, as Brown, Cai & DasGupta (2001) have it.

    The rate is returned as it is if it is undefined, or if its draws are all the same because the
    grader passed no transcript of the run, or every one.
    """
    if rate.value is None or np.ptp(draws) < 1e-9:
        return rate
    low, middle, high = np.quantile(draws, [(1 - rate.level) / 2, 0.5, (1 + rate.level) / 2])
    return rate.model_copy(
        update={
            "value": float(middle),
            "standard_error": float(draws.std()),
            "low": float(low) if rate.successes else 0.0,
            "high": float(high) if rate.successes < rate.n else 1.0,
            "is_weighted": True,
        }
    )
