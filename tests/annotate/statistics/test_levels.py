"""Levels of covariates: quarters of numbers, ties, stray text."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

from annotate.statistics.levels import covariate_levels

SLIVER = [*range(26), *[50] * 50, *range(60, 84)]  # the first quarter ends before 25
QUARTERS_OF_12 = {"0 to 2": 3, "3 to 5": 3, "6 to 8": 3, "9 to 11": 3}


def sizes(values: Sequence[object]) -> dict[str, int]:
    """How many of the tasks, one a value, are in each level, in the order of the levels."""
    frame = pd.DataFrame({"task_id": range(len(values)), "size": values})
    return covariate_levels(frame, "size").value_counts(sort=False).to_dict()


def test_many_numbers_become_quarters_as_pandas_cuts_them() -> None:
    values = np.random.default_rng(3).permutation(1000)[:100]
    frame = pd.DataFrame({"task_id": range(100), "size": values})
    quartiles = pd.qcut(frame["size"], 4, labels=False).tolist()
    assert covariate_levels(frame, "size").cat.codes.tolist() == quartiles


@pytest.mark.parametrize(
    ("values", "levels"),
    [
        ([3, 1, 2, 1], {"1": 2, "2": 1, "3": 1}),
        (range(10), {str(n): 1 for n in range(10)}),
        (range(11), {"0 to 2": 3, "3 to 5": 3, "6 to 8": 3, "9 to 10": 2}),
        (["b", "a", "10", "9"], {"9": 1, "10": 1, "a": 1, "b": 1}),
        ([0] * 78 + list(range(1, 23)), {"0": 78, "1 to 22": 22}),
        ([99] * 78 + list(range(1, 23)), {"1 to 22": 22, "99": 78}),
        ([0] * 20 + [5] * 60 + list(range(6, 26)), {"0": 20, "5": 60, "6 to 25": 20}),
        (SLIVER, {"0 to 24": 25, "25 to 50": 51, "60 to 83": 24}),
        ([0] * 40 + list(range(5, 20)), {"0": 40, "5 to 19": 15}),
        ([0] * 60 + list(range(1, 41)), {"0": 60, "1 to 20": 20, "21 to 40": 20}),
        ([*range(12), "unknown"], QUARTERS_OF_12 | {"unknown": 1}),
        ([*range(12), "inf", None], QUARTERS_OF_12 | {"inf": 1}),
    ],
)
def test_levels_in_order(values: Sequence[object], levels: dict[str, int]) -> None:
    found = sizes(values)
    assert found == levels
    assert list(found) == list(levels)


def test_numbers_that_are_the_minority_stay_as_they_are() -> None:
    values = [*range(11), *(f"k{n}" for n in range(11))]
    assert len(sizes(values)) == 22


def test_repeats_of_a_task_do_not_move_the_quarters() -> None:
    once = pd.DataFrame({"task_id": range(40), "size": range(40)})
    often = pd.concat([once, *[once[:7]] * 5], ignore_index=True)
    assert covariate_levels(often, "size")[:40].tolist() == covariate_levels(once, "size").tolist()
