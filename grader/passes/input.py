"""Where transcripts to grade come from."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from ..errors import InputError, UserError
from ..files.jsonl import read_records
from ..readers.native import from_native
from ..records import Transcript
from ..run import RunDirectory


@dataclass(frozen=True)
class Input:
    """A recorded run on disk: a file, a folder of shards or a pattern, in a format by name."""

    path: Path
    format: str = "auto"

    def takes_in(self, run: RunDirectory) -> bool:
        """Whether the input contains, or will contain, files that a grading pass appends to."""
        source = self.path.resolve()
        if source.is_dir():
            return run.path.resolve().is_relative_to(source)
        own = (run.path.resolve() / file.name for file in run.records)
        return any(_is_named(file, source) for file in own)


Recordings = Input | Iterable[Transcript]


def refuse_own_files(run: RunDirectory, source: Recordings | None) -> None:
    """Raises `InputError` if a run would read what it writes, and so never end."""
    if isinstance(source, Input) and source.takes_in(run):
        again = " (to grade a run again, give the run directory as the input)" if run.is_run else ""
        raise InputError(
            source.path,
            f"contains the run directory {run.path}, which would be read as input",
            f"Put --run outside of it{again}",
        )


def cannot_change(run: RunDirectory, source: Recordings | None, transcript_id: str) -> UserError:
    """The error for tasks or covariates that would change recorded transcripts."""
    return UserError(
        f"{run.path}: what a run has recorded stays as it is, and these tasks or covariates would "
        f"change {transcript_id!r} and maybe others. {_into_new_run(run, source)}"
    )


def has_changed(run: RunDirectory, source: Recordings, transcript_id: str, field: str) -> UserError:
    """The error for an input record that was changed after the run recorded it. field: the changed
    field, of the record or of the files that complete it."""
    return UserError(
        f"{run.path}: what a run has recorded stays as it is, and it holds another version of "
        f"transcript {transcript_id!r} than the input has now: {field} is not the same. "
        f"{_into_new_run(run, source)}"
    )


def recorded_twice(run: RunDirectory, transcript_id: str) -> InputError:
    """The error for a run that holds two transcripts with one id."""
    path = run.transcripts_path
    lines = (
        number
        for number, record in read_records(path)
        if from_native(record, f"{path.name}:{number}").transcript_id == transcript_id
    )
    return InputError(
        path,
        f"an earlier line has the transcript_id {transcript_id!r} too",
        "Remove this line, or give it an id of its own",
        max(lines, default=None),
    )


def _into_new_run(run: RunDirectory, source: Recordings | None) -> str:
    place = source.path if isinstance(source, Input) else run.path
    command = f"grader grade {shlex.quote(str(place))} --run NEW_RUN"
    return f"Make a new run: {command}, and the same options"


def _is_named(file: Path, pattern: Path) -> bool:
    """Whether a path or pattern names a file; `**` stands for any number of folders."""
    if "**" in pattern.parts:
        return fnmatchcase(str(file), str(pattern).replace("**/", "*"))
    return file.match(str(pattern))
