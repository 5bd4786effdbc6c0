"""One task to run once, and its name in the record."""

from __future__ import annotations

from dataclasses import dataclass

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
    """A task that could not be run, and why. It is not part of the record. is_tasks_own: the reason
    lies in the task (its data, its length), so it is none for other tasks."""

    transcript_id: str
    reason: str
    is_tasks_own: bool = False
