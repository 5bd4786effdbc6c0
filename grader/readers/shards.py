"""Shards: the files that an input names, and opening them whether compressed or not."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from ..errors import InputError
from ..json_input import check_encoding

JSON_LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".jsonl.zst", ".ndjson.zst")
PARQUET = (".parquet",)
_WILD = frozenset("*?[")


def shards(path: Path) -> list[Path]:
    """The files of an input, sorted by name: the file itself, the shards in a folder and its
    subfolders, or what a pattern such as `runs/*.jsonl.gz` matches.

    A folder without shards is returned as it is. Raises `InputError` if nothing is there.
    """
    if path.is_dir():
        found = sorted(p for p in path.rglob("*") if _is_shard(p, path))
        return found or [path]
    if path.exists():
        return [path]
    if _WILD.intersection(str(path)):
        start = Path(path.anchor)
        pattern = str(path.relative_to(start)) if path.anchor else str(path)
        found = sorted(p for p in start.glob(pattern) if p.is_file())
        if found:
            return found
        raise InputError(path, "no file matches this pattern", "Check the path")
    raise InputError(path, "no such file or folder", "Check the path")


def _is_shard(path: Path, folder: Path) -> bool:
    """Whether a file in a folder is read. Hidden ones (half-written uploads, markers) are not."""
    hidden = any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
    return path.name.endswith(JSON_LINES + PARQUET) and not hidden and path.is_file()


@contextmanager
def open_shard(path: Path) -> Iterator[IO[bytes]]:
    """A file's bytes, decompressed as `.gz` or `.zst` where its name says so.

    Raises `InputError` if it cannot be read, is damaged or cut short, or in UTF-16.
    """
    try:
        with _opened(path) as file:
            check_encoding(path, file.peek(4))
            yield cast(IO[bytes], file)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise _damaged(path, error) from None
    except OSError as error:
        if error.errno is None:  # pyarrow's report of a broken stream
            raise _damaged(path, error) from None
        raise InputError(path, f"cannot read: {error.strerror}", "Check the path") from None


def _opened(path: Path) -> gzip.GzipFile | io.BufferedReader:
    if path.suffix in (".gz", ".zst") and not path.stat().st_size:
        raise EOFError("no bytes")  # what is compressed has some, even where it is empty
    if path.suffix == ".gz":
        return gzip.open(path, "rb")
    if path.suffix == ".zst":
        import pyarrow as pa

        return io.BufferedReader(pa.input_stream(str(path), compression="zstd"), 1 << 16)
    return path.open("rb")


def _damaged(path: Path, error: Exception) -> InputError:
    return InputError(
        path, f"damaged or cut short ({error})", "Get the file again; the same command continues"
    )
