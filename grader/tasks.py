"""Task files, and joining tasks onto transcripts that lack their context.

Read: task files of QRData, DAEval and DSGym (a JSON list of `question, context, answer, data,
metadata`) and JSON lines with this package's own Task fields. Task metadata other than
bookkeeping becomes covariates; the data set's dimension is computed from its CSV.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

from .choices import infer_answer_kind
from .csv_files import read_covariates
from .data_files import dimension, find_files
from .errors import InputError, UserError
from .json_input import (
    as_choices,
    as_covariates,
    as_list,
    as_mapping,
    as_text,
    load_json,
    name_in,
    parse_json,
)
from .jsonl import read_lines
from .records import AnswerKind, Task, Transcript
from .truth import published_answer

_BOOKKEEPING = frozenset({"reference", "question_type", "multiple_choices", "keywords", "id"})
_INDEX = re.compile(r"(?<!\d)(\d{1,9})$")


def load_tasks(path: Path, data_dir: Path | None = None) -> list[Task]:
    """Read a task file. `data_dir` is where its CSVs lie (default: beside the file, or in
    its folder's `csv/` or `data/`). Raises `InputError` for a file that is no task file,
    or holds two tasks of one id.

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
        if task.task_id in tasks:
            problem = f"task {index}: an earlier task has the id {task.task_id!r} too"
            raise InputError(path, problem, "Give each task an id of its own", line)
        tasks[task.task_id] = task
    if not tasks:
        raise InputError(path, "holds no tasks", "Name a QRData or DSGym task file")
    return list(tasks.values())


def named_tasks(path: Path | None, data_dir: Path | None) -> list[Task]:
    """The tasks that a command's --tasks and --data name; none if they are not given. Raises
    `UserError` for data files without a task file, and as `load_tasks` does."""
    if data_dir is not None:
        if path is None:
            raise UserError("--data names the data files of --tasks FILE, which is not given")
        if not data_dir.is_dir():
            raise InputError(data_dir, "no such folder", "Check the path given with --data")
    return load_tasks(path, data_dir) if path else []


def load_covariates(path: Path) -> dict[str, dict[str, str]]:
    """Read a CSV of covariates with a `task_id` column: task id -> {column: value}. Raises
    `InputError`."""
    return read_covariates(path, "task_id")[1]


class TaskIndex:
    """Finds the task of a transcript: by id, by position in the id, then by question."""

    def __init__(
        self, tasks: Iterable[Task], covariates: dict[str, dict[str, str]] | None = None
    ) -> None:
        self.tasks = list(tasks)
        self.covariates = covariates or {}
        self._by_id = {task.task_id: task for task in self.tasks}
        self._by_question: dict[str, list[Task]] = {}
        for task in self.tasks:
            self._by_question.setdefault(_same(task.question), []).append(task)

    def find(self, transcript: Transcript) -> Task | None:
        """The transcript's task, or None. A position is trusted only if the question agrees."""
        known = transcript.task
        if task := self._by_id.get(known.task_id):
            return task
        if position := _INDEX.search(known.task_id):
            place = int(position[1])
            if place < len(self.tasks) and _same(self.tasks[place].question) == _same(
                known.question
            ):
                return self.tasks[place]
        asked = self._by_question.get(_same(known.question), [])
        if len(asked) > 1:
            asked = [task for task in asked if task.ground_truth == known.ground_truth]
        return asked[0] if len(asked) == 1 else None

    def join(self, transcript: Transcript) -> Transcript:
        """A copy with whatever its task lacks filled in; what it has is kept."""
        task, found = transcript.task, self.find(transcript)
        update: dict[str, Any] = {}
        if found is not None:
            for name in ("question", "context", "ground_truth", "choices", "data_files"):
                if not getattr(task, name):
                    update[name] = getattr(found, name)
            update["answer_kind"] = _joined_kind(task, found, task.model_copy(update=update))
            update["covariates"] = {**found.covariates, **task.covariates}
        if extra := self._covariates_of(task, found):
            update["covariates"] = {**task.covariates, **update.get("covariates", {}), **extra}
        if not update:
            return transcript
        joined: dict[str, Any] = {"task": task.model_copy(update=update)}
        if (
            transcript.problem
            and "no_ground_truth" in transcript.problem
            and update.get("ground_truth")
        ):
            rest = [p for p in transcript.problem.split("; ") if "no_ground_truth" not in p]
            joined["problem"] = "; ".join(rest) or None
        return transcript.model_copy(update=joined)

    def lacking(self, transcript: Transcript) -> tuple[str, ...]:
        """The options whose files hold nothing for a transcript: --tasks, --covariates."""
        found = self.find(transcript)
        has_covariates = bool(self._covariates_of(transcript.task, found))
        options = []
        if self.tasks and found is None:
            options.append("--tasks")
        if self.covariates and not has_covariates:
            options.append("--covariates")
        return tuple(options)

    def _covariates_of(self, task: Task, found: Task | None) -> dict[str, str]:
        """The covariates stated for a task, or for what was found for it."""
        stated = self.covariates.get(task.task_id)
        return stated or self.covariates.get(found.task_id if found else "", {})


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
    for number, line in read_lines(path):
        try:
            yield number, parse_json(line)
        except ValueError:
            raise InputError(path, "not valid JSON", "Repair that line", number) from None


def _task(record: dict[str, Any], fallback: str, places: list[Path]) -> Task:
    """A record as a task. Raises `ValueError`, with the field, where it cannot be one."""
    metadata = as_mapping(record.get("metadata"))
    question = as_text(record["question"]) or ""
    choices = as_choices(record.get("choices") or metadata.get("multiple_choices"))
    truth = published_answer(_truth(record.get("ground_truth", record.get("answer"))), choices)
    files = find_files(as_list(record.get("data_files") or record.get("data")), places)
    kind = name_in(record, "answer_kind", get_args(AnswerKind))
    described = {name: metadata[name] for name in metadata if name not in _BOOKKEEPING}
    return Task(
        task_id=as_text(record.get("task_id")) or as_text(record.get("id")) or fallback,
        question=question,
        context=as_text(record.get("context")) or "",
        ground_truth=truth,
        answer_kind=kind or infer_answer_kind(truth, choices, question),
        choices=choices,
        data_files=tuple(str(file) for file in files),
        covariates={**dimension(files), **as_covariates(described), **_covariates(record)},
    )


def _covariates(record: dict[str, Any]) -> dict[str, str]:
    given = record.get("covariates") or {}
    if not isinstance(given, dict):
        raise ValueError("covariates: not an object of names and values")
    return as_covariates(given)


def _joined_kind(task: Task, found: Task, joined: Task) -> AnswerKind:
    """The kind that the transcript states, else the one that its task file states, else what
    both together suggest."""
    return _stated_kind(task) or _stated_kind(found) or _suggested_kind(joined)


def _stated_kind(task: Task) -> AnswerKind | None:
    """A task's kind of answer, unless its own published answer and options suggest the same."""
    return None if task.answer_kind == _suggested_kind(task) else task.answer_kind


def _suggested_kind(task: Task) -> AnswerKind:
    return infer_answer_kind(task.ground_truth, task.choices, task.question)


def _truth(answer: object) -> str | None:
    """A published answer as text. DAEval names its answers: `[["mean_fare", "34.65"]]` is 34.65;
    several of them stay as they are."""
    match answer:
        case None | str():
            return answer
        case [[str(), (str() | int() | float()) as only]]:
            return str(only)
    return json.dumps(answer)


def _same(question: str) -> str:
    return " ".join(question.split()).lower()
