"""Transcripts that a run holds already, beside what an input has of them now."""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from pathlib import Path
from typing import Any

from ..files.idmap import IdMap, key_of
from ..readers.native import Lines
from ..records import Transcript
from ..tasks.index import stated_kind

# What grading reads. Of the rest an input may say more than it did, but nothing else.
_READ = frozenset(
    {"task_id", "question", "context", "ground_truth", "answer_kind", "choices", "problem", "steps"}
)


class Recorded:
    """The transcripts in a file of a run, looked up by id; holds some 24 bytes of each."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def change(self, given: Transcript) -> str | None:
        """The name of a field of which a given transcript says something else than the recorded
        one of its id; None if it contradicts nothing. What it leaves open (a task file may have
        filled it in) is no change, nor are metadata."""
        recorded, stated = _said(self._find(given.transcript_id)), _said(given)
        if stated_kind(given.task) is None:
            del stated["answer_kind"]
        for name, value in stated.items():
            is_compared = name in _READ or name in recorded
            if is_compared and recorded.get(name) != value:
                return name
        return None

    def _find(self, transcript_id: str) -> Transcript:
        with self._path.open("rb") as file:
            file.seek(self._offsets.get(key_of(transcript_id)) or 0)
            return self._read(0, file.readline())

    @cached_property
    def _offsets(self) -> IdMap:
        offsets, position = IdMap(), 0
        with self._path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    offsets[key_of(self._read(number, line).transcript_id)] = position
                position += len(line)
        return offsets

    def _read(self, number: int, line: bytes) -> Transcript:
        return next(Lines(self._path.name, ((number, line),)).transcripts())


def digest_of(transcript: Transcript) -> int:
    """64 bits of all that is compared of a transcript."""
    text = json.dumps(_said(transcript), ensure_ascii=True, sort_keys=True).encode("ascii")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")


def _said(transcript: Transcript) -> dict[str, Any]:
    """What a transcript says, by field, without what grading fills in where it is missing (fields
    of steps, the outcome). That there is no published answer is said by its absence."""
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
