"""Grades in this process, one transcript at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ..passes.strict_pass import StrictPass
from ..readers import read_chunks
from ..readers.chunks import Chunk
from . import Batch


class SerialEngine:
    """Each transcript is graded when it is asked for: one is in memory at a time."""

    def chunks(self, path: Path, format: str) -> Iterator[Chunk]:
        return read_chunks(path, format)

    def grade(self, strict_pass: StrictPass, chunks: Iterable[Chunk]) -> Iterator[Batch]:
        for chunk in chunks:
            yield Batch(chunk, 0, strict_pass.grade_all(chunk.transcripts()))
