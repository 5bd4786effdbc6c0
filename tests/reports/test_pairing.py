"""Which transcript of a task stands for it, and what several of them are worth."""

from __future__ import annotations

from typing import Any

import pytest

from grader.records import Grade, Step, Task, Transcript
from reports.frame_rows import build_frames
from reports.frames import RunFrames
from reports.headline import headline
from reports.pairing import first_per_task, passes_by_task, repeats_note
from reports.tables import make_tables


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


def test_a_repeat_that_cannot_be_graded_gives_way_to_one_that_can() -> None:
    task = Task(task_id="a", question="How many?", ground_truth="5")
    crashed, ended, late = (
        Transcript(transcript_id=name, task=task, steps=steps, metadata={"repeat": number})
        for number, (name, steps) in enumerate(
            [("crashed", ()), ("ended", (Step(raw_output="5"),)), ("late", (Step(raw_output="6"),))]
        )
    )
    assert first_per_task(build_frames("run", [crashed, late, ended], [])) == {"a": "ended"}
    assert first_per_task(build_frames("run", [crashed], [])) == {"a": "crashed"}


@pytest.mark.parametrize("number", [None, "2", 2.5, [1]])
def test_without_numbers_the_first_row_counts(number: object) -> None:
    rows = [tried("a", repeat=number), tried("a", repeat=1), tried("a")]
    assert first_per_task(build_frames("run", rows, [])) == {"a": rows[0].transcript_id}


def copied(repeats: int) -> RunFrames:
    """30 tasks, 12 of them passed, tried so many times by an agent that always says the same."""
    rows, grades = [], []
    for number in range(30 * repeats):
        task = number % 30
        row = Transcript(
            transcript_id=f"t{number}",
            task=Task(task_id=f"k{task}", covariates={"kind": "ab"[task % 2]}),
            nudge_mode="none",
            outcome="clean" if task % 5 else "failed",
            metadata={"repeat": number // 30 + 1},
        )
        rows.append(row)
        for grader in ("strict_keyword", "cascade"):
            grade = Grade(transcript_id=row.transcript_id, task_id=row.task.task_id, grader=grader,
                          verdict="correct" if task < 12 else "incorrect",
                          evidence={"region_score": task / 30})  # fmt: skip
            grades.append(grade)
    labels = {
        row.transcript_id: {"final": "match" if i % 2 else "non_match"}
        for i, row in enumerate(rows)
    }
    return build_frames("run", rows, grades, labels)


def test_repeats_that_say_nothing_new_change_no_interval_and_no_test() -> None:
    once, often = make_tables(copied(1)), make_tables(copied(5))
    assert often["covariates"].rows == once["covariates"].rows
    for name in ("outcomes", "graders", "bands"):
        one, five = once[name].frame(), often[name].frame()
        ends = [column for column in one if column.endswith(("_low", "_high"))]
        assert ends
        assert five[ends].to_numpy() == pytest.approx(one[ends].to_numpy(), abs=0.01, nan_ok=True)
    intervals = [fact.detail.partition("interval ")[2] for fact in headline(copied(5))]
    plain = [fact.detail.partition("interval ")[2] for fact in headline(copied(1))]
    assert intervals[0] == plain[0] + ", repeats of a task allowed for"


def test_repeats_are_said_where_there_are_any() -> None:
    assert repeats_note(copied(1)) == ""
    assert repeats_note(copied(5)).startswith("150 transcripts of 30 tasks: ")
    assert "150 transcripts of 30 tasks" in make_tables(copied(5))["outcomes"].note
