"""How alike the yes/no results of one task are: the correlation behind design effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Likeness(NamedTuple):
    """How alike two labels of one task are: their correlation, how many `pairs` of labels share a
    task, and how many such pairs of equal weight they are worth."""

    correlation: float
    pairs: float
    worth: float


def likeness(
    labels: Sequence[float], tasks: Sequence[object], weights: Sequence[float]
) -> Likeness | None:
    """How alike the labels (0 or 1) of a task are: 1 - (share of pairs of one task that disagree) /
    (share of pairs of different tasks that do), each pair with the product of its weights. Such
    estimates of an intraclass correlation are due to Fleiss & Cuzick (1979); Ridout, Demetrio &
    Firth (1999) compare them. None if no task has two labels, or if no labels of different tasks
    disagree.
    """
    y, weight = np.array(labels, dtype=float), np.array(weights, dtype=float)
    number = {task: place for place, task in enumerate(dict.fromkeys(tasks))}
    task = np.array([number[one] for one in tasks], dtype=np.int64)

    def by_task(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.bincount(task, values).astype(float)

    # twice the number of pairs, plain or weighted
    ones = np.ones_like(weight)
    pairs = (by_task(ones) ** 2 - by_task(ones)).sum()
    total, match = by_task(weight), by_task(weight * y)
    within = (total**2 - by_task(weight**2)).sum()
    between = total.sum() ** 2 - (total**2).sum()
    unlike = 2 * (match * (total - match)).sum()
    unlike_between = 2 * match.sum() * (total - match).sum() - unlike
    if not pairs or unlike_between <= 0:
        return None
    squares = (by_task(weight**2) ** 2 - by_task(weight**4)).sum()
    return Likeness(
        correlation=float(1 - (unlike / within) / (unlike_between / between)),
        pairs=pairs / 2,
        worth=float(within**2 / squares / 2),
    )
