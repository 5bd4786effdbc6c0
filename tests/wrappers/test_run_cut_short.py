"""Runs that are killed, interrupted or closed before they end."""

from __future__ import annotations

import json
import signal
import subprocess
import tempfile
import time
from typing import Any

import pytest

from grader.records import Task
from tests.shared_data import ROOT
from tests.waiting import wait_until
from wrappers import supervisor
from wrappers.assignment import Assignment, Unrun
from wrappers.plan import make_plan
from wrappers.scheduler import run_assignments

from .conftest import ANSWER, GraderRun


def test_closing_a_run_kills_a_worker_that_is_just_starting(
    grader_run: GraderRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One task ends at once, and the run is closed while the other's worker comes up."""

    class SlowToAppear(supervisor.Worker):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            time.sleep(1)

    monkeypatch.setattr("wrappers.scheduler.Worker", SlowToAppear)
    monkeypatch.setattr(tempfile, "tempdir", grader_run.scratch)
    monkeypatch.setenv("TMPDIR", grader_run.scratch)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    marks = grader_run.folder / "marks"
    marks.mkdir()
    turn = {"text": ANSWER, "sleep": 2, "mark": str(marks)}
    plan = make_plan("tests.wrappers.scripted.agent", {"turns": {"*": [turn]}})
    tasks = [
        Assignment(Task(task_id="missing", question="?", data_files=("no/such/file",))),
        Assignment(Task(task_id="long", question="?")),
    ]
    results = run_assignments(plan, tasks, grader_run.folder, 2)
    assert isinstance(next(results), Unrun)
    results.close()
    assert list(marks.iterdir()) == []
    assert grader_run.strays() == []


def test_sigkill_loses_at_most_the_task_in_flight(grader_run: GraderRun) -> None:
    """Killed while the third task waits for guests that come only afterwards."""
    names = [f"t{number}" for number in range(6)]
    meeting = grader_run.folder / "meeting"
    meeting.mkdir()
    grader_run.tasks(*names)
    waiting = {"text": ANSWER, "meet": str(meeting), "guests": 3}
    grader_run.settings({"*": [ANSWER], "t2": [waiting]}, run={"task_timeout": 100})
    process = subprocess.Popen(
        grader_run.command(),
        env=grader_run.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait_until(lambda: any(meeting.iterdir()) and grader_run.recorded() == 2)
    assert grader_run.strays() != []
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert list(grader_run.records()) == names[:2]
    wait_until(lambda: grader_run.strays() == [])
    for guest in ("first", "second"):
        (meeting / guest).touch()
    summary = json.loads(grader_run.go("--json").stdout)
    assert (summary["already_recorded"], summary["recorded"]) == (2, 4)
    assert list(grader_run.records()) == names


def test_an_interrupted_run_leaves_nothing_and_continues(grader_run: GraderRun) -> None:
    grader_run.tasks("t1", "t2")
    grader_run.settings({"*": [ANSWER], "t2": [{"text": ANSWER, "sleep": 3600}]})
    process = subprocess.Popen(
        grader_run.command(),
        env=grader_run.environment,
        stderr=subprocess.PIPE,
        text=True,
        # A test run in the background of a script hands on that it ignores interrupts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    wait_until(lambda: grader_run.recorded() == 1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted; run the same command to continue" in errors
    assert "Traceback" not in errors
    assert grader_run.strays() == []
    assert list(grader_run.records()) == ["t1"]
