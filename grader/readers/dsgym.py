"""DSGym results: the list `*_results.json` writes, and one `prediction_*.json` per sample.

A results record has `sample_id, query, ground_truth, prediction, raw_response, metrics,
total_turns, extra_info` and sometimes `trajectory` or `metadata`; a per-sample file has
`prediction, ground_truth, query, turns, conversation, extra_info`. `prediction` and `metrics`
are DSGym's own extraction and verdicts: kept as metadata, never used for grading.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..choices import infer_answer_kind
from ..errors import InputError
from ..records import InstructionType, Step, Task, Transcript
from .native import broken

_KEPT = ("prediction", "metrics", "execution_time", "total_turns", "turns", "success", "error_info",
         "dataset_name")  # fmt: skip
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
    """Read one results file, one per-sample file, or a folder of per-sample files.

    Raises `InputError` if a file is not JSON or holds no DSGym record.
    """
    if path.is_dir():
        files = sorted(path.glob("*prediction_*.json")) or sorted(path.glob("*_results.json"))
        if not files:
            raise InputError(
                path, "no prediction_*.json and no *_results.json in this folder",
                "Name the file or folder that DSGym wrote",
            )  # fmt: skip
        for file in files:
            yield from read_dsgym(file)
        return
    value = load_json(path)
    records = value if isinstance(value, list) else [value]
    if not records:
        raise InputError(path, "the list is empty", "There is nothing to grade in it")
    for index, record in enumerate(records):
        fallback = path.stem if len(records) == 1 else f"{path.name}:{index}"
        if isinstance(record, dict):
            yield _transcript(record, fallback)
        else:
            yield broken(fallback, f"record {index} is not a JSON object")


def load_json(path: Path) -> Any:
    """Parse a whole JSON file, tolerating broken UTF-8. Raises `InputError`."""
    try:
        text = path.read_bytes().decode("utf-8", errors="replace")
    except OSError as error:
        raise InputError(path, f"cannot read: {error.strerror}", "Check the path") from None
    if not text.strip():
        raise InputError(path, "the file is empty", "Name a file with recorded transcripts")
    try:
        return json.loads(text)
    except RecursionError:
        raise InputError(path, "nested too deeply to be results", "Check the file") from None
    except ValueError as error:
        line = getattr(error, "lineno", None)
        raise InputError(
            path, f"not valid JSON ({error})", "Repair the file, or pass --format", line
        ) from None


def _transcript(record: dict[str, Any], fallback: str) -> Transcript:
    extra = _mapping(record.get("extra_info"))
    sample_id = _text(record.get("sample_id") or extra.get("id")) or fallback
    truth = _text(record.get("ground_truth"))
    question = _text(record.get("query")) or ""
    task = Task(
        task_id=sample_id,
        question=question,
        ground_truth=truth,
        answer_kind=infer_answer_kind(truth, question=question),
    )
    metadata = {name: record[name] for name in _KEPT if name in record}
    if extra:
        metadata["extra_info"] = extra
    steps = _steps(record)
    missing = [name for name, ok in (("no_ground_truth", truth), ("no_steps", steps)) if not ok]
    return Transcript(
        transcript_id=sample_id,
        task=task,
        steps=steps,
        agent=_text(extra.get("agent")) or "",
        problem="; ".join(missing) or None,
        metadata=metadata,
    )


def _steps(record: dict[str, Any]) -> tuple[Step, ...]:
    for name in ("conversation", "trajectory"):
        if text := _join_turns(record.get(name)):
            return (Step(instruction_text=_text(record.get("query")) or "", raw_output=text),)
    final = _text(record.get("raw_response")) or _text(record.get("prediction")) or ""
    if not final.strip():
        return ()
    earlier, final_type = _earlier_turns(record)
    return (*earlier, Step(instruction_type=final_type, raw_output=final))


def _join_turns(turns: object) -> str:
    """A chat as one output: what the agent said and what its code printed, in order. The
    system and task prompts, which stand before the first agent turn, are left out."""
    if not isinstance(turns, list):
        return ""
    parts: list[str] = []
    for turn in turns:
        if not isinstance(turn, dict):
            continue
        said = turn.get("postprocessed_action") or turn.get("response")
        if turn.get("role") == "assistant":
            said = turn.get("content")
        if said:
            parts.append(_text(said) or "")
        elif parts and turn.get("role") in ("user", "tool"):
            parts.append(_text(turn.get("content")) or "")
        for seen in turn.get("observations") or ():
            parts.append(_text(seen.get("content") if isinstance(seen, dict) else seen) or "")
    return "\n".join(part for part in parts if part)


def _earlier_turns(record: dict[str, Any]) -> tuple[list[Step], InstructionType]:
    """Earlier turns that a nudging wrapper recorded as previews (`metadata.drift`). They are
    cut short: good for counting nudges and outcomes, not for grading."""
    drift = _mapping(_mapping(record.get("metadata")).get("drift"))
    nudged: dict[Any, InstructionType] = {
        event.get("turn"): "nudge_original" if event.get("mode") == "targeted" else "nudge_generic"
        for event in drift.get("nudge_events") or ()
        if isinstance(event, dict)
    }
    turns = [
        turn for turn in drift.get("agent_turns") or ()
        if isinstance(turn, dict) and turn.get("phase") == "workflow"
    ]  # fmt: skip
    steps: list[Step] = []
    kind: InstructionType = "original_prompt"
    for turn in turns[:-1]:
        preview = _text(turn.get("text_preview")) or ""
        steps.append(
            Step(
                instruction_type=kind,
                raw_output=preview,
                metadata={"truncated": True} if len(preview) >= _PREVIEW_LENGTH else {},
            )
        )
        kind = nudged.get(turn.get("turn_index"), "inspector_revision")
    return steps, kind


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value)
