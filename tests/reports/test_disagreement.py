"""The two halves of a final response: what the number is that the truth does not match."""

from __future__ import annotations

from grader.records import Step, Task, Transcript
from grader.settings import GradeSettings
from reports.disagreement import find_disagreement


def test_the_wrong_number_is_named() -> None:
    task = Task(task_id="t", question="What is the effect on price?", ground_truth="12.5")
    raw = "<pre>12.5</pre>\n\nThe effect is 12.5 dollars for each additional 1000."
    found = find_disagreement(
        Transcript(transcript_id="a", task=task, steps=(Step(raw_output=raw),)), GradeSettings()
    )
    assert found is not None
    assert (found.execution, found.verbal, found.wrong) == ("12.5", "1000", "verbal")
    assert found.reason == "step an effect is given for"
