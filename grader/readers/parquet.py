"""Parquet files: one transcript a row, with the columns of the native format.

`steps` is a list of structs or a JSON text. Other columns go to metadata.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..records import Transcript
from .chunks import CHUNK_RECORDS, Chunk
from .native import OUTPUT_FIELDS, from_native

_INFINITE = (float("inf"), float("-inf"))

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq


@dataclass(frozen=True)
class Rows:
    """Consecutive rows of a Parquet file; `first` is the number of the first, from 1."""

    name: str
    first: int
    batch: pa.RecordBatch

    def transcripts(self) -> Iterator[Transcript]:
        """Read the rows. One that cannot be graded has its `problem`."""
        for number, row in enumerate(self.batch.to_pylist(), self.first):
            yield from_native(_plain(row), f"{self.name}:{number}")


def parquet_chunks(path: Path) -> Iterator[Chunk]:
    """The rows of a file, a few at a time. Raises `InputError` if it cannot be read."""
    import pyarrow as pa

    first = 1
    try:
        with open_parquet(path) as file:
            for batch in file.iter_batches(batch_size=CHUNK_RECORDS):
                yield Rows(path.name, first, batch)
                first += batch.num_rows
    except (pa.ArrowException, OSError) as error:
        raise InputError(path, f"damaged after row {first - 1} ({error})", "Get it again") from None


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
