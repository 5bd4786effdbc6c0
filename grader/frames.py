"""The short verbs for tables, `grade_column` and `grade_file`: pandas in, pandas out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

import pandas as pd

from .api import Cell, Choices, checked_settings, grade, is_column, offered_options
from .cascade import check_strict, strict_grades
from .errors import UserError
from .files.listing import named_path
from .grader_names import KEYWORD, STRICT
from .readers import read
from .records import Grade, Task
from .run.directory import RunDirectory, transcripts_of
from .run.validity import Validity
from .settings import GradeSettings, settings_of_run
from .tasks import load_tasks
from .tasks.index import TaskIndex
from .tasks.unmatched import Unmatched

Given = TypeVar("Given", bound=Task | Cell)


def grade_column(
    texts: Iterable[Cell],
    truths: Iterable[Task | Cell] | Task | Cell,
    questions: Iterable[Cell] | Cell = "",
    *,
    choices: Choices | None = (),
    grader: str = KEYWORD,
    settings: GradeSettings | None = None,
) -> pd.DataFrame:
    """Grade a column of outputs (a list or a pandas column), each row as `grade` does. A gap among
    the outputs or published answers is `ungraded`.

    truths, questions: one a row, or one for all of them. choices: the options of all rows;
    where they differ, give a `Task` for each row as its truth.
    Returns a frame with columns verdict, value and reason, on the index of `texts`. Raises
    `UserError` for what is no column, for columns of unequal length or with different indexes,
    for what names no strict grader, for settings that are no `GradeSettings`, and for a cell that
    `grade` refuses, with the place of its row.

    >>> grade_column(["It is 3.", "It is 4."], "3")["verdict"].tolist()
    ['correct', 'incorrect']
    """
    if isinstance(texts, str | bytes | bytearray):
        raise UserError("texts: a single text, not a column; `grade` takes one")
    if isinstance(texts, Mapping) or not is_column(texts):
        kind = type(texts).__name__
        raise UserError(f"texts: a {kind}, not a column. Give a list, or one column of a frame")
    check_strict([grader])
    settings = checked_settings(settings)
    outputs, offered = list(texts), offered_options(choices)
    rows = zip(
        outputs,
        _beside(texts, outputs, "truths", truths),
        _beside(texts, outputs, "questions", questions),
        strict=True,
    )

    grade_one = partial(grade, choices=offered, grader=grader, settings=settings)
    grades = [_in_row(place, partial(grade_one, *row)) for place, row in enumerate(rows)]
    return pd.DataFrame(
        [(g.verdict, g.value, g.reason) for g in grades],
        columns=["verdict", "value", "reason"],
        index=texts.index if isinstance(texts, pd.Series) else None,
    )


def grade_file(
    path: str | os.PathLike[str],
    tasks: str | os.PathLike[str] | None = None,
    *,
    graders: Iterable[str] | str = STRICT,
    settings: GradeSettings | None = None,
    format: str = "auto",
) -> pd.DataFrame:
    """Grade a recorded run with strict graders, as `grader grade` does, in memory.

    path: what `grader grade` takes, a file, a folder of shards, a run directory or a pattern.
    tasks: a task file that completes its transcripts.
    settings: by default those that a run directory was last graded with, as for `grader grade`.
    format: a name that `grader grade --format` takes, or "auto" to recognise it.
    Returns a frame with columns transcript_id, task_id, grader, verdict, value and reason: a row
    for each transcript and grader. Raises `InputError` if nothing can be read, and `UserError` for
    what is no path, a grader that is not strict, a task file that has none of the run's tasks,
    settings that are no `GradeSettings`, or an unknown format.

    >>> grade_file("run/dsgym_results.json").groupby("grader")["verdict"].value_counts()
    ... # doctest: +SKIP
    """
    is_one = isinstance(graders, str | bytes) or not is_column(graders)
    names = check_strict([cast("str", graders)] if is_one else graders)
    place = named_path(path)
    settings = checked_settings(_settings_of(place) if settings is None else settings)
    index = TaskIndex(load_tasks(named_path(tasks)) if tasks is not None else [])
    columns = ["transcript_id", "task_id", "grader", "verdict", "value", "reason"]
    transcripts = read(transcripts_of(place), format)
    completed = Unmatched(index).watch(map(index.complete, transcripts))
    rows = (
        [getattr(one, name) for name in columns]
        for each in completed
        for one in strict_grades(each.transcript, names, settings)
    )
    return pd.DataFrame(rows, columns=columns)


def _settings_of(path: Path) -> GradeSettings | None:
    """The settings that a run directory was last graded with, else those that `grader run` made it
    with; None if it states neither, or is no run."""
    run = RunDirectory(path)
    if not run.is_run:
        return None
    manifest = run.manifest()
    graded = Validity.stated_in(manifest)
    return graded.settings if graded and graded.leading else settings_of_run(manifest)


def _in_row(place: int, grade_it: Callable[[], Grade]) -> Grade:
    """The grade of a row. A `UserError` says which row it is."""
    try:
        return grade_it()
    except UserError as error:
        raise UserError(f"row {place}, counted from 0: {error}") from None


def _beside(
    texts: Iterable[Cell], outputs: list[Cell], name: str, given: Iterable[Given] | Given
) -> list[Given]:
    """One value for each output. Raises `UserError` if the column has other rows."""
    if isinstance(given, pd.DataFrame | Mapping):
        raise UserError(f"{name}: a {type(given).__name__}, not a column")
    if isinstance(given, str | bytes | Task) or not is_column(given):
        return [cast("Given", given)] * len(outputs)
    values = list(given)
    if len(values) != len(outputs):
        raise UserError(f"{name}: {len(values)} values for {len(outputs)} texts")
    if (
        isinstance(texts, pd.Series)
        and isinstance(given, pd.Series)
        and not texts.index.equals(given.index)
    ):
        raise UserError(f"{name} and texts have different indexes; align them, or give lists")
    return values
