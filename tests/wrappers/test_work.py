"""Continuing a run: the same tasks, data and recordings, or a refusal."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from grader.cli import main
from grader.readers.native import from_native, to_native
from grader.records import Step, Task, Transcript
from tests.shared_data import FIXTURES
from wrappers.assignment import Assignment
from wrappers.plan import make_plan
from wrappers.work import AgentWork

from .conftest import ANSWER, GraderRun

QUESTION = {"id": "t1", "question": "What is the mean of x?", "answer": "4.4", "data": ["x.csv"]}
FIRST = json.loads((FIXTURES / "transcripts.jsonl").read_text().splitlines()[0])
OTHER_INPUT = "t1 was recorded from other input: another "


def write(run: GraderRun, *tasks: dict[str, Any], data: str = "x\n4.4\n") -> None:
    (run.folder / "x.csv").write_text(data)
    (run.folder / "tasks.json").write_text(json.dumps(tasks))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"question": "What is the mean of y?"}, "question"),
        ({"answer": "4.5"}, "ground_truth"),
        ({"context": "x is a length."}, "context"),
        ({"data": []}, "data file"),
    ],
)
def test_a_task_that_was_changed_is_refused(
    grader_run: GraderRun, change: dict[str, Any], field: str
) -> None:
    grader_run.settings({"*": [ANSWER]})
    write(grader_run, QUESTION)
    grader_run.go()
    more = QUESTION | {"id": "t2"}
    write(grader_run, QUESTION | change, more)
    for options in ([], ["--repeat", "2"]):
        done = grader_run.go(*options)
        assert done.returncode == 2 and OTHER_INPUT + field in done.stderr
    assert list(grader_run.records()) == ["t1"]


@pytest.mark.parametrize("others", [[], [QUESTION]])
def test_a_task_of_the_name_of_a_recorded_repeat_is_refused(
    grader_run: GraderRun, others: list[dict[str, Any]]
) -> None:
    grader_run.settings({"*": [ANSWER]})
    write(grader_run, QUESTION)
    grader_run.go("--repeat", "2")
    write(grader_run, *others, QUESTION | {"id": "t1.r2"})
    done = grader_run.go()
    assert done.returncode == 2
    assert "t1.r2 was recorded from other input: another task." in done.stderr


def test_data_that_were_changed_are_refused(grader_run: GraderRun) -> None:
    grader_run.settings({"*": [ANSWER]})
    write(grader_run, QUESTION)
    grader_run.go()
    assert set(grader_run.records()["t1"]["metadata"]["data_sha256"]) == {"x.csv"}
    write(grader_run, QUESTION, data="x\n9\n")
    done = grader_run.go()
    assert done.returncode == 2 and OTHER_INPUT + "data file" in done.stderr


def test_further_tasks_are_added_and_the_manifest_names_every_file(grader_run: GraderRun) -> None:
    grader_run.settings({"*": [ANSWER]})
    write(grader_run, QUESTION)
    grader_run.go()
    write(grader_run, QUESTION, QUESTION | {"id": "t2"})
    assert grader_run.go().returncode == 0
    assert grader_run.go("--repeat", "2").returncode == 0
    assert list(grader_run.records()) == ["t1", "t2", "t1.r2", "t2.r2"]
    manifest = json.loads((grader_run.directory / "manifest.json").read_text())
    assert [entry["name"] for entry in manifest["run_inputs"]] == ["tasks.json"] * 2
    assert len({entry["sha256"] for entry in manifest["run_inputs"]}) == 2


def test_a_directory_without_transcripts_is_free(grader_run: GraderRun) -> None:
    """A mistyped option leaves a directory that the right command can use."""
    grader_run.tasks("t1")
    wrong = grader_run.go("--model", "m", "--base-url", "http://127.0.0.1:9/v1", agent="chat")
    assert wrong.returncode == 1
    grader_run.settings({"*": [ANSWER]})
    assert grader_run.go().returncode == 0
    assert list(grader_run.records()) == ["t1"]


def test_every_question_of_a_benchmark_is_found_again_as_it_was(tmp_path: Path) -> None:
    """What a record states of its task is what the task file states, also of odd texts."""
    tasks = [
        Task(task_id="t1", question=" a\tb \n", context="\n", ground_truth="5.36%"),
        Task(task_id="t2", question="ünï \u2028 \x00", answer_kind="choice", choices=("A. x", "y")),
        Task(task_id="t3", question="Yes?", ground_truth="yes", answer_kind="choice"),
    ]
    for task in tasks:
        record = to_native(Transcript(transcript_id=task.task_id, task=task, steps=(Step(),)))
        recorded = from_native(json.loads(json.dumps(record)))
        plan = make_plan("command", {"command": "true"})
        assert AgentWork(plan, [Assignment(task)], [], 1).difference(recorded) is None


def replays(folder: Path, source: Path, *options: str) -> int:
    run = ["run", "--agent", "replay", "--nudge", "none", "--run", str(folder / "run")]
    return main([*run, "--recorded", str(source), *options])


def altered(folder: Path, **changes: Any) -> Path:
    """The fixture run with other fields in its first record."""
    lines = (FIXTURES / "transcripts.jsonl").read_text().splitlines()
    first = json.loads(lines[0]) | changes
    path = folder / "other.jsonl"
    path.write_text("\n".join([json.dumps(first), *lines[1:]]))
    return path


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"agent": "another"}, "agent"),
        ({"steps": [{"raw_output": "It is 7."}]}, "record"),
        ({"steps": [{"raw_output": "It is 7."}] * 9}, "record"),
        ({"steps": [*FIRST["steps"], {"raw_output": "It is 7."}]}, "record"),
        ({"ground_truth": "7"}, "ground_truth"),
    ],
)
def test_another_record_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, Any], field: str
) -> None:
    source = FIXTURES / "transcripts.jsonl"
    assert replays(tmp_path, source, "--limit", "3") == 0
    capsys.readouterr()
    assert replays(tmp_path, altered(tmp_path, **changes)) == 2
    assert f"dev01 was recorded from other input: another {field}." in capsys.readouterr().err
    assert replays(tmp_path, Path(shutil.copy(source, tmp_path))) == 0
