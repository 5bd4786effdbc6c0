"""A covariate's values as levels, for tests, tables and figures alike."""

from __future__ import annotations

import math
from itertools import groupby
from typing import Any

import pandas as pd

MAX_LEVELS = 10


def covariate_levels(frame: pd.DataFrame, covariate: str) -> pd.Series[Any]:
    """The level of a covariate in each row, as ordered categories; rows without a value are left
    out. `frame` has a `task_id` and an index without repetition.

    A level is a value. Where most tasks have a number, and these are more than ten different
    ones, a number's level is its quarter of the tasks, named `2 to 5`; other values stay.
    """
    written = frame[covariate].dropna().astype(str)
    values = frame[["task_id"]].assign(value=written).dropna().drop_duplicates()["value"]
    numbers = pd.to_numeric(values, errors="coerce").set_axis(values)
    numbers = numbers[numbers.abs() < math.inf].sort_values()
    level_of = dict(zip(numbers.index, numbers.index, strict=True))
    if 2 * len(numbers) > len(values) and numbers.nunique() > MAX_LEVELS:
        level_of = _quarters(numbers)
    level_of |= {value: value for value in sorted(set(values) - set(level_of))}
    levels = pd.CategoricalDtype(list(dict.fromkeys(level_of.values())), ordered=True)
    return written.map(level_of).astype(levels)


def _quarters(numbers: pd.Series[float]) -> dict[str, str]:
    """The quarter of each number, by how it is written: the one that holds the middle of the tasks
    with that number. So equal numbers stay together, and there are two quarters at least.

    `numbers` are those of all tasks in ascending order, indexed by how they are written.
    """
    quarter = (4 * numbers.rank() - 2) // len(numbers)
    level_of: dict[str, str] = {}
    for _, group in groupby(numbers.index, key=dict(quarter.items()).__getitem__):
        values = list(dict.fromkeys(group))
        name = values[0] if len(values) == 1 else f"{values[0]} to {values[-1]}"
        level_of |= dict.fromkeys(values, name)
    return level_of
