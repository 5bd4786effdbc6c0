"""The native format: a transcript as one JSON object."""

from __future__ import annotations

from collections.abc import Iterator, Set
from contextlib import contextmanager
from typing import Any, get_args

from pydantic import ValidationError

from ..absent import is_no_answer
from ..errors import first_fault
from ..files.json_input import (
    as_choices,
    as_covariates,
    as_list,
    as_text,
    as_texts,
    json_or_none,
    name_in,
)
from ..make_task import make_task
from ..records import AnswerKind, InstructionType, NudgeMode, Outcome, Step, Task, Transcript
from .chat_records import chat_in, has_turn, why_no_turn
from .conversation import steps_of
from .messages import read_messages
from .warn_once import warn_once

_TASK_FIELDS = (
    "question", "context", "ground_truth", "answer_kind", "choices", "data_files", "covariates",
)  # fmt: skip
_TRANSCRIPT_FIELDS = ("agent", "nudge_mode", "outcome", "problem")
_KNOWN = frozenset(
    {"transcript_id", "task_id", "steps", "metadata", *_TASK_FIELDS, *_TRANSCRIPT_FIELDS}
)
CHATS = ("messages", "conversations")  # a chat's field: of APIs, of ShareGPT
OUTPUT_FIELDS = frozenset({"steps", "raw_output", *CHATS})  # a transcript has one of them
_NESTED = frozenset({"steps", *CHATS, "choices", "data_files", "covariates", "metadata"})
_DEFAULT_TYPE: InstructionType = "original_prompt"
_FLAGS = ("true", "false", "yes", "no", "1", "0")  # texts that pydantic reads as a bool
_STEP_FIELDS = frozenset(Step.model_fields) - {"metadata"}
# What was recorded of a step beside its text; what is not as it should be is computed again.
_INSTRUMENTED = _STEP_FIELDS - {"instruction_text", "instruction_type", "raw_output"}
_SHARES = frozenset({"anchoring_score"})  # from 0 to 1
_AMOUNTS = frozenset({"elapsed_time", "token_count", "n_candidates"})  # not negative


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
    """A transcript from one JSON object. Unknown fields go to metadata. A record that can be named
    but not graded comes back with `problem` set; nothing is raised for bad content."""
    record = {name: _parsed(value) if name in _NESTED else value for name, value in record.items()}
    chat = _take_held(record)
    is_ours = record.get("steps") is not None
    if chat is None and not is_ours and "raw_output" in record:
        record["steps"] = [{name: record.pop(name) for name in _STEP_FIELDS if name in record}]
    if chat is None and not record.get("steps"):
        chat = _take_chat(record)
    messages = list(read_messages(chat))
    if not is_ours and "problem" in record:  # what MATH and its like call a question
        name = "stated_problem" if as_text(record.get("question")) else "question"
        record[name] = record.pop("problem")
    if messages and not as_text(record.get("question")):
        record["question"] = next((text for role, text in messages if role == "user"), "")
    metadata = _metadata(record.get("metadata"))
    metadata.update({name: value for name, value in record.items() if name not in _KNOWN})
    named = as_text(record.get("transcript_id")) or as_text(record.get("id"))
    transcript_id = named or fallback_id
    problems = [] if named else ["no_transcript_id: the record has no transcript_id, nor an id"]
    task = _task(record, transcript_id, problems)
    steps = steps_of(messages, task.question)
    if not steps:  # an agent whose only turns are empty has said nothing
        steps = (Step(),) if has_turn(chat) else _steps(record, chat, transcript_id, problems)
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


def _take_held(record: dict[str, Any]) -> object:
    """Take a chat out of a record that holds it as its steps, as smolagents calls its messages, or,
    without steps, as its output; None if it does not."""
    for name in ("steps", "raw_output"):
        if (chat := chat_in(record.get(name))) is not None:
            del record[name]
            return chat
        if record.get("steps"):
            break
    return None


def _take_chat(record: dict[str, Any]) -> object:
    """Take the messages out of a record: the first that are not empty, else what is there."""
    chat = None
    for name in CHATS:
        if not chat and record.get(name) is not None:
            chat = record.pop(name)
    return chat


def broken(transcript_id: str, problem: str) -> Transcript:
    """A stand-in for a record that could not be read."""
    return Transcript(
        transcript_id=transcript_id, task=Task(task_id=transcript_id), problem=problem[:300]
    )


def _parsed(value: object) -> object:
    """The list or object in a JSON text, as tables hold them; any other value unchanged."""
    if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
        parsed = json_or_none(value)
        return value if parsed is None else parsed
    return value


def _metadata(value: object) -> dict[str, Any]:
    """An object unchanged; any other value under the name `metadata`."""
    if value is None or isinstance(value, dict):
        return dict(value or {})
    return {"metadata": value}


