"""The design effect of matches against pairs counted by hand, statsmodels and simulated runs."""

from itertools import combinations

import numpy as np
import pytest

from annotate.statistics.cells import Cell
from annotate.statistics.likeness import likeness
from annotate.statistics.rates import design_effect
from annotate.statistics.repeats import derived_effect, effect_of_matches

TRIES = 5
Bools = dict[str, bool]


def run_of(tasks: int, seed: int) -> tuple[Bools, Bools, dict[str, str]]:
    """Whether the grader passed and whether it matches, of five tries at each task, and the task.
    Most tries at a task go alike, and so do the grader's errors."""
    rng = np.random.default_rng(seed)
    alike, fate, missed = np.repeat(rng.random((3, tasks)), TRIES, axis=1)
    n = tasks * TRIES
    match = np.where(alike < 0.5, fate, rng.random(n)) < 0.5
    passed = match & (missed < 0.7)
    task = {str(i): f"k{i // TRIES}" for i in range(n)}
    return (
        {str(i): bool(ok) for i, ok in enumerate(passed)},
        {str(i): bool(ok) for i, ok in enumerate(match)},
        task,
    )


def test_likeness_counts_pairs() -> None:
    labels, tasks = [True, True, False, False, False, True], list("aaabbc")
    weights = [1.0, 2, 2, 3, 1, 1]
    unlike, of = {True: 0.0, False: 0.0}, {True: 0.0, False: 0.0}
    squares = 0.0
    for one, other in combinations(range(6), 2):
        same, weight = tasks[one] == tasks[other], weights[one] * weights[other]
        of[same] += weight
        unlike[same] += weight * (labels[one] != labels[other])
        squares += same * weight**2
    found = likeness(labels, tasks, weights)
    assert found is not None
    expected = 1 - (unlike[True] / of[True]) / (unlike[False] / of[False])
    assert found.correlation == pytest.approx(expected)
    assert (found.pairs, found.worth) == (4, pytest.approx(of[True] ** 2 / squares))
    assert likeness([True, False], ["a", "b"], [1, 1]) is None
    assert likeness([True, True, True], ["a", "a", "b"], [1, 1, 1]) is None


def test_once_all_is_labelled_it_is_that_of_the_labels() -> None:
    import statsmodels.api as sm

    passed, match, task = run_of(150, seed=1)
    found = effect_of_matches(passed, match, dict.fromkeys(passed, "s"), task)
    labels, tasks = list(match.values()), list(task.values())
    assert found == pytest.approx(design_effect(labels, tasks), rel=0.01)
    y = np.array(labels, dtype=float)
    groups = np.unique(tasks, return_inverse=True)[1]
    fit = sm.OLS(y, np.ones_like(y)).fit(cov_type="cluster", cov_kwds={"groups": groups})
    assert found == pytest.approx(fit.bse[0] ** 2 * len(y) / y.var(), rel=0.02)


@pytest.mark.parametrize(("labelled", "near"), [(100, 1.2), (300, 0.5), (600, 0.2)])
def test_labelled_pairs_outweigh_what_the_passes_imply(labelled: int, near: float) -> None:
    """The grader errs alike on a task's tries, so its passes imply 4.2 or more instead of 3."""
    rng, found = np.random.default_rng(2), []
    for seed in range(40):
        passed, match, task = run_of(150, seed)
        strata = {key: "often" if int(key) % 3 else "rarely" for key in passed}
        odds = np.array([2.0 if strata[key] == "often" else 1.0 for key in passed])
        drawn = rng.choice(list(passed), labelled, replace=False, p=odds / odds.sum())
        matches = {key: match[key] for key in drawn}
        found.append(effect_of_matches(passed, matches, strata, task))
    assert 2.8 < np.mean(found) < 3.0 + near


def test_without_pairs_of_labels_it_is_derived_from_the_passes() -> None:
    passed, match, task = run_of(150, seed=3)
    matches = {str(i): match[str(i)] for i in range(0, len(passed), TRIES)}
    strata = dict.fromkeys(passed, "s")
    assert effect_of_matches(passed, matches, strata, task) > 3.5
    alone = {key: key for key in passed}
    assert effect_of_matches(passed, match, strata, alone) == 1


def test_grading_errors_hide_how_alike_repeats_are() -> None:
    labelled = ((True, 45), (False, 5))  # passed: 50 each, of which so many matches
    cells = [Cell(stratum="s", passed=ok, size=500, labelled=50, matched=n) for ok, n in labelled]
    correlation = 0.8
    assert derived_effect(cells, 2.28, 5) == pytest.approx(1 + 1.28 / correlation**2)
    assert derived_effect(cells, 4, 5) == 5
    assert derived_effect(cells, 1, 5) == 1
    assert derived_effect(cells[:1], 2, 5) == 5
