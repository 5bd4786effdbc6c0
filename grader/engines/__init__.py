"""Where grading is computed: in this process, in several on this machine, or on Ray.

An engine takes a `StrictPass` and chunks of transcripts, and yields what became of them in the
order of the input. It writes nothing: whoever holds the run directory appends what it yields, so
a chunk whose worker died is simply graded again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from ..passes.strict_pass import GradedTranscript, StrictPass
from ..readers.chunks import Chunk

EngineName = Literal["local", "ray"]
ENGINES: tuple[EngineName, ...] = ("local", "ray")


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


def open_engine(name: str = "local", workers: int = 1, address: str | None = None) -> Engine:
    """The engine of that name. Raises `UserError` for an unknown name or senseless number.

    workers: processes (local) or Ray workers. address: of a Ray cluster; None starts Ray here.
    """
    from ..errors import UserError, unknown_name

    if name not in ENGINES:
        raise unknown_name("engine", name, list(ENGINES))
    if workers < 1:
        raise UserError(f"--workers {workers}: at least 1")
    if name == "ray":
        from .ray_data import RayEngine

        return RayEngine(workers, address)
    if workers == 1:
        from .serial import SerialEngine

        return SerialEngine()
    from .processes import ProcessEngine

    return ProcessEngine(workers)
