"""DSGym results: the list `*_results.json` writes, also as JSON lines, and one `prediction_*.json`
per sample.

A results record has `sample_id, query, ground_truth, prediction, raw_response, metrics,
total_turns, extra_info` and sometimes `trajectory` or `metadata`; a per-sample file has
`prediction, ground_truth, query, turns, conversation, extra_info`. `prediction` and `metrics`
are DSGym's own extraction and verdicts: kept as metadata, never used for grading. A record without
a response, as of a run that failed, has no steps, unless it says that the agent had a turn and no
error: then the agent said nothing. Its generator of trajectories writes each try at
a sample into a file of its own, `prediction_{i}_traj_{j}.json`, with `trajectory_id` j in the
`extra_info`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Any, get_args

from ..errors import InputError
from ..files.json_input import (
    as_choices,
    as_covariates,
    as_list,
    as_mapping,
    as_text,
    name_in,
    parse_json,
    watched,
)
from ..files.jsonl import complete_lines
from ..invisible import one_line
from ..make_task import make_task
from ..records import AnswerKind, NudgeMode, Outcome, Step, Task, Transcript
from .chat_records import has_turn
from .dsgym_steps import steps_in
from .native import broken
from .shards import is_in_lines, open_shard, whole_json

_OWN = "grading_cascade"  # in `extra_info`, what `to_extra_info` adds
_TRAJECTORY = re.compile(r"(?<=.)_traj_([0-9]{1,9})(?:\.json)?$")  # in a file's or a sample's name
_NUMBER = re.compile(r"[0-9]{1,9}")
_LOOKED_AT = 1000  # records; a list without one of a sample among these is another file
_KEPT = ("prediction", "metrics", "execution_time", "total_turns", "turns", "success", "error_info",
         "dataset_name")  # fmt: skip


def looks_like_dsgym(value: object) -> bool:
    """True for a parsed results list, or one per-sample record."""
    if isinstance(value, list):
        return any(map(looks_like_dsgym, filter(None, value[:_LOOKED_AT])))
    return (
        isinstance(value, dict)
        and "query" in value
        and ("sample_id" in value or "conversation" in value or "prediction" in value)
    )


def read_dsgym(path: Path) -> Iterator[Transcript]:
    """Read one results file or one per-sample file. A sample that occurs several times (pass@k) was
    tried several times; a record that states which try it is keeps that number. One with the same
    id but another question or published answer keeps its id, and is a duplicate. Raises
    `InputError` if the file is not JSON."""
    records = _records(path)
    first = list(islice(records, 2))
    if not first:
        raise InputError(path, "the list is empty", "There is nothing to grade in it")
    tries: Counter[str] = Counter()
    tasks: dict[str, Task] = {}
    for number, record in chain(first, records):
        fallback = path.stem if len(first) == 1 else f"{path.name}:{number}"
        if isinstance(record, dict):
            transcript = from_dsgym(record, fallback)
            if "repeat" in transcript.metadata:
                yield transcript
                continue
            name = transcript.transcript_id
            is_same = _is_same(tasks.setdefault(name, transcript.task), transcript.task)
            tries[name] += is_same
            yield _as_repeat(transcript, tries[name]) if is_same else transcript
        else:
            yield broken(fallback, _what_is_wrong(record, number))


def _what_is_wrong(record: object, number: int) -> str:
    if isinstance(record, ValueError):
        return f"line {number} is not valid JSON ({record})"
    return f"record {number} is not a JSON object"


def _records(path: Path) -> Iterator[tuple[int, Any]]:
    """The records of a list, of a single object, or of JSON lines, with their numbers or those of
    their lines. A broken line is the error in it."""
    if not is_in_lines(path):
        yield from enumerate(_listed(whole_json(path)), 1)
        return
    with open_shard(path) as file:
        for number, line in watched(path, complete_lines(file, path)):
            try:
                found = _listed(parse_json(line))
            except ValueError as error:
                found = [error]
            for record in found:
                yield number, record


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _is_same(one: Task, other: Task) -> bool:
    return (one.question, one.ground_truth) == (other.question, other.ground_truth)


def _as_repeat(transcript: Transcript, number: int) -> Transcript:
    """A further try at a task."""
    if number == 1:
        return transcript
    return transcript.model_copy(
        update={
            "transcript_id": _name_of_try(transcript.transcript_id, number),
            "metadata": {**transcript.metadata, "repeat": number},
        }
    )


def _name_of_try(sample: str, number: int) -> str:
    """The id of a try at a sample, as `grader run` names its repeats."""
    return sample if number == 1 else f"{sample}.r{number}"


def to_extra_info(transcript: Transcript) -> dict[str, Any]:
    """What of a transcript DSGym's form has no field for, beside what its `extra_info` held before;
    `from_dsgym` reads it back."""
    task = transcript.task
    stated = {
        "choices": list(task.choices),
        "context": task.context,
        "answer_kind": task.answer_kind,
        "agent": transcript.agent,
    }
    own = {
        "task_id": task.task_id,
        "nudge_mode": transcript.nudge_mode,
        "outcome": transcript.outcome,
        "problem": transcript.problem,
        "covariates": task.covariates,
        "repeat": transcript.repeat if transcript.repeat > 1 else None,
    }
    return {
        **as_mapping(transcript.metadata.get("extra_info")),
        **{name: value for name, value in stated.items() if value},
        _OWN: {name: value for name, value in own.items() if value},
    }


def from_dsgym(record: dict[str, Any], fallback_id: str) -> Transcript:
    """Read one record. As in `from_native`, one that cannot be graded has its `problem`, and bad
    content raises nothing. What our own export has put into `extra_info` is read back. Which try at
    its sample it is may be stated: by itself, or by `fallback_id`, the name of its file."""
    extra = as_mapping(record.get("extra_info"))
    own = as_mapping(extra.get(_OWN))
    name = sample = _sample(record, extra) or fallback_id
    number = None if own else _stated_try(record, extra, fallback_id)
    if number is not None:
        sample = _TRAJECTORY.sub("", sample)
        name = _name_of_try(sample, number)
    task_id = as_text(own.get("task_id")) or sample
    nudge_mode: NudgeMode | None = None
    outcome: Outcome | None = None
    try:
        task = dsgym_task(task_id, record.get("query"), record.get("ground_truth"), extra)
        task = task.model_copy(update={"covariates": as_covariates(own.get("covariates"))})
        nudge_mode = name_in(own, "nudge_mode", get_args(NudgeMode))
        outcome = name_in(own, "outcome", get_args(Outcome))
    except ValueError as error:
        return broken(name, str(error))
    metadata = {field: record[field] for field in _KEPT if field in record}
    if extra:
        metadata["extra_info"] = extra
    if "repeat" in own or number is not None:
        metadata["repeat"] = own.get("repeat", number)
    steps = steps_in(record, task.question)
    if not steps and _said_nothing(record, own):
        steps = (Step(raw_output=as_text(record.get("raw_response")) or ""),)
    parts = {"no_ground_truth": task.ground_truth, f"no_steps{_why_no_response(record)}": steps}
    missing = [lack for lack, part in parts.items() if not part]
    return Transcript(
        transcript_id=name,
        task=task,
        steps=steps,
        agent=as_text(extra.get("agent")) or "",
        nudge_mode=nudge_mode,
        outcome=outcome,
        problem=as_text(own.get("problem")) or "; ".join(missing) or None,
        metadata=metadata,
    )


def _said_nothing(record: Mapping[str, Any], own: Mapping[str, Any]) -> bool:
    """Whether the agent of a record without a response had a turn, in which it said nothing: it has
    no answer. One that failed to run is `ungraded`, and so is a record that leaves the response
    out, as those of DSGym's `*_summary.json`."""
    if has_turn(record.get("conversation")):
        return True
    ended_well = record.get("success") is True and not record.get("error_info")
    ended_well = ended_well and isinstance(record.get("raw_response"), str)
    return bool(record.get("total_turns")) and (bool(own) or ended_well)


