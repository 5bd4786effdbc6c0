"""Recorded runs -> Transcripts. One file per format; `READERS` is the table."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from ..errors import InputError, unknown_name
from ..jsonl import read_lines
from ..records import Transcript
from .dsgym import load_json, looks_like_dsgym, read_dsgym
from .native import broken, from_native, read_native, to_native

__all__ = ["READERS", "broken", "from_native", "read", "read_native", "to_native"]

Reader = Callable[[Path], Iterator[Transcript]]
_MANY = 1000  # this many bad records at the start are enough to stop holding them back
READERS: dict[str, Reader] = {"native": read_native, "dsgym": read_dsgym}


def read(path: Path, format: str = "auto") -> Iterator[Transcript]:
    """Stream the transcripts of a recorded run.

    format: a name in READERS, or "auto" to recognise it. A record that cannot be graded comes
    with its `problem`; a second record with the id of an earlier one is renamed and refused.
    Raises `InputError` if there is nothing readable at all.
    """
    if not path.exists():
        raise InputError(path, "no such file or folder", "Check the path")
    name = recognise(path) if format == "auto" else format
    if name not in READERS:
        raise unknown_name("format", name, [*READERS, "auto"])
    return _check(path, _unique(READERS[name](path)))


def recognise(path: Path) -> str:
    """The name of the format of a file or folder. Raises `InputError` if it is none known."""
    if path.is_dir():
        return "dsgym"
    first = next((line for _, line in read_lines(path)), b"")
    if not first:
        raise InputError(path, "the file is empty", "Name a file with recorded transcripts")
    try:
        record = json.loads(first.decode("utf-8", errors="replace").replace("\x00", ""))
    except (ValueError, RecursionError):
        record = None
    if isinstance(record, dict) and ("steps" in record or "transcript_id" in record):
        return "native"
    if path.suffix in (".jsonl", ".ndjson") and not looks_like_dsgym(record):
        return "native"
    if looks_like_dsgym(record) or looks_like_dsgym(load_json(path)):
        return "dsgym"
    raise InputError(
        path,
        "not a format this tool knows",
        f"Expected JSON lines with transcript_id and steps, or DSGym results; "
        f"or pass --format ({', '.join(READERS)})",
    )


def _unique(transcripts: Iterator[Transcript]) -> Iterator[Transcript]:
    seen: set[int] = set()
    for index, transcript in enumerate(transcripts, 1):
        key = hash(transcript.transcript_id)
        if key in seen:
            twin = f"{transcript.transcript_id}#record{index}"
            problem = f"duplicate_id: {transcript.transcript_id!r} stands in an earlier record"
            yield transcript.model_copy(update={"transcript_id": twin, "problem": problem})
            continue
        seen.add(key)
        yield transcript


def _check(path: Path, transcripts: Iterator[Transcript]) -> Iterator[Transcript]:
    """Pass everything on; if not one record could be read, say what is wrong with the first."""
    unreadable: list[Transcript] = []
    for transcript in transcripts:
        unreadable.append(transcript)
        if transcript.problem and not transcript.steps and len(unreadable) < _MANY:
            continue
        yield from unreadable
        yield from transcripts
        return
    if not unreadable:
        raise InputError(path, "holds no transcripts", "Name a file with recorded transcripts")
    raise InputError(
        path,
        f"no readable transcript in {len(unreadable)} records; the first: {unreadable[0].problem}",
        "Each record needs a transcript_id, a ground_truth and steps",
    )
