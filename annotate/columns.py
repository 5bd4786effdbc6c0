"""Covariates from a table of the user's own: any column can be tested."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.errors import InputError

from .cases import Case
from .csv_files import read_csv

KEYS = ("transcript_id", "task_id")


def add_columns(cases: Sequence[Case], path: Path) -> list[Case]:
    """The cases with the other columns of a CSV file as further covariates.

    Rows are matched by a column `transcript_id` or `task_id`; empty cells are "not known".
    Raises `InputError` if the file cannot be read, has neither column, or matches no case.
    """
    header, rows = read_csv(path)
    key = next((name for name in KEYS if name in header), None)
    if key is None:
        raise InputError(path, "no column transcript_id or task_id", "Add one to the header", 1)
    table = {
        row[key]: {name: value for name, value in row.items() if name not in KEYS}
        for _, row in rows
        if key in row
    }
    if not any(getattr(case, key) in table for case in cases):
        raise InputError(path, f"no {key} of it is in this run", f"Compare the {key} columns")
    return [
        case.model_copy(
            update={"covariates": {**case.covariates, **table.get(getattr(case, key), {})}}
        )
        for case in cases
    ]
