"""Append-only JSON-lines files that survive a crash.

A record counts as written once its newline has been handed to the operating system: it then
survives the process being killed (not a power cut). A process killed mid-write leaves a torn last
line; it is dropped, with a warning, when the file is next opened.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Self

from ..errors import InputError, UserError, cannot_read, cannot_write
from .json_input import json_or_none, parse_json

log = logging.getLogger("grader")
_TAIL = 1 << 16


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield (line number, bytes without newline) of every complete, non-empty line. Raises
    `InputError` if the file cannot be read."""
    try:
        with path.open("rb") as file:
            yield from complete_lines(file, path)
    except OSError as error:
        raise cannot_read(path, error) from None


def complete_lines(
    file: Iterable[bytes], path: Path, first: int = 1
) -> Iterator[tuple[int, bytes]]:
    """As `read_lines`, for lines from any source. `path` is for messages, `first` the first number.
    Raises `InputError` for lines that end in carriage returns alone."""
    for number, line in all_lines(file, path, first):
        if not line.endswith(b"\n") and not _is_json(line):
            log.warning("%s:%d: torn last line dropped (%d bytes)", path, number, len(line))
            return
        yield number, line.strip()


def all_lines(file: Iterable[bytes], path: Path, first: int = 1) -> Iterator[tuple[int, bytes]]:
    """As `complete_lines`, with the newlines, and a torn last line too. Raises as that does."""
    for number, line in enumerate(file, first):
        if b"\r{" in line and not (line.endswith(b"\n") or _is_json(line)):
            problem = "lines that end in CR alone"
            raise InputError(path, problem, "Save it with LF as line ends", number)
        if not line.isspace():
            yield number, line


def read_records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number, object) of every line of a file this tool wrote itself.

    Raises `InputError` on a line in the middle that is not a JSON object.
    """
    for number, line in read_lines(path):
        record = json_or_none(line)
        if not isinstance(record, dict):
            raise InputError(
                path, "not a JSON object", "Remove or repair that line; the rest is intact", number
            )
        yield number, record


class Appender:
    """Appends one JSON object a line, unbuffered. Use as a context manager. Raises
    `UserError` if the file cannot be written, or was deleted or moved meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            mend_tail(path)
            # Unbuffered: what the disk refuses must not linger and be tried again on close.
            self._file = path.open("ab", buffering=0)
        except OSError as error:
            raise cannot_write(path, error, continues=True) from error

    def write(self, line: str) -> None:
        """Append one serialised record. Raises `UserError` when the disk refuses; a record
        that was cut short is removed, so that the file stays readable."""
        self.write_many([line])

    def write_many(self, lines: Iterable[str]) -> None:
        """Append several records with one write; raises as `write`, and then none is kept."""
        data = "".join(line + "\n" for line in lines).encode("utf-8", errors="surrogatepass")
        start = os.fstat(self._file.fileno()).st_size
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            os.ftruncate(self._file.fileno(), start)
            raise cannot_write(self.path, error, continues=True) from error
        self._check_place()

    def _check_place(self) -> None:
        """Raises `UserError` if the file was deleted or moved, so that what is written would be
        lost."""
        with suppress(OSError):
            if os.path.samestat(os.fstat(self._file.fileno()), self.path.stat()):
                return
        raise UserError(
            f"{self.path}: deleted or moved while it was written. Leave it where it is, and run "
            "the same command again"
        )

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def mend_tail(path: Path) -> None:
    """Make the file end in a newline: complete a whole last record, cut off a torn one."""
    if not path.exists() or not (size := path.stat().st_size):
        return
    with path.open("rb+") as file:
        file.seek(size - 1)
        if file.read(1) == b"\n":
            return
        start = _last_line_start(file, size)
        file.seek(start)
        last = file.read()
        if _is_json(last):
            file.write(b"\n")
        else:
            log.warning("%s: torn last line dropped (%d bytes)", path, len(last))
            file.truncate(start)


def _last_line_start(file: IO[bytes], size: int) -> int:
    position = size
    while position > 0:
        step = min(_TAIL, position)
        position -= step
        file.seek(position)
        newline = file.read(step).rfind(b"\n")
        if newline >= 0:
            return position + newline + 1
    return 0


def _is_json(line: bytes) -> bool:
    try:
        parse_json(line)
    except ValueError:
        return False
    return True