def _task(record: dict[str, Any], transcript_id: str, problems: list[str]) -> Task:
    files = record.get("data_files")
    choices: tuple[str, ...] = ()
    data_files: tuple[str, ...] = ()
    covariates: dict[str, str] = {}
    kind: AnswerKind | None = None
    with _noted(problems):
        choices = as_choices(record.get("choices"))
    with _noted(problems, "data_files: "):
        data_files = as_texts([files] if isinstance(files, str) else files)
    with _noted(problems):
        covariates = as_covariates(record.get("covariates"))
    with _noted(problems):
        kind = name_in(record, "answer_kind", get_args(AnswerKind))
    task = make_task(
        as_text(record.get("task_id")) or transcript_id,
        as_text(record.get("question")) or "",
        as_text(record.get("ground_truth")),
        choices,
        kind=kind,
        context=as_text(record.get("context")) or "",
        data_files=data_files,
        covariates=covariates,
    )
    if task.ground_truth is None:
        among = _among(record) if record.get("ground_truth") is None else ""
        problems.append(f"no_ground_truth: the record has no ground_truth{among}")
    return task


def _among(record: dict[str, Any]) -> str:
    """The fields of a record that no transcript has, for a message; "" if there are none."""
    others = ", ".join(sorted(n for n in record.keys() - _KNOWN if record[n] is not None))[:120]
    return f" (its other fields: {others})" if others else ""


def _steps(
    record: dict[str, Any], chat: object, transcript_id: str, problems: list[str]
) -> tuple[Step, ...]:
    """All steps of a record; none if one of them is unreadable, as part of the agent's work is then
    unknown. chat: its messages, in which the agent has no turn."""
    items = as_list(record.get("steps"))
    if not items:
        lacks = f"the record has no steps, messages or raw_output{_among(record)}"
        why = why_no_turn(chat) or lacks
        problems.append(f"no_steps: {why}")
    steps: list[Step] = []
    for number, item in enumerate(items, 1):
        with _noted(problems, f"step {number}: "):
            steps.append(_step(item, transcript_id))
    return tuple(steps) if len(steps) == len(items) else ()


def _step(item: object, transcript_id: str) -> Step:
    """One step of a transcript. Raises `ValueError` that says what is wrong."""
    if not isinstance(item, dict):
        raise ValueError("not an object")
    stated = {name: value for name, value in item.items() if value is not None}
    fields = {name: value for name, value in stated.items() if name in _STEP_FIELDS}
    extra = {name: value for name, value in item.items() if name not in _STEP_FIELDS}
    extra.update(_metadata(extra.pop("metadata", None)))
    output = as_text(fields.pop("raw_output", None))
    if output is None:
        if "raw_output" in item:
            raise ValueError("raw_output is empty (null)")
        raise ValueError(f"no raw_output among its keys ({', '.join(item)[:120]})")
    if isinstance(error := fields.get("execution_error"), str) and error.lower() not in _FLAGS:
        fields["execution_error"] = None if is_no_answer(error) else True
        extra["execution_error"] = error  # in its own words
    kind = as_text(fields.pop("instruction_type", None)) or _DEFAULT_TYPE
    if kind in get_args(InstructionType):
        fields["instruction_type"] = kind
    else:
        _warn_of_type(kind, transcript_id)
        extra["instruction_type"] = kind
    step = _built(fields, transcript_id, raw_output=output, metadata=extra)
    unfit = {name for name in _SHARES if not 0 <= (getattr(step, name) or 0) <= 1}
    unfit |= {name for name in _AMOUNTS if (getattr(step, name) or 0) < 0}
    if unfit:
        step = _without(unfit, fields, transcript_id, raw_output=output, metadata=extra)
    return step


def _built(fields: dict[str, Any], transcript_id: str, **given: Any) -> Step:
    """A step of these fields; those of the instrumentation that cannot be read go to metadata.
    Raises `ValidationError` for others."""
    try:
        return Step(**fields, **given)
    except ValidationError as error:
        unfit = {str(fault["loc"][0]) for fault in error.errors()}
        if not unfit <= _INSTRUMENTED:
            raise
        return _without(unfit, fields, transcript_id, **given)


def _without(
    unfit: Set[str],
    fields: dict[str, Any],
    transcript_id: str,
    metadata: dict[str, Any],
    **given: Any,
) -> Step:
    """A step without some fields, which stay in its metadata. It can still be graded."""
    for name in sorted(unfit):
        fault = "some steps have a value that it cannot have; it is kept as metadata"
        warn_once(name, transcript_id, f"{name}: {fault}")
    kept = {name: value for name, value in fields.items() if name not in unfit}
    return Step(**kept, **given, metadata={**metadata, **{n: fields[n] for n in unfit}})


def _warn_of_type(kind: str, transcript_id: str) -> None:
    """Warn once of each unknown type; a record with such steps can still be graded."""
    valid = ", ".join(get_args(InstructionType))
    warn_once(
        f"instruction_type {kind}",
        transcript_id,
        "instruction_type %r counts as %s: it is none of %s", kind, _DEFAULT_TYPE, valid,
    )  # fmt: skip


@contextmanager
def _noted(problems: list[str], where: str = "") -> Iterator[None]:
    """Add an error in one part to the record's problems, and read on."""
    try:
        yield
    except ValidationError as error:
        problems.append(f"{where}{first_fault(error)}")
    except ValueError as error:
        problems.append(where + str(error))
