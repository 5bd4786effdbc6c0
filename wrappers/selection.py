"""The tasks, or recorded transcripts, that the options of a command choose."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from grader.errors import UserError, unknown_name
from grader.readers import read
from grader.readers.recognise import may_be_recording
from grader.readers.shards import shards
from grader.records import Transcript
from grader.run import transcripts_of
from grader.tasks import check_data, named_tasks
from grader.tasks.index import TaskIndex
from grader.tasks.unmatched import Unmatched

from .assignment import Assignment


def assignments(options: argparse.Namespace) -> list[Assignment]:
    """The tasks that --tasks, --task and --limit choose, each as often as --repeat states.
    Raises `UserError`."""
    tasks = named_tasks(options.tasks, options.data)
    if not tasks:
        raise UserError("--tasks FILE is needed")
    repeats = range(1, options.repeat + 1)
    _check_distinct(Assignment(task, repeat) for task in tasks for repeat in repeats)
    if options.task:
        by_id = {task.task_id: task for task in tasks}
        _check_known(options.task, by_id)
        tasks = [by_id[name] for name in dict.fromkeys(options.task)]
    tasks = tasks[: options.limit]
    check_data(tasks, options.data, needed=True)
    return [Assignment(task, repeat) for repeat in repeats for task in tasks]


def recordings(options: argparse.Namespace) -> list[Transcript]:
    """The transcripts that --recorded, --task and --limit choose, completed by --tasks.
    Raises `UserError`."""
    if options.recorded is None:
        raise UserError("--agent replay needs --recorded PATH")
    tasks = TaskIndex(named_tasks(options.tasks, options.data))
    transcripts = list(read(transcripts_of(options.recorded)))
    if options.task:
        _check_known(options.task, dict.fromkeys(t.task.task_id for t in transcripts))
        transcripts = [t for t in transcripts if t.task.task_id in options.task]
    transcripts = transcripts[: options.limit]
    check_data(filter(None, map(tasks.find, transcripts)), options.data)
    return list(_completed(transcripts, tasks))


def recording_files(options: argparse.Namespace) -> list[Path]:
    """The files that `recordings` reads: the recording, or its shards, and the task file."""
    shards_of_it = shards(transcripts_of(options.recorded))
    return [*filter(may_be_recording, shards_of_it), *filter(None, [options.tasks])]


def _completed(transcripts: Iterable[Transcript], tasks: TaskIndex) -> Iterator[Transcript]:
    completed = map(tasks.complete, transcripts)
    return (one.transcript for one in Unmatched(tasks).watch(completed))


def _check_known(names: Iterable[str], known: Iterable[str]) -> None:
    valid = list(known)
    for name in names:
        if name not in valid:
            raise unknown_name("task", name, valid)


def _check_distinct(assignments: Iterable[Assignment]) -> None:
    taken: dict[str, str] = {}
    for one in assignments:
        other = taken.setdefault(one.transcript_id, one.task.task_id)
        if other != one.task.task_id:
            raise UserError(
                f"task {other!r} and task {one.task.task_id!r} would share the transcript id "
                f"{one.transcript_id!r}. Rename one of them, or run them into different --run "
                "directories"
            )
