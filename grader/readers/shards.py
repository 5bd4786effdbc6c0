"""Shards: the files that an input names, and opening them whether compressed or not."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from ..errors import InputError, cannot_read
from ..files.json_input import check_encoding

JSON_LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".jsonl.zst", ".ndjson.zst")
PARQUET = (".parquet", ".pq")
RESULTS = "_results.json"
_WILD = frozenset("*?[")


def shards(path: Path) -> list[Path]:
    """The files of an input, sorted by name: the file itself, the shards in a folder and its
    subfolders, or what a pattern such as `runs/*.jsonl.gz` matches. Raises `InputError` if
    there are none.
    """
    if path.is_dir():
        if found := _in_folder(path):
            return found
        names = f"*{JSON_LINES[0]}, *{PARQUET[0]}, *{RESULTS} or prediction_*.json"
        raise InputError(path, f"no {names} in this folder", "Name a file or another folder")
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


def with_other_names(folder: Path) -> list[Path]:
    """The files in a folder that are not read because of their names; hidden ones do not count."""
    return sorted(p for p in folder.rglob("*") if not _is_named_so(p) and _is_seen(p, folder))


def _in_folder(folder: Path) -> list[Path]:
    """The shards in a folder. DSGym's results beside its own per-sample files would say the same
    again, and are left out."""
    found = sorted(p for p in folder.rglob("*") if _is_named_so(p) and _is_seen(p, folder))
    with_samples = {path.parent for path in found if _is_sample(path)}
    return [p for p in found if not (p.name.endswith(RESULTS) and p.parent in with_samples)]


def _is_named_so(path: Path) -> bool:
    """Whether a path has the name of a shard."""
    return path.name.endswith((*JSON_LINES, *PARQUET, RESULTS)) or _is_sample(path)


def _is_seen(path: Path, folder: Path) -> bool:
    """Whether a path in a folder is a file, and not hidden (a half-written upload, a marker)."""
    hidden = any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
    return not hidden and path.is_file()


def _is_sample(path: Path) -> bool:
    return path.match("*prediction_*.json") and not path.name.endswith(RESULTS)


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
        raise cannot_read(path, error) from None


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
