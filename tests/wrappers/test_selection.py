"""What a replay starts from, as its options say: which record, what completes it, which part."""

from __future__ import annotations

import json
import shutil
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from grader.cli import main
from grader.errors import UserError
from grader.files.digest import file_sha256
from grader.readers import read
from grader.records import Transcript
from tests.shared_data import FIXTURES
from wrappers.selection import assignments

TASKS = str(FIXTURES / "tasks.json")


def bare(folder: Path) -> Path:
    """The fixture run without context and without the published answers."""
    path = folder / "bare.jsonl"
    with path.open("w") as file:
        for line in (FIXTURES / "transcripts.jsonl").read_text().splitlines():
            record = json.loads(line)
            for name in ("context", "ground_truth"):
                record.pop(name, None)
            file.write(json.dumps(record) + "\n")
    return path


def replayed(folder: Path, *options: str, recorded: Path | None = None) -> list[Transcript]:
    source = recorded or FIXTURES / "transcripts.jsonl"
    run = ["run", "--agent", "replay", "--nudge", "none", "--run", str(folder / "run")]
    assert main([*run, "--recorded", str(source), *options]) == 0
    return list(read(folder / "run/transcripts.jsonl"))


def refusal(capsys: pytest.CaptureFixture[str], folder: Path, *options: str) -> str:
    run = ["run", "--run", str(folder / "run"), *options]
    assert main(run) == 2
    return capsys.readouterr().err


def replay_refusal(capsys: pytest.CaptureFixture[str], folder: Path, *options: str) -> str:
    source = str(FIXTURES / "transcripts.jsonl")
    return refusal(capsys, folder, "--agent", "replay", "--recorded", source, *options)


def test_tasks_complete_what_is_recorded(tmp_path: Path) -> None:
    options = ("--tasks", TASKS, "--data", str(FIXTURES / "csv"))
    found = replayed(tmp_path, *options, recorded=bare(tmp_path))
    assert len(found) == 60
    first = found[0].task
    assert first.context.startswith("The file iris.csv") and first.ground_truth == "0.28"
    assert first.covariates["variable_type"] == "continuous"
    assert first.covariates["n_columns"] == "5"


def test_data_files_are_counted_over_what_is_worked_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "iris.csv").write_text("x\n")
    tasks = {"tasks": Path(TASKS), "data": tmp_path, "limit": None, "repeat": 1}
    assert len(assignments(Namespace(**tasks, task=["t01"]))) == 1
    assert caplog.messages == []
    with pytest.raises(UserError, match=r"holds none of the 1 data files .*first: csv/wine\.csv"):
        assignments(Namespace(**tasks, task=["t04"]))
    replayed(tmp_path, "--tasks", TASKS, "--data", str(tmp_path), "--task", "t04")
    assert "lacks 1 of 1 data files (the first: csv/wine.csv)" in capsys.readouterr().err


