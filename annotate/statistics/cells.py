"""Transcripts counted by cells, a cell being a design stratum and whether the grader passed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from grader.records import Record

Counts = npt.NDArray[np.int64]


class Cell(Record):
    """Transcripts of one design stratum that the grader passed, or failed: `size` in the run, of
    which `labelled` carry a label and `matched` are matches."""

    stratum: str
    passed: bool
    size: int
    labelled: int = 0
    matched: int = 0


def cells_of(
    passed: Mapping[str, bool], strata: Mapping[str, str], truth: Mapping[str, bool]
) -> tuple[Cell, ...]:
    """Count cells. `passed` has every transcript of the run; `strata` those that have one (the
    others share one); `truth` the labelled sample only."""
    counts: dict[tuple[str, bool], list[int]] = {}
    for key, ok in passed.items():
        cell = counts.setdefault((strata.get(key, ""), ok), [0, 0, 0])
        cell[0] += 1
        if key in truth:
            cell[1] += 1
            cell[2] += truth[key]
    return tuple(
        Cell(stratum=stratum, passed=ok, size=size, labelled=labelled, matched=matched)
        for (stratum, ok), (size, labelled, matched) in sorted(counts.items())
    )


def columns(cells: Sequence[Cell]) -> tuple[Counts, Counts, Counts]:
    """(size, labelled, matched) of the cells."""
    rows = np.array([(c.size, c.labelled, c.matched) for c in cells], dtype=np.int64)
    return rows[:, 0], rows[:, 1], rows[:, 2]


def labelled_sample(cells: Sequence[Cell]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(label, automated pass, weight) of the labelled transcripts. A weight is how many
    transcripts of its stratum a label stands for, itself among them; all together the run."""
    size, drawn = Counter[str](), Counter[str]()
    for cell in cells:
        size[cell.stratum] += cell.size
        drawn[cell.stratum] += cell.labelled
    rows = [
        (y, float(cell.passed), size[cell.stratum] / drawn[cell.stratum])
        for cell in cells
        for y, count in ((1.0, cell.matched), (0.0, cell.labelled - cell.matched))
        for _ in range(count)
    ]
    table = np.array(rows)
    return table[:, 0], table[:, 1], table[:, 2]
