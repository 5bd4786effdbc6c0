"""Chunks: pieces of a recorded run that are small, can be sent to another process, and become
transcripts there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeVar

from ..records import Transcript

CHUNK_RECORDS = 100
CHUNK_BYTES = 1 << 18
Item = TypeVar("Item")


class Chunk(Protocol):
    """Some consecutive records of a recorded run. Must be picklable."""

    def transcripts(self) -> Iterator[Transcript]:
        """Read the records; each time the same."""
        ...


Chunks = Callable[[Path], Iterator[Chunk]]


@dataclass(frozen=True)
class Transcripts:
    """Transcripts that are read already."""

    items: tuple[Transcript, ...]

    def transcripts(self) -> Iterator[Transcript]:
        return iter(self.items)


def in_chunks(transcripts: Iterable[Transcript]) -> Iterator[Chunk]:
    """Chunks of transcripts from any source. If a format's records are costly to read, chunk the
    file on disk instead, so that each worker reads what it grades."""
    for items in batched(transcripts, CHUNK_RECORDS):
        yield Transcripts(items)


def batched(items: Iterable[Item], size: int) -> Iterator[tuple[Item, ...]]:
    """Consecutive items in tuples of `size`; the last may be shorter."""
    iterator = iter(items)
    while batch := tuple(islice(iterator, size)):
        yield batch
