"""Files that commands write for people: whole or not at all, and never a run's own records."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import UserError
from ..files.replacing import replacing
from . import RunDirectory


@contextmanager
def output_file(path: Path) -> Iterator[Path]:
    """A temporary place to write a file, which becomes `path` once it is whole. Raises `UserError`
    if `path` is a record of a run directory, or cannot be written."""
    check_is_no_record(path)
    with replacing(path) as place:
        yield place


def check_is_no_record(path: Path) -> None:
    """Raise `UserError` if a path is a record of a run directory."""
    target = path.resolve()
    run = RunDirectory(target.parent)
    if target in run.records and run.is_run:
        raise UserError(
            f"{path}: a record of the run {run.path}, which stays as it is. Name another file"
        )
