"""DSGym results: the list `*_results.json` writes, and one `prediction_*.json` per sample.

A results record has `sample_id, query, ground_truth, prediction, raw_response, metrics,
total_turns, extra_info` and sometimes `trajectory` or `metadata`; a per-sample file has
`prediction, ground_truth, query, turns, conversation, extra_info`. `prediction` and `metrics`
are DSGym's own extraction and verdicts: kept as metadata, never used for grading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..files.json_input import as_choices, as_list, as_mapping, as_text, load_json
from ..make_task import make_task
from ..records import InstructionType, Step, Task, Transcript
from .conversation import Turn, steps_of
from .native import broken

_KEPT = ("prediction", "metrics", "execution_time", "total_turns", "turns", "success", "error_info",
         "dataset_name")  # fmt: skip
# Roles as other frameworks call them.
_ROLES = {
    **dict.fromkeys(("human", "user"), "user"),
    **dict.fromkeys(("ai", "assistant", "gpt", "model"), "assistant"),
    **dict.fromkeys(("environment", "function", "ipython", "observation", "tool"), "tool"),
}
_PREVIEW_LENGTH = 900  # some wrappers store only about this much of the earlier turns


def looks_like_dsgym(value: object) -> bool:
    """True for a parsed results list, or one per-sample record."""
    if isinstance(value, list):
        return bool(value) and looks_like_dsgym(value[0])
    return (
        isinstance(value, dict)
        and "query" in value
        and ("sample_id" in value or "conversation" in value or "prediction" in value)
    )


def read_dsgym(path: Path) -> Iterator[Transcript]:
    """Read one results file or one per-sample file. A sample that a results file holds several
    times (pass@k) was tried several times; one of the same id with another question or published
    answer keeps that id, which is taken. Raises `InputError` if the file is not JSON."""
    value = load_json(path)
    records = value if isinstance(value, list) else [value]
    if not records:
        raise InputError(path, "the list is empty", "There is nothing to grade in it")
    tries: Counter[str] = Counter()
    tasks: dict[str, Task] = {}
    for index, record in enumerate(records):
        fallback = path.stem if len(records) == 1 else f"{path.name}:{index}"
        if isinstance(record, dict):
            transcript = from_dsgym(record, fallback)
            name = transcript.transcript_id
            is_same = _is_same(tasks.setdefault(name, transcript.task), transcript.task)
            tries[name] += is_same
            yield _as_repeat(transcript, tries[name]) if is_same else transcript
        else:
            yield broken(fallback, f"record {index} is not a JSON object")


def _is_same(one: Task, other: Task) -> bool:
    return (one.question, one.ground_truth) == (other.question, other.ground_truth)


def _as_repeat(transcript: Transcript, number: int) -> Transcript:
    """A further try at a task, named as `grader run` names those it makes."""
    if number == 1:
        return transcript
    return transcript.model_copy(
        update={
            "transcript_id": f"{transcript.transcript_id}.r{number}",
            "metadata": {**transcript.metadata, "repeat": number},
        }
    )


def from_dsgym(record: dict[str, Any], fallback_id: str) -> Transcript:
    """Read one record. As `from_native`: what cannot be graded has its `problem`, and nothing
    is raised for bad content."""
    extra = as_mapping(record.get("extra_info"))
    name = as_text(record.get("sample_id")) or as_text(extra.get("id")) or fallback_id
    try:
        task = dsgym_task(name, record.get("query"), record.get("ground_truth"), extra)
    except ValueError as error:
        return broken(name, str(error))
    metadata = {field: record[field] for field in _KEPT if field in record}
    if extra:
        metadata["extra_info"] = extra
    steps = _steps(record, task.question)
    parts = {"no_ground_truth": task.ground_truth, "no_steps": steps}
    missing = [lack for lack, part in parts.items() if not part]
    return Transcript(
        transcript_id=name,
        task=task,
        steps=steps,
        agent=as_text(extra.get("agent")) or "",
        problem="; ".join(missing) or None,
        metadata=metadata,
    )


def dsgym_task(task_id: str, question: object, truth: object, extra: Mapping[str, Any]) -> Task:
    """A DSGym sample as a task, whatever the types in it. extra: its `extra_info`, which has the
    question too. Raises `ValueError` for options that are no list."""
    files = as_mapping(extra.get("data_files")).get("absolute")
    return make_task(
        task_id,
        as_text(question) or as_text(extra.get("question")) or "",
        as_text(truth),
        as_choices(extra.get("choices")),
        context=as_text(extra.get("context")) or "",
        data_files=[as_text(file) or "" for file in as_list(files)],
    )


def sample_id(extra: Mapping[str, Any]) -> str:
    """The id that DSGym's evaluator gives a sample with this `extra_info`."""
    names = ("source", "dataset", "dataset_name")
    source = next((extra[name] for name in names if extra.get(name)), "dsgym")
    return f"{source}_{extra.get('metadata_id', '')}_{extra.get('query_id', '')}"


def _steps(record: dict[str, Any], question: str) -> tuple[Step, ...]:
    for name in ("conversation", "trajectory"):
        steps = steps_of(_turns(as_list(record.get(name))), question)
        if any(step.raw_output.strip() for step in steps):
            return steps
    final = as_text(record.get("raw_response")) or as_text(record.get("prediction")) or ""
    if not final.strip():
        return ()
    earlier, final_type = _earlier_turns(record)
    return (*earlier, Step(instruction_type=final_type, raw_output=final))


def _turns(messages: list[Any]) -> Iterator[Turn]:
    """A conversation's messages, or a trajectory's records of what was said and then seen."""
    for message in map(as_mapping, messages):
        said = message.get("postprocessed_action") or message.get("response")
        if said:
            yield Turn("assistant", _words(said))
        else:
            role = (as_text(message.get("role")) or "").lower()
            yield Turn(_ROLES.get(role, role), _words(message.get("content")))
        for seen in as_list(message.get("observations")):
            yield Turn("tool", _words(seen.get("content") if isinstance(seen, dict) else seen))


def _words(content: object) -> str:
    """What a message says: a text, or several parts of which some are texts."""
    if isinstance(content, list):
        parts = (part.get("text") if isinstance(part, dict) else part for part in content)
        return "\n".join(map(_words, parts))
    return as_text(content) or ""


def _earlier_turns(record: dict[str, Any]) -> tuple[list[Step], InstructionType]:
    """Earlier turns that a nudging wrapper recorded as previews (`metadata.drift`). They are
    cut short: good for counting nudges and outcomes, not for grading."""
    drift = as_mapping(as_mapping(record.get("metadata")).get("drift"))
    nudged: dict[str | None, InstructionType] = {}
    for event in as_list(drift.get("nudge_events")):
        if isinstance(event, dict):
            targeted = event.get("mode") == "targeted"
            nudged[as_text(event.get("turn"))] = "nudge_original" if targeted else "nudge_generic"
    turns = [
        turn for turn in as_list(drift.get("agent_turns"))
        if isinstance(turn, dict) and turn.get("phase") == "workflow"
    ]  # fmt: skip
    steps: list[Step] = []
    kind: InstructionType = "original_prompt"
    for turn in turns[:-1]:
        preview = as_text(turn.get("text_preview")) or ""
        steps.append(
            Step(
                instruction_type=kind,
                raw_output=preview,
                metadata={"truncated": True} if len(preview) >= _PREVIEW_LENGTH else {},
            )
        )
        kind = nudged.get(as_text(turn.get("turn_index")), "inspector_revision")
    return steps, kind
