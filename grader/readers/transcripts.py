"""Reading transcripts from recorded runs, whatever their format; `READERS` is the table."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Protocol, TypeVar

from ..errors import InputError, unknown_name
from ..files.idmap import IdMap, key_of
from ..records import Transcript
from .chunks import Chunk, Chunks, in_chunks
from .dsgym import read_dsgym
from .first_good import held_until, how_many
from .native_lines import native_chunks
from .parquet import parquet_chunks
from .recognise import EMPTY, OTHER, by_suffix, keys_in, recognise
from .shards import doubles, not_read, shards

log = logging.getLogger("grader")
_LOOKED_AT = 3  # records of a file that may be none
_REMEDY = "Name a file with recorded transcripts"
_TWIN = (
    "duplicate_id: an earlier record has this id. Grade each file into a run of its own, or give "
    "each record an id of its own"
)
READERS: dict[str, Chunks] = {
    "native": native_chunks,
    "dsgym": lambda path: in_chunks(read_dsgym(path)),
    "parquet": parquet_chunks,
}


class HasProblem(Protocol):
    """A transcript, or a record of one."""

    @property
    def problem(self) -> str | None: ...


AnyRecord = TypeVar("AnyRecord", bound=HasProblem)


def read(path: Path, format: str = "auto") -> Iterator[Transcript]:
    """Stream the transcripts of a recorded run: a file, a folder of shards, or a pattern.

    format: a name in READERS, or "auto" to recognise it. A record that cannot be graded comes
    with its `problem`; a second record with the id of an earlier one is renamed and refused.
    Raises `InputError` if there is nothing readable at all.
    """
    transcripts = _unique(t for chunk in read_chunks(path, format) for t in chunk.transcripts())
    return some_readable(path, transcripts, is_readable)


def holds_transcripts(path: Path) -> bool:
    """Whether a transcript can be read among the first records of a file."""
    try:
        name = recognise(path)
        chunks = READERS[name](path) if name in READERS else ()
        found = (transcript for chunk in chunks for transcript in chunk.transcripts())
        return any(map(is_readable, islice(found, _LOOKED_AT)))
    except InputError:
        return False


def read_chunks(path: Path, format: str = "auto") -> Iterator[Chunk]:
    """The chunks of a recorded run, not yet read or checked."""
    files = recognised_shards(path, format)
    return (chunk for file, name in files for chunk in READERS[name](file))


def check_format(name: str) -> None:
    """Raise `UserError` if no format has this name."""
    if name not in (*READERS, "auto"):
        raise unknown_name("format", name, [*READERS, "auto"])


def recognised_shards(path: Path, format: str = "auto") -> Iterator[tuple[Path, str]]:
    """Each file of an input with the name of its format. In a folder or a pattern, files without
    transcripts are skipped, with a warning when their turn comes.

    Raises `InputError` if none is left, or if a file given by name has no known format.
    """
    check_format(format)
    files = shards(path)
    if files == [path]:
        return iter([(path, _format_of(path) if format == "auto" else format)])
    if format != "auto":
        files = [file for file in files if _may_have(file, format)]
        if not files:
            raise InputError(path, f"no file whose name may be one of {format}", _REMEDY)
    found = ((file, recognise(file) if format == "auto" else format) for file in files)
    skipped: list[tuple[Path, str]] = []
    for file, name in found:
        if name in READERS:
            return _announced(path, chain(skipped, [(file, name)], found))
        skipped.append((file, name))
    what = "empty files" if all(name == EMPTY for _, name in skipped) else "other files"
    raise InputError(path, f"no recordings in it, only {what}", _REMEDY)


def _may_have(file: Path, format: str) -> bool:
    """Whether a file may have a format, by its name; JSON lines, which DSGym writes too, by what is
    in them."""
    implied = by_suffix(file)
    if (implied, format) == ("native", "dsgym"):
        return recognise(file) == format
    return implied in (format, None)


def _announced(path: Path, found: Iterable[tuple[Path, str]]) -> Iterator[tuple[Path, str]]:
    """Pass on the files of an input that are read, and log which others there are."""
    if path.is_dir() and (others := not_read(path)):
        log.warning(
            "%s: skipped because of their names, or as links to folders: %d (the first: %s)",
            path, len(others), others[0].relative_to(path),
        )  # fmt: skip
    for double in doubles(path) if path.is_dir() else ():
        log.warning("%s: skipped, as the same samples are in other files beside it", double)
    for file, name in found:
        if name in READERS:
            yield file, name
        else:
            log.warning("%s: %s, skipped", file, name)


def _format_of(path: Path) -> str:
    """The format of a file given by name. It is not skipped: its reader reports what is wrong with
    it."""
    name = recognise(path)
    if name == EMPTY:
        raise InputError(path, "the file is empty", _REMEDY)
    if name == OTHER:
        name = by_suffix(path) or OTHER
        if name not in ("native", "parquet"):
            keys = keys_in(path)
            raise InputError(path, f"not a format this tool knows{keys}", _remedy(path, keys))
    return name


def _remedy(path: Path, keys: str) -> str:
    """What to do with a file in no format that is read. keys: those that it has, as a text."""
    if path.suffix == ".eval" or " status, eval, plan" in keys:
        return "An inspect_ai log is graded by `inspect score LOG --scorer grader/cascade`"
    if path.suffix.lower() in (".csv", ".tsv", ".xlsx"):
        return (
            "Write the table as JSON lines (in pandas: to_json(FILE, orient='records', lines=True))"
            " with columns transcript_id, question, ground_truth and raw_output; or grade its"
            " columns in Python, by grade_column"
        )
    return (
        f"Expected JSON lines with transcript_id and steps, or DSGym results (a list of objects "
        f"with query and sample_id); or name the format ({', '.join(READERS)}): --format, in "
        f"Python format="
    )


def is_readable(transcript: Transcript) -> bool:
    """False for a stand-in for a record that could not be read."""
    return not transcript.problem or bool(transcript.steps)


def some_readable(
    path: Path, records: Iterable[AnyRecord], readable: Callable[[AnyRecord], bool]
) -> Iterator[AnyRecord]:
    """Pass records on. Raises `InputError` if none of the first thousand can be read."""

    def refuse(held: list[AnyRecord]) -> None:
        if not held:
            raise InputError(path, "holds no transcripts", _REMEDY)
        raise InputError(
            path,
            f"no readable transcript in the {how_many(held)} records; the first: {held[0].problem}",
            "Each record needs a transcript_id, a ground_truth, and steps or messages",
        )

    return held_until(records, readable, refuse)


def unique_id(transcript_id: str, seen: IdMap) -> str:
    """The id of a record, or if earlier ones have it already, a name made from it and their count.
    `seen` notes how many records have each id; what is returned is noted too."""
    first = key_of(transcript_id)
    count = seen.get(first) or 0
    name, key = transcript_id, first
    while key in seen:
        count += 1
        name = f"{transcript_id}#record{count}"
        key = key_of(name)
    seen[first], seen[key] = max(count, 1), 1
    return name


def refuse_twin(transcript: Transcript, name: str) -> Transcript:
    """A record with a duplicate id, renamed and marked as not to be graded. One that could not be
    read keeps its own problem: its id may be a line in another file of the same name."""
    problem = _TWIN if is_readable(transcript) else transcript.problem
    return transcript.model_copy(update={"transcript_id": name, "problem": problem})


def _unique(transcripts: Iterable[Transcript]) -> Iterator[Transcript]:
    """All transcripts. A record with a duplicate id is renamed and refused."""
    seen = IdMap()
    for transcript in transcripts:
        name = unique_id(transcript.transcript_id, seen)
        yield transcript if name == transcript.transcript_id else refuse_twin(transcript, name)
