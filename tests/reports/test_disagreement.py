"""The two halves of a final response: what the number is that the truth does not match."""

from __future__ import annotations

import pytest

from grader.extraction.parsers import Source
from grader.records import AnswerKind, Step, Task, Transcript
from grader.settings import GradeSettings
from grader.text import split_output
from reports.disagreement import HALVES, find_disagreement
from reports.frame_rows import build_frames
from reports.tables.disagreements import disagreements_table
from reports.tables.transcripts import transcript_rows


def test_the_wrong_number_is_named() -> None:
    task = Task(task_id="t", question="What is the effect on price?", ground_truth="12.5")
    raw = "<pre>12.5</pre>\n\nThe effect is 12.5 dollars for each additional 1000."
    found = find_disagreement(
        Transcript(transcript_id="a", task=task, steps=(Step(raw_output=raw),)), GradeSettings()
    )
    assert found is not None
    assert (found.execution, found.verbal, found.wrong) == ("12.5", "1000", "verbal")
    assert found.reason == "step an effect is given for"


def test_a_number_in_a_published_range_is_right() -> None:
    task = Task(task_id="t", question="What is the effect on price?", ground_truth="(11,14)")
    raw = "<pre>13.9</pre>\n\nThe effect is 14.9."
    found = find_disagreement(
        Transcript(transcript_id="a", task=task, steps=(Step(raw_output=raw),)), GradeSettings()
    )
    assert found is not None
    assert found.wrong == "verbal"


def test_the_numbers_are_those_of_the_heuristic_parser() -> None:
    raw = "It is 4.\n\n```python\nx = 7\n```\n\n<pre>90\n12.5%</pre>\n\nSo 1,200 in all.\n\nDone."
    task = Task(task_id="t", question="How many are there?")
    found = find_disagreement(
        Transcript(transcript_id="a", task=task, steps=(Step(raw_output=raw),)), GradeSettings()
    )
    source = Source(split_output(raw), task)
    halves = [source.half("heuristic", half) for half in HALVES]
    assert found is not None
    assert [found.execution, found.verbal] == [half.candidates[0].text for half in halves]


@pytest.mark.parametrize(
    ("kind", "truth", "found"),
    [("number", "3.5", 1), ("percent", "3.5%", 1), ("choice", "B", 0), ("text", "rain", 0)],
)
def test_only_tasks_that_ask_for_a_number_have_halves_to_compare(
    kind: AnswerKind, truth: str, found: int
) -> None:
    task = Task(task_id="t", answer_kind=kind, ground_truth=truth, choices=("4", "7"))
    raw = "<pre>0.81</pre>\n\nOption B, the rain, as the table of 7 rows shows."
    frames = build_frames(
        "run", [Transcript(transcript_id="a", task=task, steps=(Step(raw_output=raw),))], []
    )
    table = disagreements_table(frames)
    assert len(table.rows) == found
    assert f"disagreement in {found} of {found} final response" in table.note
    assert ("output ≠ prose" in transcript_rows(frames)[0]["disagreements"]) == bool(found)
