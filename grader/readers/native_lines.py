"""Reading files in the native format, JSON lines with one transcript each, a few at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..files.json_input import as_list, parse_json, watched
from ..files.jsonl import complete_lines
from ..records import Transcript
from .chunks import CHUNK_BYTES, CHUNK_RECORDS, Chunk, in_chunks
from .native import broken, from_native
from .shards import is_one_text, open_shard, whole_json


@dataclass(frozen=True)
class Lines:
    """Consecutive lines of a native file: (line number, line)."""

    name: str
    lines: tuple[tuple[int, bytes], ...]

    def transcripts(self) -> Iterator[Transcript]:
        """Read the lines. One that cannot be parsed becomes a transcript named after its line,
        with the `problem`, so that it is reported and the rest goes on."""
        for number, line in self.lines:
            yield _from_line(f"{self.name}:{number}", line, number)


def native_chunks(path: Path) -> Iterator[Chunk]:
    """The lines of a native file, compressed or not, a few at a time and not yet parsed; or the
    records of a list in it, or its only one."""
    if is_one_text(path):
        yield from in_chunks(_listed(path))
        return
    with open_shard(path) as file:
        yield from lines_in_chunks(path.name, watched(path, complete_lines(file, path)))


def _listed(path: Path) -> Iterator[Transcript]:
    for number, record in enumerate(as_list(whole_json(path)), 1):
        yield _from_record(record, f"{path.name}:{number}", f"record {number}")


def lines_in_chunks(name: str, lines: Iterable[tuple[int, bytes]]) -> Iterator[Chunk]:
    """Group lines into chunks of bounded size."""
    held: list[tuple[int, bytes]] = []
    size = 0
    for number, line in lines:
        held.append((number, line))
        size += len(line)
        if size >= CHUNK_BYTES or len(held) >= CHUNK_RECORDS:
            yield Lines(name, tuple(held))
            held, size = [], 0
    if held:
        yield Lines(name, tuple(held))


def _from_line(fallback: str, line: bytes, number: int) -> Transcript:
    try:
        record = parse_json(line)
    except ValueError as error:
        return broken(fallback, f"line {number} is not valid JSON ({error})")
    return _from_record(record, fallback, f"line {number}")


def _from_record(record: object, fallback: str, place: str) -> Transcript:
    if not isinstance(record, dict):
        return broken(fallback, f"{place} is not a JSON object")
    return from_native(record, fallback)
