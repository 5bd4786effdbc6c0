"""One task to run once: its name in the record, and the data that it reads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grader.errors import InputError
from grader.files.digest import file_sha256
from grader.records import Task


@dataclass(frozen=True)
class Assignment:
    """One task to run once. `repeat` counts from 1."""

    task: Task
    repeat: int = 1

    @property
    def transcript_id(self) -> str:
        """The task's id; further repeats carry their number."""
        return self.task.task_id if self.repeat == 1 else f"{self.task.task_id}.r{self.repeat}"


@dataclass(frozen=True)
class Unrun:
    """A task that could not be run, and why. It is not part of the record."""

    transcript_id: str
    reason: str


def data_digests(task: Task) -> dict[str, str]:
    """SHA-256 of each of a task's data files, by its name; "" for one that is not there."""
    return {Path(name).name: _digest(name) for name in task.data_files}


@cache  # many tasks share a file
def _digest(name: str) -> str:
    try:
        return file_sha256(Path(name))
    except InputError:
        return ""
