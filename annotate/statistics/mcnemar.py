"""Two yes/no results on the same transcripts or tasks, compared by McNemar's exact test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from .holm import Significance


class PairedTest(Significance):
    """McNemar's exact test of two yes/no results on the same transcripts or tasks.

    `only_first` / `only_second` are the discordant counts; with none, p is 1. Where transcripts
    share a task, the counts are of transcripts and the p-value is that of tasks (`sign_flip_p`).
    """

    first: str = ""
    second: str = ""
    n: int
    both: int
    only_first: int
    only_second: int
    neither: int


def mcnemar(
    first: Sequence[bool], second: Sequence[bool], tasks: Sequence[object] | None = None
) -> PairedTest:
    """McNemar's exact test (statsmodels) of two results on the same transcripts, in the same order.
    `tasks` has the task of each, by default one of its own; with several transcripts of a task the
    p-value is that of `sign_flip_p`."""
    from statsmodels.stats.contingency_tables import mcnemar as exact

    table = np.zeros((2, 2), dtype=int)
    for a, b in zip(first, second, strict=True):
        table[int(not a), int(not b)] += 1
    n = int(table.sum())
    p_value = None
    if n and (tasks is None or len(set(tasks)) == n):
        p_value = float(exact(table, exact=True).pvalue)
    elif n and tasks is not None:
        p_value = sign_flip_p(_net_discordance(first, second, tasks))
    return PairedTest(
        n=n,
        both=int(table[0, 0]),
        only_first=int(table[0, 1]),
        only_second=int(table[1, 0]),
        neither=int(table[1, 1]),
        p_value=p_value,
    )


def sign_flip_p(differences: Sequence[int]) -> float:
    """The exact two-sided p-value of the sum of differences, each of which has either sign equally
    likely (Fisher 1935, the randomisation test of paired differences): the chance of a sum as far
    from 0. For differences of 1 and -1 it is McNemar's exact test.

    The sum's distribution is the convolution of a binomial one for each size of difference.
    """
    from scipy.stats import binom

    chance = np.ones(1)  # of each possible sum, in order; the middle one is 0
    for size, count in sorted(Counter(abs(one) for one in differences if one).items()):
        steps = np.zeros(2 * size * count + 1)
        steps[:: 2 * size] = binom.pmf(np.arange(count + 1), count, 0.5)
        chance = _without_ends(np.convolve(chance, _without_ends(steps)))
    sums = np.abs(np.arange(len(chance)) - len(chance) // 2)
    return min(1.0, float(chance[sums >= abs(sum(differences))].sum()))


def _without_ends(chance: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """A distribution around its middle without the sums at both ends whose chance is too small for
    a number: of many tasks these are nearly all."""
    possible = np.flatnonzero(chance)
    cut = min(possible[0], len(chance) - 1 - possible[-1])
    return chance[cut : len(chance) - cut]


def _net_discordance(
    first: Sequence[bool], second: Sequence[bool], tasks: Sequence[object]
) -> list[int]:
    """By task, how many more of its transcripts pass in the first result than in the second."""
    net = dict.fromkeys(tasks, 0)
    for a, b, task in zip(first, second, tasks, strict=True):
        net[task] += int(a) - int(b)
    return list(net.values())


def paired_tests(
    passes: Mapping[str, Mapping[str, bool]], tasks: Mapping[str, str] | None = None
) -> list[PairedTest]:
    """McNemar's exact test of every pair, over what they have in common.

    `passes` maps a name (a grader, a nudge mode, a run) -> transcript or task -> passed. `tasks`
    are the tasks by transcript, if several transcripts may be of one task.
    """
    tests = []
    for first, second in combinations(passes, 2):
        common = [key for key in passes[first] if key in passes[second]]
        test = mcnemar(
            [passes[first][key] for key in common],
            [passes[second][key] for key in common],
            None if tasks is None else [tasks[key] for key in common],
        )
        tests.append(test.model_copy(update={"first": first, "second": second}))
    return tests
