"""Which transcripts belong together: the same task, in several runs or tried several times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..frames import RunFrames
from ..text import counted


def first_per_task(frames: RunFrames, tasks: Iterable[str] | None = None) -> dict[str, str]:
    """The first repeat of each task, whenever it was done: task_id -> transcript_id, tasks in
    evaluation order."""
    rows = frames.transcripts
    table = rows.sort_values("repeat", kind="stable").drop_duplicates("task_id")
    first = dict(zip(table["task_id"], table["transcript_id"], strict=True))
    order = rows["task_id"].unique() if tasks is None else tasks
    return {task: first[task] for task in order if task in first}


def paired_modes(frames: RunFrames) -> dict[str, RunFrames]:
    """The recorded nudge modes of one run, if there are several and they share tasks; else
    nothing."""
    modes = {mode: part for mode, part in frames.by_mode().items() if mode}
    return modes if len(modes) > 1 and common_tasks(modes) else {}


def common_tasks(arms: Mapping[str, RunFrames]) -> list[str]:
    """Tasks that every arm has, in the order of the first arm."""
    sets = [set(arm.transcripts["task_id"]) for arm in arms.values()]
    shared = set.intersection(*sets) if sets else set()
    first = next(iter(arms.values()), None)
    return [] if first is None else [task for task in first_per_task(first) if task in shared]


def unpaired_tasks(arms: Mapping[str, RunFrames]) -> dict[str, list[str]]:
    """The tasks of each arm that some other arm lacks."""
    shared = set(common_tasks(arms))
    return {
        name: [task for task in first_per_task(arm) if task not in shared]
        for name, arm in arms.items()
    }


def passes_by_task(
    frames: RunFrames, grader: str, tasks: Iterable[str] | None = None
) -> dict[str, bool]:
    """Whether a grader passed the first repeat of each task; ungraded ones are left out."""
    passed = frames.passed(grader)
    return {
        task: passed[transcript_id]
        for task, transcript_id in first_per_task(frames, tasks).items()
        if transcript_id in passed
    }


def repeats_note(frames: RunFrames) -> str:
    """For tables with intervals: how many tasks the transcripts are of; nothing where each has a
    task of its own."""
    tasks = len(set(frames.tasks.values()))
    if tasks == len(frames):
        return ""
    return (
        f"{len(frames):,} transcripts of {counted(tasks, 'task')}: intervals allow for the "
        "transcripts of a task being alike."
    )
