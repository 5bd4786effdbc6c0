"""Engines compute a strict pass: the protocol, and the engine that works in this process.

An engine takes a `StrictPass` and chunks of transcripts, and yields what became of them in the
order of the input. It writes nothing: the process that holds the run directory appends what it
yields, so a chunk whose worker died is simply graded again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from ..readers import read_chunks
from ..readers.chunks import Chunk
from .strict_pass import GradedTranscript, StrictPass


class Batch(NamedTuple):
    """What became of some consecutive records of a chunk, from its record `start` (0 = first)."""

    chunk: Chunk
    start: int
    graded: Iterable[GradedTranscript]


class Engine(Protocol):
    """One way of computing."""

    def chunks(self, path: Path, format: str) -> Iterator[Chunk]:
        """An input in the pieces that this engine hands out."""
        ...

    def grade(self, strict_pass: StrictPass, chunks: Iterable[Chunk]) -> Iterator[Batch]:
        """Grade the chunks, in order."""
        ...


class SerialEngine:
    """Grades each transcript when it is asked for, so that one is in memory at a time."""

    def chunks(self, path: Path, format: str) -> Iterator[Chunk]:
        return read_chunks(path, format)

    def grade(self, strict_pass: StrictPass, chunks: Iterable[Chunk]) -> Iterator[Batch]:
        for chunk in chunks:
            yield Batch(chunk, 0, strict_pass.grade_all(chunk.transcripts()))
