"""Warnings of transcripts for which `--tasks` or `--covariates` hold nothing, or another published
answer."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

from ..errors import UserError
from ..readers.first_good import HELD_BACK, held_until
from .index import NO_COVARIATES, NO_TASK, OTHER_ANSWER, SEVERAL_TASKS, TaskIndex

log = logging.getLogger("grader")
_REMEDIES = {
    NO_TASK: "A task needs their question, or their task_id and a question much like theirs",
    NO_COVARIATES: "Its column task_id needs the task_id of the transcripts or of their tasks",
}
_WARNINGS = {
    NO_TASK: "--tasks: nothing with the id and question of %d of %d transcripts (the first: %s)",
    NO_COVARIATES: "--covariates: nothing for %d of %d transcripts (the first: %s)",
    SEVERAL_TASKS: "--tasks: several tasks with the question of %d of %d transcripts, which need "
    "the task_id of one (the first: %s)",
    OTHER_ANSWER: "--tasks: another published answer than %d of %d transcripts have, which keep "
    "their own (the first: %s)",
}


class Matched(Protocol):
    """A transcript whose task was completed, or a record of one. `unmatched`: which of --tasks,
    --covariates and the published answer found no match; see `index.Completed`."""

    @property
    def transcript_id(self) -> str: ...
    @property
    def task_id(self) -> str: ...
    @property
    def unmatched(self) -> tuple[str, ...]: ...


AnyMatched = TypeVar("AnyMatched", bound=Matched)


class Unmatched:
    """Counts the transcripts that the files do not match, by what they lack."""

    def __init__(self, tasks: TaskIndex) -> None:
        given = {NO_TASK: tasks.tasks, NO_COVARIATES: tasks.covariates}
        self._options = {option for option, content in given.items() if content}
        self._counts: Counter[str] = Counter()
        self._first: dict[str, str] = {}
        self._total = 0

    def watch(self, completed: Iterable[AnyMatched]) -> Iterator[AnyMatched]:
        """Pass transcripts on; warnings at the end say how many were not matched.

        Raises `UserError` before the first one if a file holds nothing for any of them. With a
        thousand or more it only warns, because matching ones may come later.
        """
        noted = map(self._note, completed)
        yield from held_until(noted, lambda _: not self._unused(), self._say_unused)
        self._warn()

    def _note(self, completed: AnyMatched) -> AnyMatched:
        self._total += 1
        for what in completed.unmatched:
            self._counts[what] += 1
            self._first.setdefault(what, _named(completed))
        return completed

    def _unused(self) -> list[str]:
        """The options whose files held nothing for any transcript so far."""
        return sorted(o for o in self._options if self._counts[o] == self._total)

    def _say_unused(self, held: list[AnyMatched]) -> None:
        for unused in self._unused() if held else ():
            first = f"(the first: {_named(held[0])}). {_REMEDIES[unused]}"
            if len(held) < HELD_BACK:
                problem = f"holds nothing for any of the {len(held)} transcripts"
                raise UserError(f"{unused}: {problem} {first}")
            log.warning(
                "%s: holds nothing for the first %d transcripts %s", unused, HELD_BACK, first
            )

    def _warn(self) -> None:
        for what, count in sorted(self._counts.items()):
            log.warning(_WARNINGS[what], count, self._total, self._first[what])


def _named(completed: Matched) -> str:
    """The id of a transcript, and that of its task, which files are matched by, if it differs."""
    name, task = completed.transcript_id, completed.task_id
    return name if task == name else f"{name}, of task {task}"