def _why_no_response(record: Mapping[str, Any]) -> str:
    """Why a record has no response, behind a colon; "" if it does not say."""
    error = record.get("error_info")
    if isinstance(error, dict):
        parts = map(as_text, (error.get("error_type"), error.get("error_message")))
        error = ": ".join(filter(None, parts))
    if told := as_text(error):
        return f": {one_line(told)[:200]}"
    if record.keys().isdisjoint(("raw_response", "conversation", "trajectory")):
        return ": the record has no raw_response, conversation or trajectory"
    return ""


def dsgym_task(task_id: str, question: object, truth: object, extra: Mapping[str, Any]) -> Task:
    """The task of a DSGym sample, whatever the types in it. extra: its `extra_info`, which may
    have what the record lacks. Raises `ValueError` for options that are no list."""
    files = as_mapping(extra.get("data_files")).get("absolute")
    stated = extra.get("answer_kind")
    kind: AnswerKind | None = next((k for k in get_args(AnswerKind) if k == stated), None)
    return make_task(
        task_id,
        as_text(question) or as_text(extra.get("question")) or "",
        as_text(truth),
        as_choices(extra.get("choices")),
        kind=kind,
        context=as_text(extra.get("context")) or "",
        data_files=[as_text(file) or "" for file in as_list(files)],
    )


def _sample(record: Mapping[str, Any], extra: Mapping[str, Any]) -> str | None:
    """The id that a record states for its sample, or that DSGym's evaluator gives it in a results
    file, so that both are one; None if there is none."""
    if stated := as_text(record.get("sample_id")):
        return stated
    number = _number(extra)
    is_evaluators = extra.get("metadata_id") or extra.get("query_id") or _source(extra)
    return sample_id(extra) if number and is_evaluators else number


def _stated_try(record: Mapping[str, Any], extra: Mapping[str, Any], file: str) -> int | None:
    """Which try at its sample a record is, counted from 1 (DSGym counts trajectories from 0); None
    if neither it nor the name of its file says so. A `sample_id` says all of it."""
    stated = as_text(record.get("sample_id"))
    counted = as_text(record.get("trajectory_id", extra.get("trajectory_id"))) or ""
    if not stated and _NUMBER.fullmatch(counted):
        return int(counted) + 1
    named = _TRAJECTORY.search(stated or file)
    return int(named[1]) + 1 if named else None


def sample_id(extra: Mapping[str, Any]) -> str:
    """The id that DSGym's evaluator gives a sample with this `extra_info`."""
    return f"{_source(extra) or 'dsgym'}_{extra.get('metadata_id', '')}_{_number(extra) or ''}"


def _number(extra: Mapping[str, Any]) -> str | None:
    """What a sample is called within its data set."""
    return as_text(extra.get("query_id")) or as_text(extra.get("id"))


def _source(extra: Mapping[str, Any]) -> object:
    """Where a sample is from, if its `extra_info` says so."""
    names = ("source", "dataset", "dataset_name")
    return next((extra[name] for name in names if extra.get(name)), None)
