"""Table 2: what was there before the first nudge, of transcripts that a nudge recovered."""

from __future__ import annotations

from grader.records import Grade, Outcome, Task, Transcript, Verdict
from reports.frame_rows import build_frames
from reports.tables.nudges import nudges_table


def test_each_recovered_transcript_is_in_one_row_of_the_parts() -> None:
    before: list[Verdict | None] = ["correct", "incorrect", "incorrect", "no_answer", "ungraded"]
    rows, grades = [], []
    for number, verdict in enumerate([*before, None, "correct"]):
        key, is_recovered = str(number), number < 6
        outcome: Outcome = "nudge_recovered" if is_recovered else "clean"
        rows.append(Transcript(transcript_id=key, task=Task(task_id=key), outcome=outcome))
        if verdict:
            name = "cascade:before_nudge"
            grade = Grade(transcript_id=key, task_id=key, grader=name, verdict=verdict)
            grades.append(grade)
    table = nudges_table(build_frames("run", rows, grades))
    assert table is not None
    assert [row[1:] for row in table.shown()] == [
        ["1", "16.7%"],  # not detected
        ["3", "50.0%"],  # detected
        ["1", "16.7%"],
        ["2", "33.3%"],
        ["2", "33.3%"],  # not graded, or left ungraded
        ["6", "100.0%"],
    ]
