"""Whether an input contradicts what a run has recorded of a transcript."""

from __future__ import annotations

import json
from typing import Any

from ..files.idmap import key_of
from ..records import Transcript
from ..tasks.index import stated_kind

# What grading reads. Other fields may be added by an input, but not changed.
_READ = frozenset(
    {"task_id", "question", "context", "ground_truth", "answer_kind", "choices", "problem", "steps"}
)


def change(recorded: Transcript, given: Transcript) -> str | None:
    """The first field in which a given transcript differs from the recorded one with the same id;
    None if none does. Fields it leaves open (a task file may have filled them in) and metadata are
    not compared."""
    before, now = _said(recorded), _said(given)
    if stated_kind(given.task) is None:
        del now["answer_kind"]
    for name, value in now.items():
        is_compared = name in _READ or name in before
        if is_compared and before.get(name) != value:
            return name
    return None


def left_out(recorded: Transcript, given: Transcript) -> list[str]:
    """The fields, none of which grading reads, that a given transcript has and the recorded one
    lacks: covariates, the agent, the nudge mode."""
    return sorted(_said(given).keys() - _said(recorded).keys() - _READ)


def digest_of(transcript: Transcript) -> int:
    """A 64-bit digest of all fields of a transcript that are compared."""
    return key_of(json.dumps(_said(transcript), ensure_ascii=True, sort_keys=True))


def _said(transcript: Transcript) -> dict[str, Any]:
    """The stated fields of a transcript, without those that grading fills in (per-step fields, the
    outcome). A missing published answer is simply absent."""
    task, problem = transcript.task, transcript.problem or ""
    steps = [
        (one.instruction_type, one.instruction_text, one.raw_output) for one in transcript.steps
    ]
    if_stated = {
        "task_id": task.task_id,
        "question": task.question,
        "context": task.context,
        "ground_truth": task.ground_truth,
        "choices": task.choices,
        "problem": "" if "no_ground_truth" in problem else problem,
        "agent": transcript.agent,
        "nudge_mode": transcript.nudge_mode,
        **{f"covariates.{name}": value for name, value in task.covariates.items()},
    }
    stated = {name: value for name, value in if_stated.items() if value}
    return {"steps": steps, "answer_kind": task.answer_kind, **stated}