def test_what_cannot_be_replayed_is_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = [{"transcript_id": f"x{n}", "ground_truth": "1", "steps": []} for n in range(12)]
    whole = (FIXTURES / "transcripts.jsonl").read_text().splitlines()[:2]
    (tmp_path / "old.jsonl").write_text("\n".join([*map(json.dumps, damaged), *whole]))
    run = ["run", "--agent", "replay", "--nudge", "none", "--run", str(tmp_path / "run")]
    run += ["--recorded", str(tmp_path / "old.jsonl")]
    assert main([*run, "--json"]) == 1
    summary = json.loads(capsys.readouterr().out)
    assert (summary["recorded"], summary["left"], len(summary["not_run"])) == (2, 0, 12)
    assert summary["not_run"][0]["transcript_id"] == "x0"
    assert summary["not_run"][0]["reason"].startswith("no_steps")
    listed = (tmp_path / "run/not_run.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in listed] == summary["not_run"]
    assert main(run) == 1
    said = capsys.readouterr().out
    assert "2 were already there, 12 could not be run\n  x0: no_steps" in said
    assert "to try those again" not in said


def test_tasks_for_none_of_the_transcripts_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tasks = tmp_path / "tasks.json"
    tasks.write_text(json.dumps([{"id": "x", "question": "Another?", "answer": "1"}]))
    said = replay_refusal(capsys, tmp_path, "--tasks", str(tasks))
    assert "--tasks: holds nothing for any of the 60 transcripts" in said


def test_without_tasks_what_has_no_answer_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = ["run", "--agent", "replay", "--limit", "2", "--run", str(tmp_path / "run")]
    assert main([*run, "--recorded", str(bare(tmp_path))]) == 1
    assert "2 could not be run\n  dev01: no_ground_truth" in capsys.readouterr().out


def test_a_task_is_chosen_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = replayed(tmp_path, "--task", "t02", "--task", "t01")
    assert {one.task.task_id for one in found} == {"t01", "t02"}
    said = replay_refusal(capsys, tmp_path / "other", "--task", "t01", "--task", "t001")
    assert "unknown task 't001'. Did you mean 't01'?" in said


def test_of_a_run_directory_only_the_transcripts_are_read(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    shutil.copy(FIXTURES / "transcripts.jsonl", old)
    (old / "grades.jsonl").write_text('{"transcript_id": "dev01", "verdict": "correct"}\n')
    assert len(replayed(tmp_path, recorded=old)) == 60
    manifest: dict[str, Any] = json.loads((tmp_path / "run/manifest.json").read_text())
    assert [one["name"] for one in manifest["run_inputs"]] == ["transcripts.jsonl"]


def test_a_replay_among_its_recordings_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would read itself when it is continued, and `grade` all of it twice."""
    shutil.copy(FIXTURES / "transcripts.jsonl", tmp_path / "a.jsonl")
    said = refusal(capsys, tmp_path, "--agent", "replay", "--recorded", str(tmp_path))
    assert f"{tmp_path}: contains the run directory {tmp_path / 'run'}" in said
    assert not (tmp_path / "run").exists()


def test_the_manifest_of_a_replay_names_no_prompts(tmp_path: Path) -> None:
    replayed(tmp_path)
    assert "run_prompts" not in json.loads((tmp_path / "run/manifest.json").read_text())


def test_the_manifest_names_every_shard_and_the_task_file(tmp_path: Path) -> None:
    first, *others = (FIXTURES / "transcripts.jsonl").read_text().splitlines(keepends=True)
    old = tmp_path / "old"
    old.mkdir()
    (old / "a.jsonl").write_text(first)
    (old / "b.jsonl").write_text("".join(others))
    (old / "labels.jsonl").write_text('{"verdict": "match"}\n')
    replayed(tmp_path, "--tasks", TASKS, recorded=old)
    manifest: dict[str, Any] = json.loads((tmp_path / "run/manifest.json").read_text())
    assert manifest["run_inputs"] == [
        {"name": path.name, "sha256": file_sha256(path)}
        for path in (old / "a.jsonl", old / "b.jsonl", Path(TASKS))
    ]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--model", "m", "--repeat", "2"], "--model, --repeat: not used by --agent replay"),
        (["--base-url", "http://x"], "--base-url: not used"),
        (["--lambda-home", "x"], "--lambda-home: not used"),
        (["--command", "x"], "--command: not used"),
        (["--prompts", "x"], "--prompts: not used"),
        (["--timeout", "1", "--network"], "--timeout, --network: not used"),
        (["--data", "x"], "--data names the data files of --tasks FILE, which is not given"),
        (["--tasks", TASKS, "--data", "no/such"], "no/such: no such folder"),
        (["--tasks", "no/such.json"], "no/such.json: cannot read"),
    ],
)
def test_what_is_of_no_use_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], says: str
) -> None:
    assert says in replay_refusal(capsys, tmp_path, *options)


def test_tasks_and_repeats_of_one_id_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tasks = tmp_path / "tasks.json"
    named = [{"id": name, "question": "Mean of x?", "answer": "1"} for name in ("l1", "l1.r2")]
    tasks.write_text(json.dumps(named))
    options = ("--agent", "command", "--command", "true", "--tasks", str(tasks))
    said = refusal(capsys, tmp_path, *options, "--repeat", "2")
    assert "task 'l1' and task 'l1.r2' would share the transcript id 'l1.r2'" in said
    assert main(["run", "--run", str(tmp_path / "run"), *options]) == 0


def test_other_agents_read_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refusal(capsys, tmp_path, "--agent", "chat", "--tasks", TASKS, "--recorded", "x")
    assert "--recorded is only for --agent replay, not chat" in said


def test_a_task_that_is_named_twice_is_run_once() -> None:
    options = Namespace(
        tasks=FIXTURES / "tasks.json", data=None, task=["t02", "t01", "t02"], limit=None, repeat=1
    )
    assert [one.transcript_id for one in assignments(options)] == ["t02", "t01"]


def test_all_tasks_are_run_once_before_any_is_repeated() -> None:
    options = Namespace(
        tasks=FIXTURES / "tasks.json", data=None, task=["t02", "t01"], limit=None, repeat=2
    )
    expected = ["t02", "t01", "t02.r2", "t01.r2"]
    assert [one.transcript_id for one in assignments(options)] == expected
