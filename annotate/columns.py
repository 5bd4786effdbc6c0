"""Covariates from a table of the user's own: any column can be tested."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from grader.errors import InputError

from .cases import Case

KEYS = ("transcript_id", "task_id")


def add_columns(cases: Sequence[Case], path: Path) -> list[Case]:
    """The cases with the other columns of a CSV file as further covariates.

    Rows are matched by a column `transcript_id` or `task_id`; empty cells are "not known".
    Raises `InputError` if the file cannot be read, has neither column, or matches no case.
    """
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise InputError(path, f"cannot read: {error.strerror}", "Check the path") from None
    reader = csv.DictReader(io.StringIO(text, newline=""))
    key = next((name for name in KEYS if name in (reader.fieldnames or ())), None)
    if key is None:
        raise InputError(path, "no column transcript_id or task_id", "Add one to the header", 1)
    table = {
        row[key]: {k: v for k, v in row.items() if k and k not in KEYS and isinstance(v, str) and v}
        for row in reader
    }
    if not any(getattr(case, key) in table for case in cases):
        raise InputError(path, f"no {key} of it is in this run", f"Compare the {key} columns")
    return [
        case.model_copy(
            update={"covariates": {**case.covariates, **table.get(getattr(case, key), {})}}
        )
        for case in cases
    ]
