"""Covariates from a table of the user's own: any column can be tested."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.errors import InputError
from grader.files.csv_files import KEYS, read_covariates

from ..cases import Case


def add_columns(cases: Sequence[Case], path: Path) -> list[Case]:
    """The cases with further covariates: the other columns of a CSV file.

    Rows are matched by a column `transcript_id` or `task_id`; empty cells are "not known", and so
    are the values of transcripts without a row. A column takes the place of a recorded covariate of
    its name, for all transcripts, as the two may mean different things.
    Raises `InputError` as `read_covariates` does, and if the file matches no case.
    """
    key, table = read_covariates(path, *KEYS)
    if not any(getattr(case, key) in table for case in cases):
        raise InputError(
            path, f"none of its {key} values is in this run", f"Compare the {key} columns"
        )
    columns = {name for row in table.values() for name in row}
    found = []
    for case in cases:
        recorded = {name: v for name, v in case.covariates.items() if name not in columns}
        given = table.get(getattr(case, key), {})
        found.append(case.model_copy(update={"covariates": {**recorded, **given}}))
    return found
