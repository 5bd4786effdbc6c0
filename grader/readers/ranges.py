"""Chunks that hold places on disk and no data, for workers that can read the files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ..files.json_input import warned_of
from ..files.jsonl import complete_lines
from ..records import Transcript
from .chunks import Chunk
from .native_lines import Lines
from .shards import is_one_text, open_shard
from .transcripts import READERS, recognised_shards

RANGE_BYTES = 4 << 20


@dataclass(frozen=True)
class LineRange:
    """The lines of an uncompressed native file between two byte offsets, both at the start of
    a line; `first` is the number of the first."""

    path: Path
    start: int
    stop: int
    first: int

    def transcripts(self) -> Iterator[Transcript]:
        """Read the lines, one at a time."""
        with self.path.open("rb") as file:
            file.seek(self.start)
            for numbered in complete_lines(self._lines(file), self.path, self.first):
                yield from Lines(self.path.name, (numbered,)).transcripts()

    def _lines(self, file: IO[bytes]) -> Iterator[bytes]:
        left = self.stop - self.start
        while left > 0 and (line := file.readline()):
            left -= len(line)
            yield line


@dataclass(frozen=True)
class WholeFile:
    """A file that can only be read from its beginning."""

    path: Path
    format: str

    def transcripts(self) -> Iterator[Transcript]:
        """Read the records, one at a time."""
        for chunk in READERS[self.format](self.path):
            yield from chunk.transcripts()


def read_ranges(path: Path, format: str = "auto") -> Iterator[Chunk]:
    """The places of an input on disk, with absolute paths: large JSONL files in pieces, others
    whole. Raises `InputError` as `grader.readers.read_chunks` does."""
    for file, name in recognised_shards(path.resolve(), format):
        if name == "native" and file.suffix not in (".gz", ".zst") and not is_one_text(file):
            yield from line_ranges(file)
        else:
            yield WholeFile(file, name)


def line_ranges(path: Path, size: int = RANGE_BYTES) -> Iterator[Chunk]:
    """An uncompressed file in ranges of about `size` bytes. Reads it once, to count lines."""
    start, first, warned = 0, 1, False
    with open_shard(path) as file:
        while block := file.read(size):
            rest = file.readline()
            stop = start + len(block) + len(rest)
            yield LineRange(path, start, stop, first)
            warned = warned or warned_of(path, block + rest, first)
            start, first = stop, first + block.count(b"\n") + rest.count(b"\n")
