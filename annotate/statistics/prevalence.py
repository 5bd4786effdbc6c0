"""The agent's true pass rate from all automated grades and a few human labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from grader.records import Record

from .cells import Cell, labelled_sample
from .estimates import (
    ESTIMATES,
    POPULATION,
    Aim,
    Estimate,
    classical,
    poststratified,
    ppi,
    rogan_gladen,
)
from .rates import Rate, design_effect, largest_design_effect


class PassRate(Record):
    """All estimates for one grader. `automated` is the share it passed, uncorrected; undefined if
    it left transcripts ungraded."""

    grader: str
    aim: Aim
    automated: Rate
    labelled: int
    cells: tuple[Cell, ...]
    estimates: tuple[Estimate, ...]

    def __getitem__(self, name: str) -> Estimate:
        return next(e for e in self.estimates if e.name == name)


def pass_rate(
    grader: str, cells: Sequence[Cell], automated: Rate, aim: Aim = POPULATION
) -> PassRate:
    """Every estimate from the cells of one grader, and its automated rate. `aim` has the design
    effect of the matches (`matches_effect`).

    For the target `run`, exactly these transcripts, they are exact once all are labelled. A rate on
    tasks like these also varies with the tasks that the benchmark holds.
    """
    labelled = sum(cell.labelled for cell in cells)
    empty = sorted({c.stratum for c in cells} - {c.stratum for c in cells if c.labelled})
    if not labelled or empty:
        reason = "no labels" if not labelled else f"no label yet in: {', '.join(empty)}"
        estimates = tuple(Estimate(name=n, level=aim.level, reason=reason) for n in ESTIMATES)
    else:
        estimates = (
            poststratified(cells, aim),
            ppi(cells, aim),
            rogan_gladen(cells, aim),
            classical(cells, aim),
        )
    return PassRate(
        grader=grader,
        aim=aim,
        automated=automated,
        labelled=labelled,
        cells=tuple(cells),
        estimates=estimates,
    )


def effect_of_matches(
    cells: Sequence[Cell], passed: Mapping[str, bool], tasks: Mapping[str, str]
) -> float:
    """The design effect of the matches (`matches_effect`), of transcripts that a grader `passed`
    or not, each of a task."""
    of = [tasks[key] for key in passed]
    effect = design_effect(list(passed.values()), of)
    return matches_effect(cells, effect, largest_design_effect(of))


def matches_effect(cells: Sequence[Cell], passes_effect: float, largest: float) -> float:
    """The design effect of the matches, derived from the one of the automated passes, since matches
    are known only where labelled; at most `largest`.

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
