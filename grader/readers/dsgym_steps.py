"""The steps in a DSGym record: from a conversation, a trajectory or the final response."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..files.json_input import as_list, as_mapping, as_text
from ..records import InstructionType, Step
from .conversation import steps_of
from .messages import Message, read_messages, words

_PREVIEW_LENGTH = 900  # some wrappers store only about this much of the earlier turns


def steps_in(record: dict[str, Any], question: str) -> tuple[Step, ...]:
    """The steps of a DSGym record, from its conversation or trajectory, else its final response
    after previews of earlier turns, if any. Empty if nothing was said: its `prediction` is DSGym's
    extraction, no response."""
    for name in ("conversation", "trajectory"):
        steps = steps_of(_messages(as_list(record.get(name))), question)
        if any(step.raw_output.strip() for step in steps):
            return steps
    final = as_text(record.get("raw_response")) or ""
    if not final.strip():
        return ()
    earlier, final_type = _earlier_turns(record)
    return (*earlier, Step(instruction_type=final_type, raw_output=final))


def _messages(messages: list[Any]) -> Iterator[Message]:
    """A conversation's messages, or a trajectory's records of what was said and then seen."""
    for message in map(as_mapping, messages):
        said = message.get("postprocessed_action") or message.get("response")
        if said:
            yield Message("assistant", words(said))
        else:
            yield from read_messages([message])
        for seen in as_list(message.get("observations")):
            yield Message("tool", words(seen))


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
