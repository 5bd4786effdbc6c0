"""Recorded runs -> Transcripts. One file per format; `READERS` is the table."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Protocol, TypeVar

from ..errors import InputError, unknown_name
from ..idmap import IdMap, key_of
from ..json_input import load_json, parse_json
from ..jsonl import complete_lines
from ..records import Transcript
from .chunks import Chunk, Chunks, in_chunks
from .dsgym import looks_like_dsgym, read_dsgym
from .native import broken, from_native, native_chunks, read_native, to_native
from .parquet import parquet_chunks
from .shards import JSON_LINES, PARQUET, open_shard, shards

__all__ = [
    "READERS",
    "broken",
    "from_native",
    "is_readable",
    "read",
    "read_chunks",
    "read_native",
    "recognised_shards",
    "refuse_twin",
    "some_readable",
    "to_native",
]

log = logging.getLogger("grader")
_MANY = 1000  # this many bad records at the start are enough to stop holding them back
READERS: dict[str, Chunks] = {
    "native": native_chunks,
    "dsgym": lambda path: in_chunks(read_dsgym(path)),
    "parquet": parquet_chunks,
}


class HasProblem(Protocol):
    """A transcript, or what stands for one."""

    @property
    def problem(self) -> str | None: ...


AnyRecord = TypeVar("AnyRecord", bound=HasProblem)


def read(path: Path, format: str = "auto") -> Iterator[Transcript]:
    """Stream the transcripts of a recorded run: a file, a folder of shards, or a pattern.

    format: a name in READERS, or "auto" to recognise it. A record that cannot be graded comes
    with its `problem`; a second record with the id of an earlier one is renamed and refused.
    Raises `InputError` if there is nothing readable at all.
    """
    transcripts = _unique(_flat(read_chunks(path, format)))
    return some_readable(path, transcripts, is_readable)


def read_chunks(path: Path, format: str = "auto") -> Iterator[Chunk]:
    """The same, as chunks that are not read yet and not checked."""
    files = recognised_shards(path, format)
    return (chunk for file, name in files for chunk in READERS[name](file))


def recognised_shards(path: Path, format: str = "auto") -> Iterator[tuple[Path, str]]:
    """Each file of an input with the name of its format; empty ones are left out, with a warning.
    Raises `InputError` if none is left, and, when a file's turn has come, if it has no format
    known."""
    if format not in (*READERS, "auto"):
        raise unknown_name("format", format, [*READERS, "auto"])
    files = shards(path)
    if format != "auto":
        return ((file, format) for file in files)
    recognised = _recognise_all(files)
    first = next(recognised, None)
    if first is None:
        problem = "the file is empty" if files == [path] else "holds nothing but empty files"
        raise InputError(path, problem, "Name a file with recorded transcripts")
    return chain([first], recognised)


def _recognise_all(files: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    for file in files:
        name = recognise(file)
        if name is None:
            log.warning("%s: empty, passed over", file)
        else:
            yield file, name


def recognise(path: Path) -> str | None:
    """The name of the format of a file or folder; None for an empty file. Raises `InputError`
    if it is none known."""
    if path.is_dir():
        return "dsgym"
    if path.name.endswith(PARQUET):
        return "parquet"
    with open_shard(path) as file:
        first = next((line for _, line in complete_lines(file, path)), b"")
    if not first:
        return None
    try:
        record = parse_json(first)
    except ValueError:
        record = None
    if isinstance(record, dict) and ("steps" in record or "transcript_id" in record):
        return "native"
    if path.name.endswith(JSON_LINES) and not looks_like_dsgym(record):
        return "native"
    if looks_like_dsgym(record) or looks_like_dsgym(load_json(path)):
        return "dsgym"
    raise InputError(
        path,
        "not a format this tool knows",
        f"Expected JSON lines with transcript_id and steps, or DSGym results; "
        f"or pass --format ({', '.join(READERS)})",
    )


def is_readable(transcript: Transcript) -> bool:
    """False for a stand-in for a record that could not be read."""
    return not transcript.problem or bool(transcript.steps)


def some_readable(
    path: Path, records: Iterable[AnyRecord], readable: Callable[[AnyRecord], bool]
) -> Iterator[AnyRecord]:
    """Pass records on, but raise `InputError` instead if not one of them can be read (of a
    thousand at the start; more are not held back)."""
    held: list[AnyRecord] = []
    records = iter(records)
    for record in records:
        held.append(record)
        if readable(record) or len(held) >= _MANY:
            yield from held
            yield from records
            return
    if not held:
        raise InputError(path, "holds no transcripts", "Name a file with recorded transcripts")
    raise InputError(
        path,
        f"no readable transcript in {len(held)} records; the first: {held[0].problem}",
        "Each record needs a transcript_id, a ground_truth and steps",
    )


def refuse_twin(transcript: Transcript, index: int) -> Transcript:
    """A record whose id an earlier one has, renamed after its place and not to be graded."""
    return transcript.model_copy(
        update={
            "transcript_id": f"{transcript.transcript_id}#record{index}",
            "problem": f"duplicate_id: {transcript.transcript_id!r} stands in an earlier record",
        }
    )


def _flat(chunks: Iterable[Chunk]) -> Iterator[Transcript]:
    for chunk in chunks:
        yield from chunk.transcripts()


def _unique(transcripts: Iterable[Transcript]) -> Iterator[Transcript]:
    seen = IdMap()
    for index, transcript in enumerate(transcripts, 1):
        key = key_of(transcript.transcript_id)
        yield refuse_twin(transcript, index) if key in seen else transcript
        seen[key] = index
