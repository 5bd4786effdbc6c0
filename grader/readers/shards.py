"""Shards: the files that an input names, and opening them whether compressed or not."""

from __future__ import annotations

import codecs
import gzip
import io
import stat
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from ..errors import InputError, cannot_read, name_is_no_text
from ..files.json_input import check_encoding, json_of, json_or_none
from ..files.listing import is_hidden, is_pattern, matches, paths_below

JSON_LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".jsonl.zst", ".ndjson.zst")
PARQUET = (".parquet", ".pq")
RESULTS = "_results.json"


def shards(path: Path) -> list[Path]:
    """The files of an input, sorted by name: the file itself, the shards in a folder and its
    subfolders, or what a pattern such as `runs/*.jsonl.gz` matches. Raises `InputError` if
    there are none, or if one of them cannot be read.
    """
    if is_pattern(path):
        if found := [match for match in matches(path) if _is_file(match)]:
            return found
        raise InputError(path, "no file matches this pattern", "Check the path")
    if _is_file(path):
        return [path]
    if found := _without_doubles(filter(_is_shard, paths_below(path))):
        return found
    names = f"*{JSON_LINES[0]}, *{PARQUET[0]}, *{RESULTS} or prediction_*.json"
    raise InputError(path, f"no {names} in this folder", "Name a file or another folder")


def not_read(folder: Path) -> list[Path]:
    """The paths in a folder that are not read, because of their names or as links to folders. Names
    that begin with a dot are left out."""
    return [
        path
        for path in paths_below(folder)
        if not path.name.startswith(".") and not _is_shard(path)
    ]


def doubles(folder: Path) -> list[Path]:
    """The results files in a folder that are not read, as the same samples are in other files
    beside them."""
    return _doubles(filter(_is_shard, paths_below(folder)))


def _is_shard(path: Path) -> bool:
    """Whether a path in a folder is a file with the name of a shard, and not hidden."""
    named_so = path.name.endswith((*JSON_LINES, *PARQUET, RESULTS)) or _is_sample(path)
    return named_so and not is_hidden(path.name) and _is_file(path)


def _is_file(path: Path) -> bool:
    """False for a folder. Raises `InputError` for a link to nothing, a pipe and the like: a
    recording is opened more than once, but a pipe can be read only once."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise cannot_read(path, error) from None
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise InputError(path, "a pipe or a device", "Write its output to a file, and name that")
    return stat.S_ISREG(mode)


def _without_doubles(found: Iterable[Path]) -> list[Path]:
    """The shards, without DSGym's results files beside per-sample files or in a run directory (its
    own export), where they hold the same."""
    found = list(found)
    left_out = set(_doubles(found))
    return [path for path in found if path not in left_out]


def _doubles(found: Iterable[Path]) -> list[Path]:
    found = list(found)
    holding = {path.parent for path in found if _is_sample(path) or _is_of_run(path)}
    return [path for path in found if path.name.endswith(RESULTS) and path.parent in holding]


def _is_of_run(path: Path) -> bool:
    return path.name == "transcripts.jsonl" and path.with_name("manifest.json").exists()


def _is_sample(path: Path) -> bool:
    return path.match("*prediction_*.json") and not path.name.endswith(RESULTS)


def is_in_lines(path: Path) -> bool:
    """Whether a file holds JSON lines: by its name, or as its first line is an object."""
    return path.name.endswith(JSON_LINES) or isinstance(json_or_none(_first_line(path)), dict)


def is_one_text(path: Path) -> bool:
    """Whether a file is one JSON text: a list, not lines that may be lists; or, where its name does
    not say JSON lines, an object written over several lines."""
    with open_shard(path) as file:
        lines = (line for line in file if not line.isspace())
        first = next(lines, b"").removeprefix(codecs.BOM_UTF8).strip()
        if first == b"{":
            return not path.name.endswith(JSON_LINES)
        if not first.startswith(b"["):
            return False
        return json_or_none(first) is None or next(lines, None) is None


def whole_json(path: Path) -> Any:
    """The value of a file that is one JSON text, compressed or not. Raises `InputError`."""
    with open_shard(path) as file:
        return json_of(path, file.read())


def _first_line(path: Path) -> bytes:
    with open_shard(path) as file:
        return next((line for line in file if not line.isspace()), b"")


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
        raise EOFError("no bytes")  # even an empty file has bytes once compressed
    if path.suffix == ".gz":
        return gzip.open(path, "rb")
    if path.suffix == ".zst":
        import pyarrow as pa

        try:
            stream = pa.input_stream(str(path), compression="zstd")
        except UnicodeEncodeError:
            raise name_is_no_text(path) from None
        return io.BufferedReader(stream, 1 << 16)
    return path.open("rb")


def _damaged(path: Path, error: Exception) -> InputError:
    return InputError(
        path, f"damaged or cut short ({error})", "Get the file again; the same command continues"
    )
