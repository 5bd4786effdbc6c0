"""Reading task files (`--tasks`) and tables of covariates (`--covariates`).

Read: task files of QRData, DAEval and DSGym (a JSON list of `question, context, answer, data,
metadata`) and JSON lines with this package's own Task fields. Task metadata other than
bookkeeping becomes covariates; the data set's dimension is computed from its CSV.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

from ..errors import InputError, UserError
from ..files.csv_files import read_covariates
from ..files.json_input import (
    as_choices,
    as_covariates,
    as_list,
    as_mapping,
    as_text,
    load_json,
    name_in,
    parse_json,
    watched,
)
from ..files.jsonl import read_lines
from ..make_task import make_task
from ..records import AnswerKind, Task
from .data_files import dimension, find_files, is_file

_IDS = ("task_id", "id", "sample_id")
_BOOKKEEPING = frozenset({"reference", "question_type", "multiple_choices", "keywords", "id"})
log = logging.getLogger("grader")


def load_tasks(path: Path, data_dir: Path | None = None) -> list[Task]:
    """Read a task file. `data_dir` is where its data files lie (default: beside the task file, or
    in its folder's `csv/` or `data/`). Raises `InputError` for a file that is no task file,
    or holds two different tasks of one id.

    Tasks without an id of their own are named by their position: `qrdata_0`, `qrdata_1` ...
    """
    places = [data_dir] if data_dir else [path.parent, path.parent / "csv", path.parent / "data"]
    tasks: dict[str, Task] = {}
    for index, (line, record) in enumerate(_records(path)):
        if not isinstance(record, dict) or record.get("question") is None:
            raise InputError(path, f"task {index} has no question", "Is this a task file?", line)
        try:
            task = _task(record, f"{path.stem}_{index}", places)
        except ValueError as error:
            raise InputError(path, f"task {index}: {error}", "Correct that task", line) from None
        if tasks.setdefault(task.task_id, task) != task:
            problem = f"task {index}: another task before it has the id {task.task_id!r} too"
            raise InputError(path, problem, "Give each task an id of its own", line)
    if not tasks:
        raise InputError(path, "holds no tasks", "Name a QRData or DSGym task file")
    return list(tasks.values())


def named_tasks(path: Path | None, data_dir: Path | None) -> list[Task]:
    """The tasks that a command's --tasks and --data name; none if they are not given. Raises
    `UserError` for data files without a task file, `InputError` for a folder that is not there,
    and as `load_tasks` does."""
    if path is None:
        if data_dir is not None:
            raise UserError("--data names the data files of --tasks FILE, which is not given")
        return []
    if data_dir is None:
        return load_tasks(path)
    if not data_dir.is_dir():
        raise InputError(data_dir, "no such folder", "Check the path given with --data")
    return load_tasks(path, data_dir)


def check_data(tasks: Iterable[Task], folder: Path | None, *, needed: bool = False) -> None:
    """Warn of data files of the tasks that the folder given with --data lacks. Raises `InputError`
    if they are `needed` and it has none of the files that the tasks name."""
    if folder is None:
        return
    files = dict.fromkeys(Path(name) for task in tasks for name in task.data_files)
    missing = [file for file in files if not is_file(file)]
    if not missing:
        return
    first = f"(the first: {missing[0]})"
    if needed and len(missing) == len(files):
        problem = f"holds none of the {len(files)} data files that the tasks name {first}"
        raise InputError(folder, problem, "Check the path given with --data")
    log.warning("%s: lacks %d of %d data files %s", folder, len(missing), len(files), first)


def load_covariates(path: Path) -> dict[str, dict[str, str]]:
    """Read a CSV of covariates with a `task_id` column: task id -> {column: value}. Raises
    `InputError`."""
    return read_covariates(path, "task_id")[1]


def _records(path: Path) -> Iterator[tuple[int | None, Any]]:
    """The records of a task file, each with its line where it has one."""
    if path.suffix == ".csv":
        raise InputError(path, "a CSV is no task file", "A CSV of covariates goes to --covariates")
    if path.suffix not in (".jsonl", ".ndjson"):
        value = load_json(path)
        if not isinstance(value, list):
            raise InputError(path, "not a list of tasks", "Name a QRData or DSGym task file")
        yield from ((None, record) for record in value)
        return
    for number, line in watched(path, read_lines(path)):
        try:
            yield number, parse_json(line)
        except ValueError:
            raise InputError(path, "not valid JSON", "Repair that line", number) from None


def _task(record: dict[str, Any], fallback: str, places: list[Path]) -> Task:
    """The task in a record. Raises `ValueError`, naming the field, if it is not a valid task."""
    metadata = as_mapping(record.get("metadata"))
    files = find_files(as_list(record.get("data_files") or record.get("data")), places)
    described = as_covariates({n: metadata[n] for n in metadata if n not in _BOOKKEEPING})
    return make_task(
        next(filter(None, (as_text(record.get(name)) for name in _IDS)), fallback),
        as_text(record["question"]) or "",
        as_text(record.get("ground_truth", record.get("answer"))),
        as_choices(record.get("choices") or metadata.get("multiple_choices")),
        kind=name_in(record, "answer_kind", get_args(AnswerKind)),
        context=as_text(record.get("context")) or "",
        data_files=map(str, files),
        covariates={
            **dimension(files),
            **described,
            **as_covariates(record.get("covariates")),
        },
    )
