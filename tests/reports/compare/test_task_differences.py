"""Tasks of one id with another question."""

from __future__ import annotations

from typing import Any

import pytest

from grader.records import Task, Transcript
from reports.compare.task_differences import differing_tasks, tasks_caution
from reports.frame_rows import build_frames
from reports.frames import RunFrames


def run(*questions: str, **fields: Any) -> RunFrames:
    """One task, asked in each repeat with these words. fields: of the task."""
    transcripts = [
        Transcript(
            transcript_id=str(number),
            task=Task(task_id="t", question=question, **fields),
            metadata={"repeat": number},
        )
        for number, question in enumerate(questions, 1)
    ]
    return build_frames("run", transcripts, [])


def test_only_what_is_paired_is_compared() -> None:
    assert differing_tasks({"a": run("one?", "two?"), "b": run("one?", "three?")}) == []
    assert tasks_caution({"a": run("one?", "two?"), "b": run("one?")}) == ""


def test_another_question_is_named() -> None:
    caution = tasks_caution({"a": run("one?"), "b": run("two?")})
    assert caution.startswith("Caution: 1 task with another question") and "tasks: t." in caution


@pytest.mark.parametrize("fields", [{"choices": ("a", "c")}, {"ground_truth": "b"}])
def test_other_options_and_another_published_answer_are_other_tasks(fields: dict[str, Any]) -> None:
    given = {"choices": ("a", "b"), "ground_truth": "a"}
    one, same = run("Which?", **given), run(" Which? ", **given)
    assert differing_tasks({"a": one, "b": same}) == []
    assert differing_tasks({"a": one, "b": run("Which?", **{**given, **fields})}) == ["t"]
