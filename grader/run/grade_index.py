"""Where a run's current grades are on disk: looking them up without holding them in memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any

from pydantic import ValidationError

from ..errors import InputError, cannot_read, first_fault
from ..files.idmap import IdMap, key_of
from ..files.jsonl import complete_lines
from ..records import Grade
from .directory import RunDirectory
from .validity import Validity

MEASURES = ("confidence", "region_score")  # numbers in a grade's evidence


class GradeIndex:
    """The grades of a run that count, by transcript.

    Made in one pass over `grades.jsonl`; keeps some 30 bytes a grade. `graders` maps every grader
    that graded anything (or those in `only`), sorted, to the names of the numbers in its evidence.
    counts: tells from grader and evidence whether a grade counts (default: as the run states).
    Raises `InputError` on a line that is no grade, or if the file cannot be read.
    """

    def __init__(
        self,
        run: RunDirectory,
        only: Container[str] | None = None,
        counts: Callable[[str, Mapping[str, Any]], bool] | None = None,
    ) -> None:
        self._path, self._only = run.grades_path.absolute(), only  # workers may have another folder
        self._validity = run.validity() if counts is None else Validity()
        self._counts = counts or self._validity.counts
        self._offsets = IdMap()  # counted from 1; 0 where the last grade does not count
        self.graders: dict[str, set[str]] = {}
        position = 0
        if self._path.exists():
            with self._opened() as file:
                for number, line in enumerate(file, 1):
                    self._note(line, number, position)
                    position += len(line)
        self.graders = dict(sorted(self.graders.items()))

    @contextmanager
    def open(self) -> Iterator[Callable[[str], list[Grade]]]:
        """A function that looks up the grades of a transcript id, by name of the grader."""
        if not self.graders:
            yield lambda transcript_id: []
            return
        with self._opened() as file:
            yield lambda transcript_id: list(self._find(file, transcript_id))

    def _opened(self) -> IO[bytes]:
        try:
            return self._path.open("rb")
        except OSError as error:
            raise cannot_read(self._path, error) from None

    def _find(self, file: IO[bytes], transcript_id: str) -> Iterator[Grade]:
        for name in self.graders:
            if place := self._offsets.get(_key(transcript_id, name)):
                file.seek(place - 1)
                yield self._validity.as_shown(self._read(file.readline()))

    def _read(self, line: bytes) -> Grade:
        try:
            return Grade.model_validate(json.loads(line))
        except ValidationError as error:
            start = line[:60].decode(errors="replace")
            problem = f"{start!r}... is not a grade: {first_fault(error)}"
            raise InputError(self._path, problem, "Remove that line") from None

    def _note(self, line: bytes, number: int, position: int) -> None:
        for _, whole in complete_lines([line], self._path, number):
            try:
                grade = json.loads(whole)
                if self._only is not None and grade["grader"] not in self._only:
                    continue
                name, evidence = grade["grader"], grade["evidence"]
                counts = self._counts(name, evidence)
                self._offsets[_key(grade["transcript_id"], name)] = position + 1 if counts else 0
                if counts:
                    measures = self.graders.setdefault(name, set())
                    measures.update(measure for measure in MEASURES if measure in evidence)
            except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
                raise InputError(self._path, "not a grade", "Remove that line", number) from None


def _key(transcript_id: str, grader: str) -> int:
    return key_of(f"{transcript_id}\x1e{grader}")
