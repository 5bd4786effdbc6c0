"""The agent's true pass rate from all automated grades and a few human labels."""

from __future__ import annotations

from collections.abc import Sequence

from grader.records import Record

from .cells import Cell
from .estimates import ESTIMATES, Estimate, Target, classical, poststratified, ppi, rogan_gladen
from .rates import Rate, rate


class PassRate(Record):
    """All estimates for one grader. `automated` is the share the grader passed, uncorrected."""

    grader: str
    target: Target
    automated: Rate
    labelled: int
    cells: tuple[Cell, ...]
    estimates: tuple[Estimate, ...]

    def __getitem__(self, name: str) -> Estimate:
        return next(e for e in self.estimates if e.name == name)


def pass_rate(
    grader: str,
    cells: Sequence[Cell],
    *,
    target: Target = "population",
    level: float = 0.95,
    seed: int = 0,
) -> PassRate:
    """Every estimate from the cells of one grader.

    `target="run"`: the share among exactly these transcripts; fully labelled, it is exact.
    `target="population"`: the rate on tasks like these, which adds the chance of which tasks
    the benchmark holds. The other estimates always have the population in view.
    """
    total = sum(cell.size for cell in cells)
    labelled = sum(cell.labelled for cell in cells)
    empty = sorted({c.stratum for c in cells} - {c.stratum for c in cells if c.labelled})
    if not labelled or empty:
        reason = "no labels" if not labelled else f"no label yet in: {', '.join(empty)}"
        estimates = tuple(Estimate(name=n, level=level, reason=reason) for n in ESTIMATES)
    else:
        estimates = (
            poststratified(cells, target=target, level=level, seed=seed),
            ppi(cells, level=level),
            rogan_gladen(cells, level=level),
            classical(cells, level=level),
        )
    return PassRate(
        grader=grader,
        target=target,
        automated=rate(sum(cell.size for cell in cells if cell.passed), total, level),
        labelled=labelled,
        cells=tuple(cells),
        estimates=estimates,
    )
