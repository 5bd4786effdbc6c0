"""How much the repeats of a task cost a pass rate: the design effect of the matches, which are
known only where labelled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .cells import Cell, cells_of, drawn_by, labelled_sample
from .likeness import likeness
from .rates import design_effect, largest_design_effect

# How many labelled pairs the effect derived from the passes counts for. In simulated runs with 60
# to 500 labels the estimate is then steadiest where the grader's errors are independent.
DERIVED_WORTH = 30


def effect_of_matches(
    passed: Mapping[str, bool],
    labelled: Mapping[str, bool],
    strata: Mapping[str, str],
    tasks: Mapping[str, str],
) -> float:
    """The design effect of the matches, 1 + (largest - 1) * correlation (Kish 1965). By
    transcript_id: whether the grader passed it, whether the label says that it matches, its
    stratum, its task.

    The correlation is that of labels of one task (`likeness`). The one that the passes imply
    (`derived_effect`), too large where a grader errs alike on a task's repeats, is averaged in as
    `DERIVED_WORTH` pairs; as fewer, the larger the labelled share of the run's pairs, and not at
    all once all are labelled.
    """
    of = [tasks[key] for key in passed]
    largest = largest_design_effect(of)
    passes_effect = design_effect(list(passed.values()), of)
    derived = derived_effect(cells_of(passed, strata, labelled), passes_effect, largest)
    found = likeness(
        list(labelled.values()),
        [tasks[key] for key in labelled],
        list(drawn_by({key: strata[key] for key in passed}, labelled).weights.values()),
    )
    if found is None:
        return derived
    unlabelled = 1 - found.pairs / (len(of) * (largest - 1) / 2)
    implied = (derived - 1) / (largest - 1)
    correlation = np.average(
        [found.correlation, implied], weights=[found.worth, DERIVED_WORTH * unlabelled]
    )
    return float(np.clip(1 + (largest - 1) * correlation, 1, largest))


def derived_effect(cells: Sequence[Cell], passes_effect: float, largest: float) -> float:
    """The design effect of the matches, derived from the one of the automated passes; at most
    `largest`.

    Errors of the grader make the repeats of a task look less alike than they are: if errors are
    independent, the excess over 1 shrinks by the squared correlation of passes and labels.
    """
    if passes_effect == 1 or not any(cell.labelled for cell in cells):
        return passes_effect
    y, predicted, weight = labelled_sample(cells)
    if np.ptp(y) == 0 or np.ptp(predicted) == 0:
        return largest
    spread = np.cov(y, predicted, aweights=weight)
    correlation = spread[0, 1] / np.sqrt(spread[0, 0] * spread[1, 1])
    return min(1 + (passes_effect - 1) / correlation**2, largest) if correlation else largest
