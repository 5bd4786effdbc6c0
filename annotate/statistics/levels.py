"""A covariate's values as levels, for tests, tables and figures alike."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import pandas as pd

MAX_LEVELS = 10


def covariate_levels(frame: pd.DataFrame, covariate: str) -> pd.Series[Any]:
    """The level of a covariate in each row, as ordered categories; rows without a value are left
    out. `frame` has a `task_id` and an index without repetition.

    A level is a value. Where most tasks have a number, and these are more than ten different
    ones, numbers are cut into quarters of the tasks, named `2 to 5`; other values stay.
    """
    written = frame[covariate].dropna().astype(str)
    values = frame[["task_id"]].assign(value=written).dropna().drop_duplicates()["value"]
    numbers = pd.to_numeric(values, errors="coerce").set_axis(values)
    numbers = numbers[numbers.abs() < math.inf].sort_values()
    number_of: dict[str, float] = dict(zip(numbers.index, numbers, strict=True))
    level_of = {value: value for value in number_of}
    if 2 * len(numbers) > len(values) and numbers.nunique() > MAX_LEVELS:
        level_of = _level_names(number_of, _quarters(list(numbers)))
    level_of |= {value: value for value in sorted(set(values) - set(level_of))}
    levels = pd.CategoricalDtype(list(dict.fromkeys(level_of.values())), ordered=True)
    return written.map(level_of).astype(levels)


def _quarters(numbers: Sequence[float]) -> dict[float, int]:
    """The quarter of each number, among those of all tasks. Equal numbers stay together, so where
    many tasks share one, quarters differ in size and are mostly fewer; there are always two."""
    quarter, size, left = 0, 0, len(numbers)
    quarter_of: dict[float, int] = {}
    for number, count in sorted(Counter(numbers).items()):
        wanted = left / max(1, round(4 * left / len(numbers)))
        least = wanted / 2 if quarter else 0
        if size > least and size + count - wanted > wanted - size:
            quarter, size, left = quarter + 1, 0, left - size
        quarter_of[number] = quarter
        size += count
    return quarter_of


def _level_names(number_of: Mapping[str, float], quarter_of: Mapping[float, int]) -> dict[str, str]:
    """The name of each number's quarter, by how the number is written, in ascending order."""
    names: dict[str, str] = {}
    for _, group in groupby(number_of, key=lambda written: quarter_of[number_of[written]]):
        values = list(group)
        name = values[0] if len(values) == 1 else f"{values[0]} to {values[-1]}"
        names |= dict.fromkeys(values, name)
    return names
