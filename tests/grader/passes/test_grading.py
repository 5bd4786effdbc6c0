from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterable
from multiprocessing import get_context
from pathlib import Path

import pytest

from grader.engines import open_engine
from grader.errors import UserError
from grader.files.jsonl import Appender
from grader.passes.grading import grade_run
from grader.passes.input import Input
from grader.passes.plan import Plan
from grader.readers import read, to_native
from grader.run import RunDirectory
from grader.settings import GradeSettings
from grader.tasks.index import TaskIndex
from tests.grader.strict_runs import STRICT, THREE, contents, grade
from tests.grader.transcripts import transcript
from tests.shared_data import FIXTURES


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_one_line_per_transcript_and_grader_plus_the_cascade(tmp_path: Path) -> None:
    summary = grade(tmp_path, THREE)
    written = lines(tmp_path / "grades.jsonl")
    assert len(written) == 3 * 4
    assert {(g["transcript_id"], g["grader"]) for g in written} == {
        (t.transcript_id, name) for t in THREE for name in (*STRICT.graders, "cascade")
    }
    assert summary.graders["cascade"] == {
        "correct": 1, "incorrect": 1, "no_answer": 0, "ungraded": 1
    }  # fmt: skip
    assert summary.ungraded == 1


def test_running_again_adds_nothing(tmp_path: Path) -> None:
    grade(tmp_path, THREE)
    before = contents(tmp_path)
    again = grade(tmp_path, THREE)
    assert again.graded_now == 0
    assert again.transcripts == 3
    assert again.graders["strict_keyword"]["correct"] == 1
    assert contents(tmp_path) == before


def test_what_is_still_ungraded_is_said_again(tmp_path: Path) -> None:
    first = grade(tmp_path, THREE)
    assert first.problems == [("c", "no_ground_truth: the task has no published answer")]
    assert grade(tmp_path, None).problems == first.problems


def test_what_was_ungraded_is_graded_once_its_cause_is_gone(tmp_path: Path) -> None:
    grade(tmp_path, THREE)
    run = RunDirectory.open(tmp_path)
    mended = [*THREE[:2], transcript("No idea.", transcript_id="c")]
    run.transcripts_path.unlink()
    with run.append_transcripts() as appender:
        for one in mended:
            appender.add(one)
    again = grade(tmp_path, None)
    assert (again.graded_now, again.ungraded, again.problems) == (4, 0, [])
    assert run.grades_by_transcript()["c"]["cascade"].verdict == "no_answer"


@pytest.mark.parametrize("given", [True, False])
def test_tasks_complete_a_run_only_when_it_is_recorded(tmp_path: Path, given: bool) -> None:
    late = TaskIndex([], {"t1": {"level": "hard"}})
    plan = Plan(graders=STRICT.graders, tasks=late)
    run = tmp_path / "my run"
    grade(run, THREE)
    written = (run / "grades.jsonl").read_bytes()
    with pytest.raises(UserError, match=r"stays as it is.* 'a' .*grade '.*my run' --run NEW_RUN"):
        grade(run, THREE if given else None, plan)
    assert (run / "grades.jsonl").read_bytes() == written
    completed = tmp_path / "new"
    grade(completed, list(RunDirectory.open(run).transcripts()), plan)
    assert grade(completed, None, plan).graded_now == 0
    stored = RunDirectory.open(completed).transcripts()
    assert {t.task.covariates["level"] for t in stored} == {"hard"}


def test_a_run_without_transcripts_is_no_run_to_grade(tmp_path: Path) -> None:
    (tmp_path / "transcripts.jsonl").touch()
    with pytest.raises(UserError, match=r"transcripts\.jsonl: holds no transcripts"):
        grade(tmp_path, None)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_damaged_line_is_named_and_not_graded(tmp_path: Path, workers: int) -> None:
    (tmp_path / "in.jsonl").write_text(
        '{"transcript_id": "b", "steps": [{"raw_output": "1"}]}\n{broken\n'
    )
    run, engine = RunDirectory.create(tmp_path / "run"), open_engine("local", workers)
    grade_run(run, Input(tmp_path / "in.jsonl"), STRICT)
    assert grade_run(run, None, STRICT, engine=engine).ungraded == 2
    before = run.grades_path.read_bytes()
    with run.transcripts_path.open("a") as file:
        file.write("garbage\n")
    with pytest.raises(UserError, match=r"transcripts\.jsonl:3: not a JSON object"):
        grade_run(run, None, STRICT, engine=engine)
    assert run.grades_path.read_bytes() == before


def test_new_transcripts_are_added(tmp_path: Path) -> None:
    grade(tmp_path, THREE[:1])
    assert grade(tmp_path, THREE).graded_now == 2 * 4


def test_other_settings_regrade_and_the_last_line_counts(tmp_path: Path) -> None:
    grade(tmp_path, THREE)
    wide = Plan(graders=STRICT.graders, settings=GradeSettings(relative_tolerance=1.0))
    summary = grade(tmp_path, None, wide)
    assert summary.graders["strict_keyword"]["correct"] == 2
    current = RunDirectory.open(tmp_path).grades_by_transcript()
    assert current["b"]["strict_keyword"].verdict == "correct"
    assert len(lines(tmp_path / "grades.jsonl")) == 2 * 3 * 4


