"""Label files: their columns, reading and writing."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

from grader.errors import InputError, UserError
from grader.files.csv_files import for_spreadsheets, from_spreadsheets, read_csv, read_text

from .rows import StoredLabel

FileFormat = Literal["csv", "jsonl"]
Row = tuple[int, dict[str, Any]]
COLUMNS = tuple(StoredLabel.model_fields)


def file_format(path: Path, given: str | None = None) -> FileFormat:
    """The format asked for, else the one of the file's ending. Raises `UserError` for others."""
    name = given or path.suffix.lstrip(".").lower()
    if name == "csv":
        return "csv"
    if name in ("jsonl", "ndjson", "json"):
        return "jsonl"
    raise UserError(f"{path}: cannot tell the format by its ending; pass --format csv or jsonl")


def export_labels(labels: Iterable[StoredLabel], form: FileFormat) -> Iterator[str]:
    """The lines of a CSV or JSONL file with one label each, newline included."""
    if form == "jsonl":
        for label in labels:
            yield json.dumps(label.model_dump(mode="json"), ensure_ascii=False) + "\n"
        return
    yield _csv_line(COLUMNS)
    for label in labels:
        data = label.model_dump(mode="json")
        yield _csv_line("" if data[name] is None else data[name] for name in COLUMNS)


def _csv_line(values: Iterable[Any]) -> str:
    """A line of CSV without formulas, ended by `\\n`. Cells with `\\r` or `\\n` are quoted: the
    writer quotes the characters of its own line end, so both are in it."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerow(map(for_spreadsheets, values))
    return buffer.getvalue().removesuffix("\r\n") + "\n"


def read_rows(path: Path, form: FileFormat) -> tuple[list[str] | None, list[Row]]:
    """The header, None without one; and the rows of a file as (line, values by column). Raises
    `InputError` if it cannot be read."""
    if form == "jsonl":
        return None, list(_records(path))
    header, rows = read_csv(path)
    return header, [
        (line, {name: from_spreadsheets(cell) for name, cell in cells.items()})
        for line, cells in rows
    ]


def _records(path: Path) -> Iterator[Row]:
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            raise InputError(path, "not a JSON object", "One label a line, as JSON", number)
        yield number, record
