"""A run and its input: what is the same, what has changed, what may be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.errors import UserError
from grader.passes.grading import grade_run
from grader.passes.input import Input
from grader.passes.plan import Plan
from grader.readers import from_native
from grader.records import Task
from grader.run import RunDirectory
from grader.tasks.index import TaskIndex
from tests.grader.strict_runs import STRICT, THREE, grade
from tests.grader.transcripts import transcript


@pytest.mark.parametrize(
    "change",
    [
        {"answer_kind": "text"},
        {"question": "What is it?"},
        {"ground_truth": "0.26"},
        {"context": "Rates."},
        {"choices": ["0.25", "0.5"]},
        {"covariates": {"size": "low"}},
        {"nudge_mode": "A"},
        {"agent": "other"},
        {"task_id": "u"},
        {"problem": "the agent crashed"},
        {"steps": []},
        {"steps": [{"raw_output": "The mean rate is 0.40."}]},
        {"steps": [{"raw_output": "The rate is 0.25.", "instruction_type": "nudge_generic"}]},
    ],
)
def test_a_changed_transcript_is_refused(tmp_path: Path, change: dict) -> None:
    record: dict = {
        "transcript_id": "a", "task_id": "t", "question": "What is the rate?",
        "ground_truth": "0.25", "covariates": {"size": "high"}, "agent": "one", "nudge_mode": "B",
        "steps": [{"raw_output": "The rate is 0.25.", "elapsed_time": 3}],
    }  # fmt: skip
    grade(tmp_path, [from_native(record)])
    assert grade(tmp_path, [from_native(record)]).graded_now == 0
    message = rf"version of transcript 'a' .*: {next(iter(change))}.* is not the same\. Make a new "
    with pytest.raises(UserError, match=message):
        grade(tmp_path, [from_native(record | change)])
    assert grade(tmp_path, [from_native(record)]).graded_now == 0


RECORD: dict = {"transcript_id": "a", "task_id": "t", "question": "What is the rate?"}
OUTPUT = {"raw_output": "It is B."}


@pytest.mark.parametrize(
    "first",
    [
        {"ground_truth": "0.25", "steps": [OUTPUT]},
        {"ground_truth": "0.25", "steps": [{**OUTPUT, "elapsed_time": 3, "seed": 5}], "seed": 5},
        {"ground_truth": "B", "choices": ["A. more", "B. less"], "answer_kind": "choice",
         "context": "Of birds.", "covariates": {"size": "high"}, "steps": [OUTPUT]},
    ],
)  # fmt: skip
def test_what_an_input_leaves_open_or_adds_beside_is_no_change(
    tmp_path: Path, first: dict, caplog: pytest.LogCaptureFixture
) -> None:
    other = {**RECORD, "transcript_id": "z", **first}
    grade(tmp_path, [from_native(other), from_native({**RECORD, **first})])
    bare = {**RECORD, "steps": [OUTPUT]}
    more = {**RECORD, **first, "reviewed_by": "ada", "agent": "x", "covariates": {"kind": "new"}}
    for again, told in ((bare, []), (more, ["1 transcripts now come with agent, covariates.kind"])):
        caplog.clear()
        assert grade(tmp_path, [from_native(again)]).graded_now == 0
        assert [
            one.getMessage().split(": ")[1].split(", which")[0] for one in caplog.records
        ] == told


def test_a_run_made_with_tasks_goes_on_without_them(tmp_path: Path) -> None:
    bare = {**RECORD, "steps": [OUTPUT]}
    task = Task(task_id="t", question=RECORD["question"], ground_truth="B", context="Of birds.",
                choices=("A. more", "B. less"), answer_kind="choice")  # fmt: skip
    plan = Plan(graders=STRICT.graders, tasks=TaskIndex([task]))
    assert grade(tmp_path, [from_native(bare)], plan).ungraded == 0
    assert grade(tmp_path, [from_native(bare)]).graded_now == 0
    with pytest.raises(UserError, match="ground_truth is not the same"):
        grade(tmp_path, [from_native({**bare, "ground_truth": "A"})])


def test_where_data_files_lie_is_no_change(tmp_path: Path) -> None:
    for place in ("csv", "elsewhere/csv"):
        task = Task(task_id="t", ground_truth="0.25", data_files=(f"{place}/a.csv",))
        assert grade(tmp_path, [transcript("It is 0.25.", task)]).transcripts == 1


def test_a_run_with_two_transcripts_of_one_id_is_refused(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path).append_transcripts() as appender:
        for one in (*THREE, transcript("It is 0.5.", transcript_id="b")):
            appender.add(one)
    with pytest.raises(UserError, match=r"transcripts\.jsonl:4: an earlier line has .* 'b' too"):
        grade(tmp_path, None)


@pytest.mark.parametrize("ids", [(r"a\ud800", r"a\udfff"), ("transcripts.jsonl:2", None)])
def test_ids_that_are_one_only_as_they_are_read_are_refused(
    tmp_path: Path, ids: tuple[str, str | None]
) -> None:
    steps = '"steps": [{"raw_output": "1"}]'
    lines = [f'{{"transcript_id": "{one}", {steps}}}\n' if one else f"{{{steps}}}\n" for one in ids]
    (tmp_path / "transcripts.jsonl").write_text("".join(lines))
    with pytest.raises(UserError, match=r"transcripts\.jsonl:2: an earlier line has"):
        grade(tmp_path, None)


@pytest.mark.parametrize(
    ("source", "run", "refused"),
    [
        ("in", "in/run", True),
        ("in", "in", True),
        ("in", "in/a/run", True),
        ("in", "in-run", False),
        ("in/**/*.jsonl", "in/a/run", True),
        ("in/**/*.jsonl", "in", True),
        ("in/**/*.jsonl.gz", "in/run", False),
        ("in/*/*.jsonl", "in/run", True),
        ("in/*.jsonl", "in/run", False),
        ("in/*.jsonl", "in", True),
        ("in/run/grades.jsonl", "in/run", True),
        ("in/part.jsonl", "in", False),
    ],
)
def test_a_run_is_not_its_own_input(
    tmp_path: Path, source: str, run: str, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    assert Input(Path(source)).takes_in(RunDirectory(run)) == refused
    assert Input(tmp_path / source).takes_in(RunDirectory(run)) == refused


def test_a_run_inside_its_input_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(UserError, match=r"in: contains the run directory .*in/run"):
            grade_run(RunDirectory.create(tmp_path / "in/run"), Input(tmp_path / "in"), STRICT)
    assert list((tmp_path / "in/run").iterdir()) == []
