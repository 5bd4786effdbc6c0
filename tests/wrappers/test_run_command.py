"""`grader run`: which tasks, what its manifest holds, what it refuses."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from .conftest import ANSWER, GraderRun


def test_repeats_limit_and_choice_of_tasks(grader_run: GraderRun) -> None:
    grader_run.tasks("t1", "t2", "t3")
    grader_run.settings({"*": [ANSWER]})
    assert grader_run.go("--limit", "2", "--repeat", "2").returncode == 0
    assert sorted(grader_run.records()) == ["t1", "t1.r2", "t2", "t2.r2"]
    assert grader_run.records()["t1.r2"]["task_id"] == "t1"
    assert grader_run.records()["t1.r2"]["metadata"]["repeat"] == 2
    assert grader_run.go("--task", "t3", "--repeat", "3").returncode == 0
    assert sorted(grader_run.records())[-3:] == ["t3", "t3.r2", "t3.r3"]


def test_a_command_that_cannot_start_leaves_no_directory(grader_run: GraderRun) -> None:
    grader_run.tasks("t1")
    grader_run.settings({"*": [ANSWER]})
    unknown = grader_run.go("--task", "t4")
    assert unknown.returncode == 2 and "unknown task 't4'" in unknown.stderr
    assert not grader_run.directory.exists()


def test_the_manifest_says_how_the_run_was_made(grader_run: GraderRun) -> None:
    grader_run.tasks("t1")
    grader_run.settings({"*": [ANSWER]}, run={"max_nudges": 2}, isolation={"memory_mb": 2048})
    grader_run.go("--nudge", "B", "--timeout", "9")
    manifest = json.loads((grader_run.directory / "manifest.json").read_text())
    assert manifest["nudge_mode"] == "B"
    assert manifest["run_settings"]["loop"]["max_nudges"] == 2
    assert manifest["run_settings"]["loop"]["task_timeout"] == 9
    assert manifest["isolation"]["limits"]["memory_mb"] == 2048
    assert manifest["isolation"]["environment"] == "clean"
    wording = manifest["run_prompts"]["nudge_generic/1"]
    assert set(wording) == {"sha256", "text"}
    record = grader_run.records()["t1"]
    assert (record["nudge_mode"], record["agent"]) == ("B", "tests.wrappers.scripted.agent")


def test_a_run_is_not_continued_in_another_way(grader_run: GraderRun) -> None:
    grader_run.tasks("t1", "t2")
    grader_run.settings({"*": [ANSWER]})
    grader_run.go("--limit", "1")
    other = grader_run.go("--nudge", "none")
    assert (
        other.returncode == 2
        and "was made with another run_settings.loop.nudge_mode" in other.stderr
    )
    assert list(grader_run.records()) == ["t1"]
    (grader_run.directory / "manifest.json").unlink()
    unknown = grader_run.go()
    assert unknown.returncode == 2 and "another agent" in unknown.stderr


def test_a_run_can_be_graded(grader_run: GraderRun) -> None:
    grader_run.tasks("right", "wrong", "none")
    grader_run.settings({"*": [ANSWER], "wrong": ["The mean of x is 9."], "none": ["I wonder."]})
    grader_run.go()
    graded = subprocess.run(
        [*grader_run.command()[:3], "grade", str(grader_run.directory), "--lenient", "off"],
        env=grader_run.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert graded.returncode == 0, graded.stderr
    lines = (grader_run.directory / "grades.jsonl").read_text().splitlines()
    verdicts = {
        grade["transcript_id"]: grade["verdict"]
        for grade in map(json.loads, lines)
        if grade["grader"] == "cascade"
    }
    assert verdicts == {"right": "correct", "wrong": "incorrect", "none": "no_answer"}


@pytest.mark.parametrize(
    ("options", "agent", "says"),
    [
        (["--nudge", "none"], "lamda", "unknown agent 'lamda'. Did you mean 'lambda'?"),
        ([], "no.such.module", "cannot import no.such.module: ModuleNotFoundError"),
        ([], "json.decoder", "has no `Settings` derived from"),
        (["--model", "m"], None, "has no setting --model. Valid: turns, stubborn_reset"),
        (
            ["--lambda-home", "/x"],
            "chat",
            "the chat agent has no setting --lambda-home. Valid: --m",
        ),
        (
            ["--model", "m", "--base-url", "x"],
            "chat",
            "grader run: --base-url: a base URL must look",
        ),
        (["--command", " "], "command", "--command: is empty"),
        (["--concurrency", "0"], None, "--concurrency must be at least 1"),
        (["--repeat", "0"], None, "--repeat must be at least 1"),
        (["--limit", "-1"], None, "--limit must be at least 1"),
        (["--timeout", "-1"], None, "--timeout: Input should be greater than 0"),
        ([], "replay", "needs --recorded PATH"),
        (
            ["--base-url", "http://127.0.0.1:9"],
            "chat",
            "[agent.chat] model: Field required. State it as an option",
        ),
        (["--command", "no-such-program"], "command", "program 'no-such-program' is missing"),
    ],
)
def test_misuse_is_one_clear_line(
    grader_run: GraderRun, options: list[str], agent: str | None, says: str
) -> None:
    grader_run.tasks("t1")
    grader_run.settings({"*": [ANSWER]})
    done = grader_run.go(*options, **({} if agent is None else {"agent": agent}))
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_that_has_lambdas_name_is_not_lambda(grader_run: GraderRun) -> None:
    """As a clone of it has, where PYTHONPATH names the folder around it."""
    grader_run.tasks("t1")
    (grader_run.folder / "LAMBDA").mkdir()
    grader_run.environment["PYTHONPATH"] += f"{os.pathsep}{grader_run.folder}"
    grader_run.environment.pop("LAMBDA_HOME", None)
    done = grader_run.go("--model", "m", "--base-url", "http://localhost:1", agent="lambda")
    assert done.returncode == 2, done.stderr
    assert "cannot import LAMBDA: of that name the import path holds a folder" in done.stderr
