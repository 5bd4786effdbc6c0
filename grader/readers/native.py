"""The native format: JSON lines, one transcript a line."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from ..errors import first_fault
from ..extraction.choices import infer_answer_kind
from ..files.json_input import (
    as_choices,
    as_covariates,
    as_mapping,
    as_text,
    as_texts,
    name_in,
    parse_json,
)
from ..files.jsonl import complete_lines
from ..records import AnswerKind, InstructionType, NudgeMode, Outcome, Step, Task, Transcript
from ..truth import published_answer
from .chunks import CHUNK_BYTES, CHUNK_RECORDS, Chunk
from .shards import open_shard

log = logging.getLogger("grader")
_TASK_FIELDS = (
    "question", "context", "ground_truth", "answer_kind", "choices", "data_files", "covariates",
)  # fmt: skip
_TRANSCRIPT_FIELDS = ("agent", "nudge_mode", "outcome", "problem")
_DEFAULT_TYPE: InstructionType = "original_prompt"
_STEP_FIELDS = frozenset(Step.model_fields) - {"metadata"}


def to_native(transcript: Transcript) -> dict[str, Any]:
    """A transcript as a JSON object; `from_native` reads it back unchanged."""
    task = transcript.task.model_dump(mode="json", exclude_defaults=True)
    record: dict[str, Any] = {"transcript_id": transcript.transcript_id, **task}
    record["task_id"] = transcript.task.task_id
    record["answer_kind"] = transcript.task.answer_kind
    for name in _TRANSCRIPT_FIELDS:
        if value := getattr(transcript, name):
            record[name] = value
    record["steps"] = [
        step.model_dump(mode="json", exclude_none=True, exclude={"metadata"})
        | ({"metadata": step.metadata} if step.metadata else {})
        for step in transcript.steps
    ]
    if transcript.metadata:
        record["metadata"] = transcript.metadata
    return record


def from_native(record: dict[str, Any], fallback_id: str = "") -> Transcript:
    """Read one JSON object. Unknown fields go to metadata. A record that can be named but
    not graded comes back with `problem` set; nothing is raised for bad content."""
    known = {"transcript_id", "task_id", "steps", "metadata", *_TASK_FIELDS, *_TRANSCRIPT_FIELDS}
    metadata = dict(as_mapping(record.get("metadata")))
    metadata.update({name: value for name, value in record.items() if name not in known})
    transcript_id = as_text(record.get("transcript_id")) or fallback_id
    problems = [] if as_text(record.get("transcript_id")) else ["no_transcript_id"]
    task = _task(record, transcript_id, problems)
    steps = _steps(record.get("steps"), problems)
    nudge_mode: NudgeMode | None = None
    outcome: Outcome | None = None
    with _noted(problems):
        nudge_mode = name_in(record, "nudge_mode", get_args(NudgeMode))
    with _noted(problems):
        outcome = name_in(record, "outcome", get_args(Outcome))
    return Transcript(
        transcript_id=transcript_id,
        task=task,
        steps=steps,
        agent=as_text(record.get("agent")) or "",
        nudge_mode=nudge_mode,
        outcome=outcome,
        problem=as_text(record.get("problem")) or "; ".join(problems) or None,
        metadata=metadata,
    )


@dataclass(frozen=True)
class Lines:
    """Consecutive lines of a native file: (line number, line)."""

    name: str
    lines: tuple[tuple[int, bytes], ...]

    def transcripts(self) -> Iterator[Transcript]:
        """Read the lines. One that cannot be parsed becomes a transcript named after its line,
        with the `problem`, so that it is reported and the rest goes on."""
        for number, line in self.lines:
            yield _from_line(f"{self.name}:{number}", line, number)


def native_chunks(path: Path) -> Iterator[Chunk]:
    """The lines of a native file, compressed or not, a few at a time and not yet parsed."""
    with open_shard(path) as file:
        yield from lines_in_chunks(path.name, complete_lines(file, path))


def lines_in_chunks(name: str, lines: Iterable[tuple[int, bytes]]) -> Iterator[Chunk]:
    """Group lines into chunks of bounded size."""
    held: list[tuple[int, bytes]] = []
    size = 0
    for number, line in lines:
        held.append((number, line))
        size += len(line)
        if size >= CHUNK_BYTES or len(held) >= CHUNK_RECORDS:
            yield Lines(name, tuple(held))
            held, size = [], 0
    if held:
        yield Lines(name, tuple(held))


def broken(transcript_id: str, problem: str) -> Transcript:
    """A stand-in for a record that could not be read."""
    return Transcript(
        transcript_id=transcript_id, task=Task(task_id=transcript_id), problem=problem[:300]
    )


def _from_line(fallback: str, line: bytes, number: int) -> Transcript:
    try:
        record = parse_json(line)
    except ValueError as error:
        return broken(fallback, f"line {number} is not valid JSON ({error})")
    if not isinstance(record, dict):
        return broken(fallback, f"line {number} is not a JSON object")
    return from_native(record, fallback)


def _task(record: dict[str, Any], transcript_id: str, problems: list[str]) -> Task:
    question = as_text(record.get("question")) or ""
    files = record.get("data_files")
    choices: tuple[str, ...] = ()
    data_files: tuple[str, ...] = ()
    kind: AnswerKind | None = None
    with _noted(problems):
        choices = as_choices(record.get("choices"))
    with _noted(problems, "data_files: "):
        data_files = as_texts([files] if isinstance(files, str) else files)
    with _noted(problems):
        kind = name_in(record, "answer_kind", get_args(AnswerKind))
    truth = published_answer(as_text(record.get("ground_truth")), choices)
    if truth is None:
        problems.append("no_ground_truth: the record has no ground_truth")
    return Task(
        task_id=as_text(record.get("task_id")) or transcript_id,
        question=question,
        context=as_text(record.get("context")) or "",
        ground_truth=truth,
        answer_kind=kind or infer_answer_kind(truth, choices, question),
        choices=choices,
        data_files=data_files,
        covariates=as_covariates(as_mapping(record.get("covariates"))),
    )


def _steps(raw: object, problems: list[str]) -> tuple[Step, ...]:
    """All steps of a record, or none: without one of them it is not known what the agent did."""
    if not isinstance(raw, list) or not raw:
        problems.append("no_steps: the record has no steps")
        return ()
    steps: list[Step] = []
    for number, item in enumerate(raw, 1):
        with _noted(problems, f"step {number}: "):
            steps.append(_step(item))
    return tuple(steps) if len(steps) == len(raw) else ()


def _step(item: object) -> Step:
    """Raises `ValueError` with what is wrong."""
    if not isinstance(item, dict):
        raise ValueError("not an object")
    fields = {name: value for name, value in item.items() if name in _STEP_FIELDS}
    extra = {name: value for name, value in item.items() if name not in _STEP_FIELDS}
    extra.update(as_mapping(extra.pop("metadata", None)))
    output = as_text(fields.pop("raw_output", None))
    if output is None:
        raise ValueError(f"no raw_output among its keys ({', '.join(item)[:120]})")
    kind = as_text(fields.pop("instruction_type", None)) or _DEFAULT_TYPE
    if kind in get_args(InstructionType):
        fields["instruction_type"] = kind
    else:
        _warn_of_type(kind)
        extra["instruction_type"] = kind
    return Step(**fields, raw_output=output, metadata=extra)


@lru_cache(maxsize=100)
def _warn_of_type(kind: str) -> None:
    """Said once of each: a record with such steps can be graded all the same."""
    valid = ", ".join(get_args(InstructionType))
    log.warning("instruction_type %r counts as %s: it is none of %s", kind, _DEFAULT_TYPE, valid)


@contextmanager
def _noted(problems: list[str], where: str = "") -> Iterator[None]:
    """What is wrong with one part becomes a problem of the record; the rest is read on."""
    try:
        yield
    except ValidationError as error:
        problems.append(where + ": ".join(first_fault(error)))
    except ValueError as error:
        problems.append(where + str(error))
