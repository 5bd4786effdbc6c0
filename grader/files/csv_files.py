"""CSV files made by people or other tools."""

from __future__ import annotations

import csv
import io
import json
import re
import textwrap
from pathlib import Path

from ..errors import InputError, cannot_read
from .json_input import as_covariates

Row = tuple[int, dict[str, str]]
KEYS = ("transcript_id", "task_id")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-]?[\d.,\s]+(?:[eE][+-]?\d+)?\s?%?")
_DELIMITERS = ",;\t|"


def for_spreadsheets(value: object) -> object:
    """A value for a cell: behind an apostrophe if it is a text that a spreadsheet would take for a
    formula, or one behind apostrophes already; else unchanged, numbers in writing too."""
    return f"'{value}" if isinstance(value, str) and _holds_formula(value) else value


def from_spreadsheets(cell: str) -> str:
    """The text that `for_spreadsheets` made a cell of."""
    return cell[1:] if cell.startswith("'") and _holds_formula(cell) else cell


def read_csv(path: Path) -> tuple[list[str], list[Row]]:
    """The header, and each row as (line, cells by column), without empty cells and empty rows.

    Blanks around the names of columns do not count.
    Raises `InputError` if the file cannot be read, is no CSV, begins with Excel's `sep=`, names two
    columns alike, has a row with more cells than columns, or a quote that nothing closes.
    """
    text = read_text(path)
    first = text.split("\n", 1)[0]
    if first.lower().startswith("sep="):
        problem = f"its first line is {first.strip()!r}, no header"
        raise InputError(path, problem, "Remove that line", 1)
    sign = delimiter_of(first)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=sign, strict=True)
    rows: list[Row] = []
    try:
        header = [name.strip() for name in reader.fieldnames or ()]
        reader.fieldnames = header
        for row in reader:
            if any(row.pop(None, ())):
                problem, remedy = "more cells than columns", f"Quote cells that contain {sign!r}"
                raise InputError(path, problem, remedy, reader.line_num)
            if cells := {name: cell for name, cell in row.items() if name and cell}:
                rows.append((reader.line_num, cells))
    except csv.Error as error:
        raise InputError(
            path,
            f"not CSV: {error}",
            "Look there and above for a quote that nothing closes; a quote in quotes is doubled",
            reader.reader.line_num,
        ) from None
    if twice := next((name for name in header if name and header.count(name) > 1), None):
        raise InputError(path, f"two columns {twice!r}", "Remove or rename one of them", 1)
    return header, rows


def read_covariates(path: Path, *keys: str) -> tuple[str, dict[str, dict[str, str]]]:
    """A table of covariates: the first of `keys` that is a column, and for each of its values the
    row's other cells by column. Rows without such a value are skipped.

    Raises `InputError` if the file cannot be read, has no such column or no other one, or
    contradicts itself.
    """
    header, rows = read_csv(path)
    key = next((name for name in keys if name in header), None)
    if key is None:
        wanted, named = " or ".join(keys), textwrap.shorten(", ".join(header), 200)
        problem = f"no column {wanted}; the columns are: {named or 'none'}"
        near = next((name for name in header if name.casefold() in keys), None)
        remedy = f"Write {near.casefold()}, not {near}" if near else "Name it in the first line"
        raise InputError(path, problem, remedy, 1)
    if not any(name and name not in KEYS for name in header):
        problem = f"no column of covariates beside {' and '.join(filter(None, header))}"
        raise InputError(path, problem, "Name a file with covariates in it", 1)
    table: dict[str, dict[str, str]] = {}
    for line, row in rows:
        if key in row:
            stated = as_covariates({name: row[name] for name in row if name not in KEYS})
            value = row[key].strip()
            if table.setdefault(value, stated) != stated:
                problem = f"another row of {key} {value!r} has other values"
                raise InputError(path, problem, "Keep the right one", line)
    if not table:
        raise InputError(path, f"no row with a {key}", "Name a file with covariates in it")
    return key, table


def read_text(path: Path) -> str:
    """The whole text of a file in UTF-8, or in UTF-16 as spreadsheets write it. Raises `InputError`
    if it cannot be read, or is in another encoding."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise cannot_read(path, error) from None
    try:
        return data.decode(json.detect_encoding(data[:4]))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        remedy = "Save it as UTF-8 (in Excel: `CSV UTF-8`)"
        raise InputError(path, "not in UTF-8", remedy, line) from None


def delimiter_of(header: str) -> str:
    """The delimiter that cuts the first line of a table into most columns; if possible, one that
    cuts no quoted text."""
    return max(_DELIMITERS, key=lambda sign: _columns(header, sign))


def _holds_formula(text: str) -> bool:
    """Whether a spreadsheet would take a text for a formula, or what follows its apostrophes."""
    bare = text.lstrip("'")
    return bare.startswith(_FORMULA_STARTS) and not _NUMBER.fullmatch(bare)


def _columns(header: str, sign: str) -> tuple[bool, int]:
    """Whether a delimiter leaves quoted text whole, and the number of columns."""
    try:
        cells = next(csv.reader([header], delimiter=sign), [])
    except csv.Error:
        return False, 0
    return not any('"' in cell for cell in cells), len(cells)
