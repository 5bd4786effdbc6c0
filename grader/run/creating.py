"""A run directory that is made for a command, and removed again if nothing came of it."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import UserError
from .directory import RunDirectory


@contextmanager
def created(path: Path, sources: Collection[Path] = ()) -> Iterator[RunDirectory]:
    """The run directory, made if needed. A new one in which an error left nothing recorded is
    removed again. Raises `InputError` for a folder of recordings other than its `sources`."""
    is_new = not path.exists()
    run = RunDirectory.create(path)
    run.refuse_recordings(sources)
    try:
        yield run
    except UserError:
        if is_new:
            with suppress(UserError), run.writing():  # unless another process writes to it now
                if not any(run.transcripts()):
                    shutil.rmtree(path, ignore_errors=True)
        raise
