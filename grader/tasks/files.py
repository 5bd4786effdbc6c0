"""Reading task files (`--tasks`) and tables of covariates (`--covariates`).

Read: task files of QRData, DAEval and DSGym (a JSON list of `question, context, answer, data,
metadata`; QRData's own has `data_description` and `meta_data`, DAEval's `file_name`) and JSON lines
with this package's own Task fields, compressed or not. Task metadata other than bookkeeping
becomes covariates; the data set's dimension is computed from its CSV.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from itertools import islice
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
    json_or_none,
    name_in,
    parse_json,
    watched,
)
from ..files.jsonl import complete_lines
from ..make_task import make_task
from ..readers.shards import JSON_LINES, PARQUET, open_shard, whole_json
from ..records import AnswerKind, Task
from .bookkeeping import described
from .data_files import dimension, find_files, is_file

_IDS = ("task_id", "id", "sample_id")
_ANSWERS = "common_answers"  # in DAEval's file of published answers
log = logging.getLogger("grader")


def load_tasks(path: Path, data_dir: Path | None = None) -> list[Task]:
    """Read a task file. `data_dir` is where its data files lie (default: beside the task file, or
    in its folder's `csv/` or `data/`). Raises `InputError` for a file that is no task file,
    or holds two different tasks of one id.

    Tasks without an id of their own are named by their position: `qrdata_0`, `qrdata_1` ...
    """
    places = [data_dir] if data_dir else [path.parent, path.parent / "csv", path.parent / "data"]
    name = _uncompressed(path).stem
    records = [
        (line, _with_question(path, index, line, record))
        for index, (line, record) in enumerate(_records(path))
    ]
    covariates = described(path, (_metadata(record) for _, record in records))
    tasks: dict[str, Task] = {}
    for index, (line, record) in enumerate(records):
        try:
            task = _task(record, f"{name}_{index}", places, covariates[index])
        except ValueError as error:
            raise InputError(path, f"task {index}: {error}", "Correct that task", line) from None
        if tasks.setdefault(task.task_id, task) != task:
            problem = f"task {index}: another task before it has the id {task.task_id!r} too"
            raise InputError(path, problem, "Give each task an id of its own", line)
    if not tasks:
        raise InputError(path, "holds no tasks", "Name a QRData or DSGym task file")
    if not any(task.ground_truth for task in tasks.values()):
        log.warning(
            "%s: no task has a published answer (ground_truth or answer), so transcripts without "
            "one of their own are ungraded", path
        )  # fmt: skip
    return list(tasks.values())


def _with_question(path: Path, index: int, line: int | None, record: object) -> dict[str, Any]:
    """A record that may be a task. Raises `InputError` for any other."""
    if isinstance(record, dict) and record.get("question") is not None:
        return record
    problem, remedy = f"task {index} has no question", "Is this a task file?"
    if isinstance(record, dict) and _ANSWERS in record:
        problem += f", only {_ANSWERS}"
        remedy = f"Put each task's {_ANSWERS} into the file of the questions, by id, and name that"
    raise InputError(path, problem, remedy, line)


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
    if _uncompressed(path).suffix == ".csv":
        raise InputError(path, "a CSV is no task file", "A CSV of covariates goes to --covariates")
    if path.name.endswith(PARQUET):
        remedy = "Write it as JSON lines (in pandas: to_json(FILE, orient='records', lines=True))"
        raise InputError(path, "a Parquet file is no task file", remedy)
    if not _is_in_lines(path):
        value = whole_json(path)
        if not isinstance(value, list):
            raise InputError(path, "not a list of tasks", "Name a QRData or DSGym task file")
        yield from ((None, record) for record in value)
        return
    with open_shard(path) as file:
        for number, line in watched(path, complete_lines(file, path)):
            try:
                yield number, parse_json(line)
            except ValueError:
                raise InputError(path, "not valid JSON", "Repair that line", number) from None


def _is_in_lines(path: Path) -> bool:
    """Whether a file holds JSON lines: by its name, or as it begins with a line that is an object
    and goes on."""
    if path.name.endswith(JSON_LINES):
        return True
    with open_shard(path) as file:
        lines = list(islice((line for line in file if not line.isspace()), 2))
    return len(lines) == 2 and isinstance(json_or_none(lines[0]), dict)


def _uncompressed(path: Path) -> Path:
    """A file's name without the suffix of its compression."""
    return path.with_suffix("") if path.suffix in (".gz", ".zst") else path


def _metadata(record: dict[str, Any]) -> dict[str, Any]:
    return as_mapping(record.get("metadata") or record.get("meta_data"))


def _task(
    record: dict[str, Any], fallback: str, places: list[Path], covariates: dict[str, str]
) -> Task:
    """The task in a record. covariates: those in its metadata. Raises `ValueError`, naming the
    field, if it is not a valid task."""
    named = (record.get(name) for name in ("data_files", "data", "file_name"))
    files = find_files(as_list(next(filter(None, named), None)), places)
    answers = (record.get(name) for name in ("ground_truth", "answer", _ANSWERS))
    return make_task(
        next(filter(None, (as_text(record.get(name)) for name in _IDS)), fallback),
        as_text(record["question"]) or "",
        as_text(next((answer for answer in answers if answer is not None), None)),
        as_choices(record.get("choices") or _metadata(record).get("multiple_choices")),
        kind=name_in(record, "answer_kind", get_args(AnswerKind)),
        context=as_text(record.get("context") or record.get("data_description")) or "",
        data_files=map(str, files),
        covariates={
            **dimension(files),
            **covariates,
            **as_covariates(record.get("covariates")),
        },
    )
