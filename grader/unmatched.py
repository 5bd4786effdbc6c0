"""Files given to complete transcripts (`--tasks`, `--covariates`) that hold nothing for them."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

from .errors import UserError
from .held import held_until, how_many
from .tasks import TaskIndex

log = logging.getLogger("grader")
_REMEDIES = {
    "--tasks": "Its tasks need the task_id or the question of the transcripts",
    "--covariates": "Its column task_id needs the task_id of the transcripts or of their tasks",
}


class Completed(Protocol):
    """A transcript whose task was completed, or what stands for one. `unmatched`: the options
    whose files hold nothing for it."""

    @property
    def transcript_id(self) -> str: ...
    @property
    def unmatched(self) -> tuple[str, ...]: ...


AnyCompleted = TypeVar("AnyCompleted", bound=Completed)


class Unmatched:
    """Counts the transcripts for which a file holds nothing, by the option that named it."""

    def __init__(self, tasks: TaskIndex) -> None:
        given = {"--tasks": tasks.tasks, "--covariates": tasks.covariates}
        self._options = {option for option, content in given.items() if content}
        self._counts: Counter[str] = Counter()
        self._first: dict[str, str] = {}
        self._total = 0

    def watch(self, completed: Iterable[AnyCompleted]) -> Iterator[AnyCompleted]:
        """Pass transcripts on; a warning at the end says how many a file held nothing for.

        Raises `UserError` before the first of them if a file holds nothing for any of the first
        thousand.
        """
        noted = map(self._note, completed)
        yield from held_until(noted, lambda _: not self._unused(), self._refuse)
        self._warn()

    def _note(self, completed: AnyCompleted) -> AnyCompleted:
        self._total += 1
        for option in completed.unmatched:
            self._counts[option] += 1
            self._first.setdefault(option, completed.transcript_id)
        return completed

    def _unused(self) -> list[str]:
        """The options whose files held nothing for any transcript so far."""
        return sorted(o for o in self._options if self._counts[o] == self._total)

    def _refuse(self, held: list[AnyCompleted]) -> None:
        if held:
            unused = self._unused()[0]
            raise UserError(
                f"{unused}: holds nothing for any of the {how_many(held)} transcripts "
                f"(the first: {held[0].transcript_id}). {_REMEDIES[unused]}"
            )

    def _warn(self) -> None:
        for option, count in sorted(self._counts.items()):
            first = self._first[option]
            log.warning(
                "%s: nothing for %d of %d transcripts (the first: %s)",
                option, count, self._total, first,
            )  # fmt: skip
