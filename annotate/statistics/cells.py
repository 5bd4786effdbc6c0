"""Transcripts counted by cells, a cell being a design stratum and whether the grader passed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from grader.records import Record

Counts = npt.NDArray[np.int64]


class Cell(Record):
    """Transcripts of one design stratum that the grader passed, or failed. `size`: in the run;
    `labelled`: those with a label; `matched`: those labelled as matches."""

    stratum: str
    passed: bool
    size: int
    labelled: int = 0
    matched: int = 0


class Drawn(NamedTuple):
    """How labels were drawn from a run: the stratum of each transcript, and how many transcripts
    each label represents, both by transcript_id."""

    strata: Mapping[str, str]
    weights: Mapping[str, float]


def drawn_by(strata: Mapping[str, str], labelled: Iterable[str]) -> Drawn:
    """The weights of labels drawn by strata: the labels of a stratum represent equal parts of
    it."""
    labelled = list(labelled)
    weights = stratum_weights(Counter(strata.values()), Counter(strata[key] for key in labelled))
    return Drawn(strata, {key: weights[strata[key]] for key in labelled})


def stratum_weights(sizes: Mapping[str, int], labelled: Mapping[str, int]) -> dict[str, float]:
    """By stratum, how many transcripts a label represents, its own included. Strata without a label
    have no weight."""
    return {name: size / labelled[name] for name, size in sizes.items() if labelled.get(name)}


def unlabelled_strata(strata: Mapping[str, str], labelled: Iterable[str]) -> list[str]:
    """The strata without any label. Labels of the other strata do not describe the whole run."""
    return sorted(set(strata.values()) - {strata[key] for key in labelled})


def cells_of(
    passed: Mapping[str, bool], strata: Mapping[str, str], matches: Mapping[str, bool]
) -> tuple[Cell, ...]:
    """Count cells. `passed` has every transcript of the run; `strata` those that have one (the
    others share one); `matches` the labelled sample only."""
    counts: dict[tuple[str, bool], list[int]] = {}
    for key, ok in passed.items():
        cell = counts.setdefault((strata.get(key, ""), ok), [0, 0, 0])
        cell[0] += 1
        if key in matches:
            cell[1] += 1
            cell[2] += matches[key]
    return tuple(
        Cell(stratum=stratum, passed=ok, size=size, labelled=labelled, matched=matched)
        for (stratum, ok), (size, labelled, matched) in sorted(counts.items())
    )


def grading_errors(cells: Sequence[Cell]) -> int:
    """How many labels show a grading error: a false pass or a missed match."""
    return sum(cell.labelled - cell.matched if cell.passed else cell.matched for cell in cells)


def columns(cells: Sequence[Cell]) -> tuple[Counts, Counts, Counts]:
    """(size, labelled, matched) of the cells."""
    rows = np.array([(c.size, c.labelled, c.matched) for c in cells], dtype=np.int64)
    return rows[:, 0], rows[:, 1], rows[:, 2]


def labelled_sample(cells: Sequence[Cell]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(label, automated pass, weight) of the labelled transcripts; the weights add up to the size
    of the run."""
    size, drawn = Counter[str](), Counter[str]()
    for cell in cells:
        size[cell.stratum] += cell.size
        drawn[cell.stratum] += cell.labelled
    weights = stratum_weights(size, drawn)
    rows = [
        (y, float(cell.passed), weights[cell.stratum])
        for cell in cells
        for y, count in ((1.0, cell.matched), (0.0, cell.labelled - cell.matched))
        for _ in range(count)
    ]
    table = np.array(rows)
    return table[:, 0], table[:, 1], table[:, 2]
