"""Which transcript of a task stands for it."""

from __future__ import annotations

from typing import Any

import pytest

from grader.records import Grade, Task, Transcript
from reports.frames import build_frames
from reports.pairing import first_per_task, passes_by_task


def tried(task: str, **metadata: Any) -> Transcript:
    name = f"{task}.{metadata.get('repeat')}"
    return Transcript(transcript_id=name, task=Task(task_id=task), metadata=metadata)


def test_the_first_repeat_counts_whichever_finished_first() -> None:
    rows = [tried("b", repeat=10), tried("b", repeat=2), tried("a", repeat=3), tried("b", repeat=1)]
    grades = [
        Grade(transcript_id=row.transcript_id, task_id=row.task.task_id, grader="cascade",
              verdict="correct" if row.metadata["repeat"] == 1 else "incorrect")
        for row in rows
    ]  # fmt: skip
    frames = build_frames("run", rows, grades)
    assert list(first_per_task(frames).items()) == [("b", "b.1"), ("a", "a.3")]
    assert first_per_task(frames, ["a", "c"]) == {"a": "a.3"}
    assert passes_by_task(frames, "cascade") == {"b": True, "a": False}


@pytest.mark.parametrize("number", [None, "2", 2.5, [1]])
def test_without_numbers_the_first_row_counts(number: object) -> None:
    rows = [tried("a", repeat=number), tried("a", repeat=1), tried("a")]
    assert first_per_task(build_frames("run", rows, [])) == {"a": rows[0].transcript_id}
