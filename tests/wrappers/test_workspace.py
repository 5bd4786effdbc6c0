"""The working folder of a task: which data files can lie in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wrappers.workspace import data_problem, workspace_for

from .conftest import GraderRun

UNREADABLE = Path("/proc/self/mem")  # for root too


def test_it_holds_copies_and_is_gone_afterwards(tmp_path: Path) -> None:
    data = tmp_path / "x.csv"
    data.write_text("x\n")
    with workspace_for([str(data)], tmp_path / "work") as (folder, files):
        assert files == [folder / "x.csv"]
        files[0].write_text("changed")
    assert data.read_text() == "x\n"
    assert not folder.exists()


@pytest.mark.skipif(not UNREADABLE.exists(), reason="this system has no such file")
def test_a_file_that_cannot_be_read_stops_its_task_only(grader_run: GraderRun) -> None:
    (grader_run.folder / "x.csv").symlink_to(UNREADABLE)
    grader_run.tasks("t1", data=["x.csv"])
    tasks = json.loads((grader_run.folder / "tasks.json").read_text())
    tasks += [{"id": "good", "question": "What is the mean of x?", "answer": "4.4"}]
    (grader_run.folder / "tasks.json").write_text(json.dumps(tasks))
    done = grader_run.go("--command", "echo 4.4", agent="command")
    assert done.returncode == 1, done.stderr
    assert "t1: data file cannot be read: " in done.stdout
    assert list(grader_run.records()) == ["good"]


def test_files_of_one_name_do_not_replace_each_other(tmp_path: Path) -> None:
    names = [str(tmp_path / part / "x.csv") for part in ("train", "test")]
    for name in names:
        Path(name).parent.mkdir()
        Path(name).touch()
    assert data_problem(names[:1]) is None
    assert data_problem(names) == (
        f"data files with the same name: {', '.join(names)}. Rename them"
    )


def test_a_task_that_names_a_file_twice_has_it_once(grader_run: GraderRun) -> None:
    """Its path in the task file, and a copy under its name alone."""
    data = grader_run.folder / "x.csv"
    data.write_text("4.4\n")
    grader_run.tasks("t1", data=[str(data), str(data)])
    assert grader_run.go("--command", "cat x.csv", agent="command").returncode == 0
    (step,) = grader_run.records()["t1"]["steps"]
    assert "Data files: x.csv\n" in step["instruction_text"]
    assert step["raw_output"] == "4.4\n"
