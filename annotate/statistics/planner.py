"""How many more labels, and which: "to get within 3 points you need about 41 more"."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from grader.records import Record

from .cells import Cell, columns
from .estimates import POPULATION, Aim, Target, labels_worth, prior_of
from .rates import z_of

# Why a goal cannot be reached even with every transcript labelled.
OUT_OF_REACH: dict[Target, str] = {
    "population": "a rate on tasks like these cannot be surer with so few tasks",
    "run": "too few transcripts are left to label",
}


class LabelPlan(Record):
    """What it takes to get the interval's half-width down to `goal`.

    `now` is the expected half-width with the labels at hand, `best` with every transcript
    labelled. `more` is the number of further labels, None if even all of them do not suffice
    (`reason`); `transcript_ids` are those to label, in order, none before a queue is drawn.
    """

    goal: float
    labelled: int
    now: float
    best: float
    more: int | None
    transcript_ids: tuple[str, ...] = ()
    reason: str = ""


def plan(
    cells: Sequence[Cell],
    waiting: Sequence[tuple[str, str, bool]],
    goal: float,
    aim: Aim = POPULATION,
    *,
    already_labelled: Collection[str] = (),
    anew: bool = False,
) -> LabelPlan:
    """Plan further labels in queue order.

    `waiting` holds (transcript_id, stratum, automated pass) of the transcripts outside the sample
    in the order they would join it; those in `already_labelled` wait for others to be
    labelled. The half-width after k more is predicted from the match rates estimated so far; it is
    an expectation, not a promise. anew: a queue is still to be drawn, in which the labels at hand
    count where their turn comes.
    """
    index = {(cell.stratum, cell.passed): i for i, cell in enumerate(cells)}
    size, labelled, matched = (column.astype(float) for column in columns(cells))
    prior = prior_of(len(cells))
    share = (matched + prior) / (labelled + 2 * prior)

    def width(counts: np.ndarray) -> float:
        return _half_width(size, counts, share, aim)

    now = width(labelled)
    found = LabelPlan(goal=goal, labelled=int(labelled.sum()), now=now, best=width(size), more=0)
    if now <= goal:
        return found
    ids: list[str] = []
    if anew:
        labelled = np.zeros_like(labelled)
    for key, stratum, passed in waiting:
        labelled[index[stratum, passed]] += 1
        if key not in already_labelled:
            ids.append(key)
        if width(labelled) <= goal:
            return found.model_copy(update={"more": len(ids), "transcript_ids": tuple(ids)})
    return found.model_copy(update={"more": None, "reason": OUT_OF_REACH[aim.target]})


def waiting_of(
    order: Sequence[str],
    strata: Mapping[str, str],
    passed: Mapping[str, bool],
    labelled: Mapping[str, bool],
) -> list[tuple[str, str, bool]]:
    """The `waiting` argument of `plan`, from a queue order; `labelled` is the sample."""
    return [
        (key, strata.get(key, ""), passed[key])
        for key in order
        if key in passed and key not in labelled
    ]


def _half_width(size: np.ndarray, labelled: np.ndarray, share: np.ndarray, aim: Aim) -> float:
    """Expected half-width of the post-stratified interval with `labelled` labels per cell; at
    most 0.5, as a rate lies between 0 and 1."""
    weight, spread, prior = size / size.sum(), share * (1 - share), 2 * prior_of(len(size))
    if aim.target == "run":
        total = float((weight**2 * spread / (labelled + prior) * (1 - labelled / size)).sum())
    else:
        worth = labelled * labels_worth(size, labelled, aim.design_effect)
        between = float((weight * share**2).sum() - (weight * share).sum() ** 2)
        total = float((weight**2 * spread / (worth + prior)).sum())
        total += between / aim.tasks(float(size.sum()))
    return min(float(z_of(aim.level) * np.sqrt(max(total, 0.0))), 0.5)