def test_before_nudge_stands_beside(tmp_path: Path) -> None:
    nudged = transcript(["It is high.", "0.25"], kinds=("original_prompt", "nudge_generic"))
    grade(tmp_path, [nudged])
    plan = Plan(graders=STRICT.graders, before_nudge=True)
    summary = grade(tmp_path, None, plan)
    assert summary.graders["cascade"]["correct"] == 1
    assert summary.graders["cascade:before_nudge"]["no_answer"] == 1
    anew = grade(tmp_path / "new", [nudged], plan)
    assert anew.graders["cascade:before_nudge"]["no_answer"] == 1


def test_a_pass_shows_its_own_grades_and_of_the_other_those_that_compare(tmp_path: Path) -> None:
    grade(tmp_path, THREE)
    wide = GradeSettings(relative_tolerance=1.0)
    own = grade(tmp_path, None, Plan(STRICT.graders, wide, before_nudge=True)).graders
    assert (own["cascade"]["correct"], own["cascade:before_nudge"]["correct"]) == (1, 2)
    assert set(grade(tmp_path, None).graders) == {*STRICT.graders, "cascade"}


def test_each_pass_answers_for_its_own_cascade(tmp_path: Path) -> None:
    nudged = transcript(["It is high.", "0.25"], kinds=("original_prompt", "nudge_generic"))
    preview = nudged.steps[0].model_copy(update={"metadata": {"truncated": True}})
    made = nudged.model_copy(update={"steps": (preview, nudged.steps[1])})
    assert grade(tmp_path, [made]).ungraded == 0
    before = grade(tmp_path, None, Plan(graders=STRICT.graders, before_nudge=True))
    assert before.problems == [("x1", "truncated_record: only a preview of this step was recorded")]
    assert grade(tmp_path, None).ungraded == 0


def test_outcomes_and_fields_are_filled_in(tmp_path: Path) -> None:
    made = [
        transcript("It is 0.25.", transcript_id="clean"),
        transcript("⭕ Execution error, try to repair the code, attempts: 2....\n\nIt is 0.25.",
                   transcript_id="error_recovered"),
        transcript(["No.", "0.25"], transcript_id="nudge_recovered",
                   kinds=("original_prompt", "nudge_original")),
        transcript(["No.", "Still no."], transcript_id="failed",
                   kinds=("original_prompt", "nudge_original")),
    ]  # fmt: skip
    grade(tmp_path, made)
    for stored in RunDirectory.open(tmp_path).transcripts():
        assert stored.outcome == stored.transcript_id
        assert all(step.anchoring_score is not None for step in stored.steps)


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path)
    with run.writing(), pytest.raises(UserError, match="another process is writing"):
        grade(tmp_path, THREE)


def test_killed_and_resumed_equals_uninterrupted(tmp_path: Path) -> None:
    big = tmp_path / "big.jsonl"
    source = (FIXTURES / "transcripts.jsonl").read_text().splitlines()
    with big.open("w") as file:
        for copy in range(12):
            for line in source:
                record = json.loads(line)
                record["transcript_id"] += f"-{copy}"
                file.write(json.dumps(record) + "\n")
    run, plain = tmp_path / "run", tmp_path / "plain"
    for writes in (1, 2, 33, 150):
        process = get_context("spawn").Process(target=grade_and_die, args=(run, big, writes))
        process.start()
        process.join()
        assert process.exitcode == -signal.SIGKILL
    grade_run(RunDirectory.create(run), Input(big), STRICT)
    grade_run(RunDirectory.create(plain), Input(big), STRICT)
    one, other = (RunDirectory.open(path).grades_by_transcript() for path in (run, plain))
    assert one == other
    assert len(lines(run / "grades.jsonl")) == sum(map(len, other.values()))


def grade_and_die(run: Path, source: Path, writes: int) -> None:
    """For a process of its own: grade, and be killed in the middle of a write."""
    left, write = writes, Appender.write_many

    def write_or_die(appender: Appender, records: Iterable[str]) -> None:
        nonlocal left
        records, left = list(records), left - 1
        if left == 0:
            with appender.path.open("a") as file:
                file.write(records[0][: len(records[0]) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        write(appender, records)

    Appender.write_many = write_or_die  # type: ignore[method-assign]
    grade_run(RunDirectory.create(run), Input(source), STRICT)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
def test_a_read_only_folder_is_one_clear_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(UserError, match="cannot write"):
        grade(tmp_path / "run", THREE)


@pytest.mark.parametrize(
    ("ids", "names"),
    [
        (["a", "a", "a#record2"], ["a", "a#record2", "a#record2#record2"]),
        (["a#record2", "a", "a"], ["a#record2", "a", "a#record3"]),
        (["a", "a", "a"], ["a", "a#record2", "a#record3"]),
    ],
)
def test_a_renamed_duplicate_and_another_record_never_share_an_id(
    tmp_path: Path, ids: list[str], names: list[str]
) -> None:
    source = tmp_path / "in.jsonl"
    given = [to_native(transcript("It is 0.28.", transcript_id=one)) for one in ids]
    source.write_text("".join(json.dumps(record) + "\n" for record in given))
    run = RunDirectory.create(tmp_path / "run")
    first = grade_run(run, Input(source), STRICT)
    assert [one["transcript_id"] for one in lines(run.transcripts_path)] == names
    assert [one.transcript_id for one in read(source)] == names
    refused = sum("#record" in name and name not in ids[:1] for name in names)
    assert (first.transcripts, first.ungraded) == (3, refused)
    for again in (grade_run(run, None, STRICT), grade_run(run, Input(source), STRICT)):
        assert (again.transcripts, again.ungraded, again.graded_now) == (3, refused, 0)
