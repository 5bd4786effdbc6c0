"""Two yes/no results on the same transcripts or tasks, compared by McNemar's exact test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from .holm import Significance


class PairedTest(Significance):
    """McNemar's exact test of two yes/no results on the same tasks.

    `only_first` / `only_second` are the discordant counts; with none, p is 1.
    """

    first: str = ""
    second: str = ""
    n: int
    both: int
    only_first: int
    only_second: int
    neither: int


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> PairedTest:
    """McNemar's exact test (statsmodels) of two results on the same tasks, in the same order."""
    from statsmodels.stats.contingency_tables import mcnemar as exact

    table = np.zeros((2, 2), dtype=int)
    for a, b in zip(first, second, strict=True):
        table[int(not a), int(not b)] += 1
    n = int(table.sum())
    return PairedTest(
        n=n,
        both=int(table[0, 0]),
        only_first=int(table[0, 1]),
        only_second=int(table[1, 0]),
        neither=int(table[1, 1]),
        p_value=float(exact(table, exact=True).pvalue) if n else None,
    )


def paired_tests(passes: Mapping[str, Mapping[str, bool]]) -> list[PairedTest]:
    """McNemar's exact test of every pair, over their common tasks.

    `passes` maps a name (a grader, a nudge mode, a run) -> transcript or task -> passed.
    """
    tests = []
    for first, second in combinations(passes, 2):
        common = [task for task in passes[first] if task in passes[second]]
        test = mcnemar(
            [passes[first][task] for task in common], [passes[second][task] for task in common]
        )
        tests.append(test.model_copy(update={"first": first, "second": second}))
    return tests
