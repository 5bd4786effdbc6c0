"""The working folder of a task, with copies of its data files."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from grader.errors import cannot_write

WORKSPACES = ".workspaces"  # in a run directory; only this package writes there


def data_problem(names: Sequence[str]) -> str | None:
    """The reason why these data files cannot be copied into one folder; None if they can."""
    missing = [name for name in names if not Path(name).is_file()]
    if missing:
        return f"data file missing: {', '.join(missing)}"
    faults = ((name, _fault(Path(name))) for name in names)
    if unreadable := [f"{name} ({fault})" for name, fault in faults if fault]:
        return f"data file cannot be read: {', '.join(unreadable)}"
    counts = Counter(Path(name).name for name in names)
    alike = [name for name in names if counts[Path(name).name] > 1]
    if alike:
        return f"data files with the same name: {', '.join(alike)}. Rename them"
    return None


def _fault(path: Path) -> str | None:
    """Why a file cannot be read; None if it can."""
    try:
        with path.open("rb") as file:
            file.read(1)
    except OSError as error:
        return error.strerror or str(error)
    return None


@contextmanager
def workspace_for(names: Sequence[str], place: Path) -> Iterator[tuple[Path, list[Path]]]:
    """A fresh folder in `place` with copies of these data files; removed afterwards.

    Raises `UserError` if the copies cannot be made."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=place.resolve()))
    except OSError as error:
        raise cannot_write(place, error) from error
    try:
        yield folder, _copies(names, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _copies(names: Sequence[str], folder: Path) -> list[Path]:
    try:
        return [Path(shutil.copy(name, folder)) for name in names]
    except OSError as error:
        raise cannot_write(folder, error) from error
