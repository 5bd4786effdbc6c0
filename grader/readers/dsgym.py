"""DSGym results: the list `*_results.json` writes, and one `prediction_*.json` per sample.

A results record has `sample_id, query, ground_truth, prediction, raw_response, metrics,
total_turns, extra_info` and sometimes `trajectory` or `metadata`; a per-sample file has
`prediction, ground_truth, query, turns, conversation, extra_info`. `prediction` and `metrics`
are DSGym's own extraction and verdicts: kept as metadata, never used for grading.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..extraction.choices import infer_answer_kind
from ..files.json_input import as_list, as_mapping, as_text, load_json
from ..records import InstructionType, Step, Task, Transcript
from ..truth import stated
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
    """Read one results file or one per-sample file. Raises `InputError` if it is not JSON."""
    value = load_json(path)
    records = value if isinstance(value, list) else [value]
    if not records:
        raise InputError(path, "the list is empty", "There is nothing to grade in it")
    for index, record in enumerate(records):
        fallback = path.stem if len(records) == 1 else f"{path.name}:{index}"
        if isinstance(record, dict):
            yield from_dsgym(record, fallback)
        else:
            yield broken(fallback, f"record {index} is not a JSON object")


def from_dsgym(record: dict[str, Any], fallback_id: str) -> Transcript:
    """Read one record. As `from_native`: what cannot be graded has its `problem`, and nothing
    is raised for bad content."""
    extra = as_mapping(record.get("extra_info"))
    sample_id = as_text(record.get("sample_id")) or as_text(extra.get("id")) or fallback_id
    truth = stated(as_text(record.get("ground_truth")))
    question = as_text(record.get("query")) or ""
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
        agent=as_text(extra.get("agent")) or "",
        problem="; ".join(missing) or None,
        metadata=metadata,
    )


def _steps(record: dict[str, Any]) -> tuple[Step, ...]:
    for name in ("conversation", "trajectory"):
        if text := _join_turns(record.get(name)):
            return (Step(instruction_text=as_text(record.get("query")) or "", raw_output=text),)
    final = as_text(record.get("raw_response")) or as_text(record.get("prediction")) or ""
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
            parts.append(as_text(said) or "")
        elif parts and turn.get("role") in ("user", "tool"):
            parts.append(as_text(turn.get("content")) or "")
        for seen in as_list(turn.get("observations")):
            parts.append(as_text(seen.get("content") if isinstance(seen, dict) else seen) or "")
    return "\n".join(part for part in parts if part)


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
