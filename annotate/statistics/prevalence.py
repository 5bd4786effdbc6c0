"""The agent's true pass rate from all automated grades and a few human labels."""

from __future__ import annotations

from collections.abc import Sequence

from grader.records import Record

from .cells import Cell
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
from .rates import Rate


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
    effect of the matches (`repeats.effect_of_matches`).

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
