"""Parquet files: one transcript a row, with the columns of the native format.

`steps` is a list of structs or a JSON text. Other columns go to metadata. Of a partitioned data
set the names of folders are columns too: each row of `model=gpt-4/part-0.parquet` has that model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from ..errors import InputError, name_is_no_text
from ..records import Transcript
from .chunks import CHUNK_BYTES, CHUNK_RECORDS, Chunk
from .native import OUTPUT_FIELDS, from_native
from .warn_once import warn_once

_INFINITE = (float("inf"), float("-inf"))
_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"  # names the folder of the rows without a value

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq


@dataclass(frozen=True)
class Rows:
    """Consecutive rows of a Parquet file; `first` is the number of the first, from 1. folders: the
    values that the file's folders give all of them, by column."""

    name: str
    first: int
    batch: pa.RecordBatch
    folders: dict[str, str] = field(default_factory=dict)

    def transcripts(self) -> Iterator[Transcript]:
        """Read the rows. One that cannot be graded has its `problem`."""
        columns = [self._values(name) for name in self.batch.schema.names]
        for number, values in enumerate(zip(*columns, strict=True), self.first):
            row = dict(zip(self.batch.schema.names, values, strict=True))
            yield from_native(self.folders | _plain(row), f"{self.name}:{number}")

    def _values(self, name: str) -> list[Any]:
        """The values of a column. Where Python has none for a date, a time or a duration, those of
        the column in words; none of them where there are no words either."""
        import pyarrow as pa

        column = self.batch.column(name)
        try:
            return list(column.to_pylist())
        except (ValueError, OverflowError, KeyError, pa.ArrowException) as error:
            cause = error  # KeyError: an unknown time zone
        try:
            return list(column.cast(pa.string()).to_pylist())
        except pa.ArrowException:
            warn_once(
                f"{self.name} {name}", f"{self.name}:{self.first}",
                "the column %r cannot be read (%s) and is left out", name, cause,
            )  # fmt: skip
        return [None] * len(column)


def parquet_chunks(path: Path) -> Iterator[Chunk]:
    """The rows of a file, a few at a time. Raises `InputError` if it cannot be read."""
    import pyarrow as pa

    first = 1
    try:
        with open_parquet(path) as file:
            names = {*OUTPUT_FIELDS, *file.schema_arrow.names}
            folders = {n: value for n, value in _of_folders(path).items() if n not in names}
            for group in range(file.num_row_groups):
                size = _rows_at_a_time(file, group)
                for batch in file.iter_batches(batch_size=size, row_groups=[group]):
                    yield Rows(path.name, first, batch, folders)
                    first += batch.num_rows
    except (pa.ArrowException, OSError) as error:
        raise InputError(path, f"damaged after row {first - 1} ({error})", "Get it again") from None


def _of_folders(path: Path) -> dict[str, str]:
    """The columns that the folders right above a file stand for, as `model=gpt-4` does."""
    folders = takewhile(lambda folder: "=" in folder.name[1:], path.absolute().parents)
    columns = [folder.name.partition("=") for folder in folders]
    return {
        unquote(name): unquote(value) for name, _, value in columns if value not in ("", _NO_VALUE)
    }


def _rows_at_a_time(file: pq.ParquetFile, group: int) -> int:
    """How many rows of a row group make a chunk: fewer where they are large."""
    stated = file.metadata.row_group(group)
    fitting: int = CHUNK_BYTES * stated.num_rows // max(1, stated.total_byte_size)
    return max(1, min(CHUNK_RECORDS, fitting))


def has_transcripts(path: Path) -> bool:
    """Whether a file has a column that transcripts need. Raises `InputError` if it is damaged."""
    with _opened(path) as file:
        return not OUTPUT_FIELDS.isdisjoint(file.schema_arrow.names)


def open_parquet(path: Path) -> pq.ParquetFile:
    """Open a file. Raises `InputError` if it is no Parquet file with transcripts."""
    file = _opened(path)
    names = Counter(file.schema_arrow.names)
    remedy = "Name the columns as in the native format"
    if twice := [name for name, count in names.items() if count > 1]:
        raise InputError(path, f"several columns are called {twice[0]!r}", remedy)
    if OUTPUT_FIELDS.isdisjoint(names):
        among = ", ".join(sorted(names))[:200] or "its columns: it has none"
        raise InputError(path, f"no column steps, raw_output or messages among {among}", remedy)
    return file


def _opened(path: Path) -> pq.ParquetFile:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path)
    except UnicodeEncodeError:
        raise name_is_no_text(path) from None
    except (pa.ArrowException, OSError) as error:
        raise InputError(path, f"not a Parquet file ({error})", "Get it again") from None


def _plain(value: Any) -> Any:
    """A value as JSON would give it: structs without absent fields, maps as objects, NaN as
    None, infinities as texts, bytes as the text that they are in UTF-8."""
    if isinstance(value, dict):
        plain = {name: _plain(inner) for name, inner in value.items()}
        return {name: inner for name, inner in plain.items() if inner is not None}
    if isinstance(value, list):
        if value and all(isinstance(item, tuple) and len(item) == 2 for item in value):
            return {str(name): _plain(inner) for name, inner in value}
        return [_plain(item) for item in value]
    if value != value:
        return None
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    if value is None or (isinstance(value, str | int | float) and value not in _INFINITE):
        return value
    return str(value)  # dates, decimals, infinities
