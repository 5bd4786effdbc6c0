"""A task's data files: their paths on this machine, and their sizes."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from ..files.csv_files import delimiter_of

_WIDE, _MEDIUM = 20, 5


def find_files(names: Iterable[object], places: list[Path]) -> list[Path]:
    """The paths of data files on this machine: in one of the places under the whole name, else
    under the longest end of it found there (`test/x.csv`, then `x.csv`). A file that is not found
    keeps its name. Raises `ValueError` if two names would be one file."""
    found: dict[Path, Path] = {}
    for name in dict.fromkeys(Path(str(name)) for name in names):
        file = next(filter(is_file, _under(name, places)), name)
        if other := found.get(file):
            raise ValueError(f"data files {other} and {name}: both would be {file}")
        found[file] = name
    return list(found)


def _under(name: Path, places: list[Path]) -> Iterator[Path]:
    """The paths where a file may be, the likeliest first."""
    parts = name.relative_to(name.anchor).parts
    for start in range(len(parts)):
        yield from (place.joinpath(*parts[start:]) for place in places)


def dimension(files: list[Path]) -> dict[str, str]:
    """Data set dimension from the first CSV: `n_rows`, `n_columns`, and `dimension`, which is
    low (at most 5 columns), medium (at most 20) or high. Empty if no file can be read."""
    for file in files:
        if file.suffix.lower() == ".csv" and (shape := _shape(file)):
            rows, columns = shape
            size = "low" if columns <= _MEDIUM else "medium" if columns <= _WIDE else "high"
            return {"n_rows": str(rows), "n_columns": str(columns), "dimension": size}
    return {}


def _shape(file: Path) -> tuple[int, int] | None:
    """The number of rows below the header and of columns; None if there are none, or it is no
    CSV."""
    try:
        state = file.stat()
    except OSError:
        return None
    return _counted(file, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=1024)  # many tasks are about one file
def _counted(file: Path, _changed: int, _size: int) -> tuple[int, int] | None:
    try:
        with file.open(encoding="utf-8", errors="replace", newline="") as handle:
            sign = delimiter_of(handle.readline())
            handle.seek(0)
            reader = csv.reader(handle, delimiter=sign)
            columns = len(next(reader, ()))
            return (sum(1 for row in reader if row), columns) if columns else None
    except (OSError, csv.Error):
        return None


def is_file(path: Path) -> bool:
    """Whether this file exists; False for a name that no file can have."""
    try:
        return path.is_file()
    except OSError:  # a name too long for this file system
        return False
