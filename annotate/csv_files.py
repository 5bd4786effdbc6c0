"""CSV files made by people or other tools."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from grader.errors import InputError

Row = tuple[int, dict[str, str]]


def read_csv(path: Path) -> tuple[list[str], list[Row]]:
    """The header, and each row as (line, cells by column), empty and surplus cells left out.

    Raises `InputError` if the file cannot be read or is no CSV.
    """
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""))
    try:
        header = list(reader.fieldnames or ())
        rows = [(reader.line_num, {k: v for k, v in row.items() if k and v}) for row in reader]
    except csv.Error as error:
        raise InputError(
            path,
            f"not CSV: {error}",
            "Look there and above for an open quote",
            reader.reader.line_num,
        ) from None
    return header, rows


def read_text(path: Path) -> str:
    """The whole text of a file. Raises `InputError` if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise InputError(path, f"cannot read: {error.strerror}", "Check the path") from None
