"""Many tasks through real worker processes: hangs, deaths, leaks, kills, resumption."""

from __future__ import annotations

import json
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from grader.files.digest import file_sha256
from grader.records import Task, Transcript
from grader.run import RunDirectory
from tests.shared_data import ROOT
from tests.waiting import wait_until
from wrappers import supervisor
from wrappers.assignment import Assignment, Unrun
from wrappers.plan import make_plan
from wrappers.run_record import record_results
from wrappers.scheduler import run_assignments
from wrappers.workspace import WORKSPACES

from .conftest import AGENT, ANSWER, GraderRun


def test_bad_tasks_do_not_touch_the_others(grader_run: GraderRun) -> None:
    """A hang, a death, a leaked process, an exception: one slot, one after the other."""
    grader_run.tasks("good1", "hangs", "dies", "flees", "leaks", "raises", "half", "good2")
    grader_run.settings(
        {
            "*": [ANSWER],
            "hangs": [{"text": "", "sleep": 3600, "partial": "I begin"}],
            "dies": [{"text": "", "spawn": "attached", "exit": 7}],
            "flees": [{"text": "", "spawn": "detached", "exit": 7}],
            "leaks": [{"text": ANSWER, "spawn": "detached"}],
            "raises": [{"text": "", "raises": "broken agent", "partial": "I begin"}],
            "half": ["I have looked at it.", {"text": "", "sleep": 3600}],
        },
        run={"task_timeout": 4},
    )
    done = grader_run.go("--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["outcomes"] == {"clean": 3, "failed": 5}
    records = grader_run.records()
    stops = {name: record["metadata"]["stop_reason"] for name, record in records.items()}
    assert stops == {
        "good1": "answered",
        "hangs": "timeout",
        "dies": "agent_died",
        "flees": "agent_died",
        "leaks": "answered",
        "raises": "agent_error",
        "half": "timeout",
        "good2": "answered",
    }
    assert records["dies"]["metadata"]["detail"] == "exit code 7"
    assert records["raises"]["metadata"]["detail"] == "ValueError: broken agent"
    (raised,) = records["raises"]["steps"]
    assert raised["metadata"] == {"cut_off": "agent_error", "partial_output": "I begin"}
    hung = records["hangs"]["steps"][0]
    assert hung["raw_output"] == "" and hung["scalar_found"] is False
    assert hung["metadata"] == {"cut_off": "timeout", "partial_output": "I begin"}
    assert hung["elapsed_time"] >= 3.9
    assert [s["instruction_type"] for s in records["half"]["steps"]] == [
        "original_prompt",
        "nudge_original",
    ]
    assert grader_run.strays() == []
    assert not (grader_run.directory / WORKSPACES).exists()


def test_files_that_were_in_the_directory_stay(grader_run: GraderRun) -> None:
    mine = grader_run.directory / "work" / "mine.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    grader_run.tasks("good1")
    grader_run.settings({"*": [ANSWER]})
    assert grader_run.go().returncode == 0
    assert mine.read_text() == "mine"


def test_an_agent_that_cannot_clean_up_loses_its_process_not_the_answer(
    grader_run: GraderRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`reset` blocks; the run waits for it as long as it is told, then goes on."""
    monkeypatch.setattr(supervisor, "RESET_SECONDS", 0.3)
    monkeypatch.setattr(tempfile, "tempdir", grader_run.scratch)
    monkeypatch.setenv("TMPDIR", grader_run.scratch)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    plan = make_plan(
        "tests.wrappers.scripted.agent", {"turns": {"*": [ANSWER]}, "stubborn_reset": True}
    )
    tasks = [Assignment(Task(task_id=name, question="Mean of x?")) for name in ("a", "b")]
    results = list(run_assignments(plan, tasks, grader_run.folder, 1))
    assert [r.outcome for r in results if isinstance(r, Transcript)] == ["clean", "clean"]
    assert grader_run.strays() == []


def test_an_unavailable_agent_is_not_recorded_and_is_tried_again(grader_run: GraderRun) -> None:
    grader_run.tasks("t1", "t2")
    grader_run.settings({"*": [ANSWER], "t1": [{"text": "", "unavailable": "model is down"}]})
    first = grader_run.go()
    assert first.returncode == 1
    assert "t1: model is down" in first.stdout
    assert "1 transcript recorded" in first.stdout
    assert list(grader_run.records()) == ["t2"]
    line = json.loads((grader_run.directory / "not_run.jsonl").read_text())
    assert line == {"transcript_id": "t1", "reason": "model is down"}
    again = json.loads(grader_run.go("--json").stdout)
    assert [entry["transcript_id"] for entry in again["not_run"]] == ["t1"]
    assert again["already_recorded"] == 1


def test_a_run_stops_when_nothing_works(grader_run: GraderRun) -> None:
    grader_run.tasks(*[f"t{number}" for number in range(14)])
    grader_run.settings({"*": [{"text": "", "unavailable": "model is down"}]})
    done = grader_run.go("--json")
    assert done.returncode == 1
    assert "stopped: 10 tasks in a row could not be run" in done.stderr
    summary = json.loads(done.stdout)
    assert (len(summary["not_run"]), summary["left"], summary["recorded"]) == (10, 4, 0)


def test_only_tasks_in_a_row_stop_a_run(tmp_path: Path) -> None:
    unrun = [Unrun(f"t{number}", "model is down") for number in range(18)]
    done = Transcript(transcript_id="good", task=Task(task_id="good"))
    results = (one for one in [*unrun[:9], done, *unrun[9:]])
    summary = record_results(RunDirectory.create(tmp_path), results, 19, may_run_later=True)
    assert (summary["recorded"], summary["left"], len(summary["not_run"])) == (1, 0, 18)


def test_tasks_behind_a_stop_are_reached_by_the_next_command(grader_run: GraderRun) -> None:
    refused = [f"t{number:02}" for number in range(10)]
    grader_run.tasks(*refused, "good")
    grader_run.settings(
        {"*": [ANSWER]} | {name: [{"text": "", "unavailable": "no"}] for name in refused}
    )
    assert "\n1 more was not reached\n" in grader_run.go().stdout
    done = json.loads(grader_run.go("--json").stdout)
    assert (done["recorded"], done["left"], len(done["not_run"])) == (1, 0, 10)


def test_reasons_that_lie_in_the_tasks_do_not_stop_a_run(grader_run: GraderRun) -> None:
    """Ten tasks without their data, one of them with a name too long to be a prompt's argument."""
    lacking = [f"t{number:02}" for number in range(10)]
    grader_run.tasks(*lacking, data=["gone.csv"])
    tasks = json.loads((grader_run.folder / "tasks.json").read_text())
    tasks[0] |= {"data": [], "question": 200_000 * "?"}
    tasks.append({"id": "good", "question": "What is the mean of x?", "answer": "4.4"})
    (grader_run.folder / "tasks.json").write_text(json.dumps(tasks))
    done = grader_run.go("--json", "--command", "echo 4.4 $prompt", agent="command")
    assert "stopped" not in done.stderr
    assert [one["transcript_id"] for one in json.loads(done.stdout)["not_run"]] == lacking
    assert list(grader_run.records()) == ["good"]


def test_a_missing_data_file_stops_its_task_only(grader_run: GraderRun) -> None:
    grader_run.tasks("t1", data=["gone.csv"])
    grader_run.settings({"*": [ANSWER]})
    done = grader_run.go()
    assert done.returncode == 1
    assert "t1: data file missing: gone.csv" in done.stdout


def test_the_record_states_the_data_that_were_copied(
    grader_run: GraderRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that changes while the agent works, and between two tasks of one process."""
    monkeypatch.setattr(tempfile, "tempdir", grader_run.scratch)
    monkeypatch.setenv("TMPDIR", grader_run.scratch)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    data, meeting = grader_run.folder / "x.csv", grader_run.folder / "meeting"
    data.write_text("x\n4.4\n")
    meeting.mkdir()
    plan = make_plan(AGENT, {"turns": {"*": [{"text": ANSWER, "meet": str(meeting), "guests": 2}]}})
    task = Task(task_id="t", question="Mean of x?", data_files=(str(data),))
    before = file_sha256(data)

    def change() -> None:
        wait_until(lambda: any(meeting.iterdir()))
        data.write_text("x\n9\n")
        (meeting / "other").touch()

    found = []
    with ThreadPoolExecutor() as pool:
        pool.submit(change)
        for repeat in (1, 2):
            (result,) = run_assignments(plan, [Assignment(task, repeat)], grader_run.folder, 1)
            assert isinstance(result, Transcript)
            found.append(result.metadata["data_sha256"])
    assert found == [{"x.csv": before}, {"x.csv": file_sha256(data)}]


def test_hostile_text_is_recorded_as_it_is(grader_run: GraderRun) -> None:
    text = (
        "<script>alert(1)</script>\x00\x1b[31m ignore all instructions; 4.4 \u2028" + "9" * 50_000
    )
    grader_run.tasks("t1")
    grader_run.settings({"*": [{"text": text, "surrogate": True}]})
    assert grader_run.go("--nudge", "none").returncode == 0
    (step,) = grader_run.records()["t1"]["steps"]
    assert step["raw_output"] == text + "\udc80"


def test_tasks_run_at_the_same_time(grader_run: GraderRun) -> None:
    """Three tasks that each wait until all three have begun: one after the other, all would
    run into their time limit."""
    grader_run.tasks("t1", "t2", "t3")
    meeting = grader_run.folder / "meeting"
    meeting.mkdir()
    grader_run.settings({"*": [{"text": ANSWER, "meet": str(meeting), "guests": 3}]})
    grader_run.go("--concurrency", "3", "--timeout", "100")
    outcomes = [record["outcome"] for record in grader_run.records().values()]
    assert outcomes == ["clean"] * 3


def test_a_nudge_that_is_cut_off_keeps_its_reason(grader_run: GraderRun) -> None:
    grader_run.tasks("hangs", "raises")
    silent = "I have looked."
    hangs, raises = {"text": "", "sleep": 3600}, {"text": "", "raises": "no"}
    turns = {"*": [silent, hangs], "raises": [silent, raises]}
    grader_run.settings(turns, run={"task_timeout": 4})
    grader_run.go()
    for record in grader_run.records().values():
        (nudge,) = record["metadata"]["nudges"]
        assert (nudge["reason"], nudge["recovered"]) == ("no_scalar", False)


@pytest.mark.parametrize(("tasks_each", "workers"), [(2, 2), (20, 1)])
def test_a_worker_is_replaced_after_some_tasks(
    grader_run: GraderRun, monkeypatch: pytest.MonkeyPatch, tasks_each: int, workers: int
) -> None:
    made: list[supervisor.Worker] = []

    class Counted(supervisor.Worker):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            made.append(self)

    monkeypatch.setattr("wrappers.scheduler.Worker", Counted)
    monkeypatch.setattr("wrappers.scheduler.TASKS_PER_WORKER", tasks_each)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    plan = make_plan("tests.wrappers.scripted.agent", {"turns": {"*": [ANSWER]}})
    tasks = [Assignment(Task(task_id=f"t{number}", question="?")) for number in range(3)]
    done = list(run_assignments(plan, tasks, grader_run.folder, 1))
    assert [one.transcript_id for one in done] == ["t0", "t1", "t2"]
    assert len(made) == workers
