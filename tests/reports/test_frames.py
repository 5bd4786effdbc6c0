"""Frames: one row a transcript, parts, and input that repeats or lacks things."""

from __future__ import annotations

from grader.records import Grade, Step, Task, Transcript
from grader.settings import GradeSettings
from reports.frame_rows import build_frames
from reports.frames import RunFrames
from reports.measures import success
from reports.names import NO_AGENT
from reports.pairing import paired_parts
from reports.tables.covariates import covariates_table
from reports.tables.disagreements import disagreements_table
from reports.tables.outcomes import outcomes_table


def made(key: str, raw: str = "5", **more: object) -> Transcript:
    task = Task(task_id="t", question="What is the mean?", ground_truth="5")
    steps = (Step(raw_output=raw, elapsed_time=2.0), Step(raw_output=raw, elapsed_time=3.0))
    return Transcript(transcript_id=key, task=task, steps=steps, **more)  # type: ignore[arg-type]


def test_sums_and_unknowns() -> None:
    row = build_frames("r", [made("a")], []).transcripts.loc["a"]
    assert (row["n_steps"], row["n_nudges"], row["seconds"]) == (2, 0, 5.0)
    assert row["tokens"] is None or row["tokens"] != row["tokens"]


def test_of_a_repeated_id_the_last_counts() -> None:
    frames = build_frames("r", [made("a", "1"), made("b"), made("a", "5", nudge_mode="A")], [])
    assert list(frames.transcripts.index) == ["a", "b"]
    assert frames.transcripts.loc["a", "mode"] == "A"
    assert len(frames.steps) == 4


def test_an_outcome_that_is_not_recorded_is_unknown_not_failed() -> None:
    replayed = made("a", problem="counterfactual_unknown: no record of a nudge")
    frames = build_frames("r", [replayed, made("b", outcome="clean")], [])
    assert list(frames.transcripts["outcome"]) == ["unknown", "clean"]
    assert success(frames)[:3] == (1, 2, 1)
    table = outcomes_table(frames)
    assert (table.rows[0]["failed"], table.rows[0]["unknown"]) == (0, 1)
    assert "Unknown" in [column.header for column in table.columns]
    known = build_frames("r", [made("b", outcome="failed")], [])
    assert "Unknown" not in [column.header for column in outcomes_table(known).columns]


def test_lone_surrogates_join_across_records() -> None:
    key = "a\ud800"
    grade = Grade(transcript_id=key, task_id="t", grader="cascade", verdict="correct")
    frames = build_frames("r", [made(key)], [grade])
    assert frames.passed("cascade") == {"a\ufffd": True}
    assert list(frames.transcripts.index) == ["a\ufffd"]


def test_halves_are_compared_with_the_tolerance_of_the_grades() -> None:
    step = Step(
        raw_output="<pre>100</pre>\n\nThe mean is 102.", execution_scalar=100, verbal_scalar=102
    )
    one = made("a").model_copy(update={"steps": (step,)})
    for tolerance, apart in ((0.03, 0), (0.001, 1)):
        settings = GradeSettings(relative_tolerance=tolerance)
        table = disagreements_table(build_frames("r", [one], [], settings=settings))
        assert len(table.rows) == apart
        assert f"Keyword-anchored parser: {apart} of the 1" in table.note


def test_a_covariate_may_be_called_what_a_column_of_the_run_is_called() -> None:
    names = ("outcome", "mode", "question", "strict_keyword", "cascade")
    transcripts = [
        made(str(i), nudge_mode="A").model_copy(
            update={
                "task": Task(
                    task_id=str(i),
                    question="What is the mean?",
                    ground_truth="5",
                    covariates=dict.fromkeys(names, "low" if i < 4 else "high"),
                )
            }
        )
        for i in range(8)
    ]
    grades = [
        Grade(
            transcript_id=str(i),
            task_id=str(i),
            grader="strict_keyword",
            verdict="correct" if i < 4 else "incorrect",
        )
        for i in range(8)
    ]
    frames = build_frames("r", transcripts, grades)
    table = covariates_table(frames)
    assert table is not None
    assert {row["covariate"] for row in table.rows} == set(names)
    assert all(row["cramers_v"] == 1.0 for row in table.rows)
    assert {row["panel"] for row in outcomes_table(frames).rows} >= {"outcome", "mode"}


def test_ungraded_is_neither_passed_nor_failed() -> None:
    grades = [
        Grade(transcript_id=key, task_id="t", grader="cascade", verdict=verdict)  # type: ignore[arg-type]
        for key, verdict in (("a", "correct"), ("b", "no_answer"), ("c", "ungraded"))
    ]
    frames = build_frames("r", [made(k) for k in "abc"], grades)
    assert frames.passed("cascade") == {"a": True, "b": False}


def test_labels_of_unknown_transcripts_are_left_out() -> None:
    labels = {"a": {"final": "match"}, "ghost": {"final": "match"}}
    assert build_frames("r", [made("a")], [], labels).human_matches == {"a": True}


def test_grades_of_unknown_transcripts_are_left_out() -> None:
    grades = [
        Grade(transcript_id=key, task_id="t", grader=name, verdict="correct")
        for key, name in (("a", "cascade"), ("ghost", "cascade"), ("ghost", "lenient"))
    ]
    frames = build_frames("r", [made("a")], grades)
    assert frames.passed("cascade") == {"a": True}
    assert frames.not_graded("cascade") == 0
    assert frames.graders == ["cascade"]


def test_parts_hold_their_own_rows_only(run_ab: RunFrames) -> None:
    part = run_ab.by_mode()["B"]
    assert len(part) == 153
    assert set(part.steps["transcript_id"]) == set(part.transcripts.index)
    assert all(set(found) <= set(part.transcripts.index) for found in part.grades.values())
    assert part.human_matches == {}


def test_modes_pair_only_where_they_share_tasks(run_ab: RunFrames) -> None:
    assert list(paired_parts(run_ab)) == ["mode A", "mode B"]
    a = [key for key in run_ab.transcripts.index if key.startswith("A")]
    assert paired_parts(run_ab.part([*a[:50], "B100"], "apart")) == {}


def test_no_transcript_drops_out_of_the_parts_by_agent() -> None:
    """Also where an agent has the name that those without one are given."""
    agents = ("", NO_AGENT, "x", "y", "y")
    run = [made(str(number), agent=agent) for number, agent in enumerate(agents)]
    frames = build_frames("r", run, [])
    parts = {name: list(part.transcripts.index) for name, part in frames.by_agent().items()}
    assert parts == {NO_AGENT: ["0", "1"], "x": ["2"], "y": ["3", "4"]}
    assert sum(row["n"] for row in outcomes_table(frames).rows if row["panel"] == "Agent") == 5
    assert sum(map(len, paired_parts(frames).values())) == 5
