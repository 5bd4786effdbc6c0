"""All commands: help, names, bad usage, exit codes, and what they do without a terminal."""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pandas as pd
import pytest

from grader.cli import COMMANDS, main
from tests.shared_data import FIXTURES, ROOT

RUN = str(FIXTURES / "transcripts.jsonl")
TASKS = ("--tasks", str(FIXTURES / "tasks.json"))


def test_help_lists_every_command_without_heavy_imports() -> None:
    code = (
        "import sys; from grader.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print([m for m in ('pydantic', 'pandas', 'openai', 'rich', 'regex') if m in sys.modules])"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    ).stdout
    assert all(f"  {name}" in shown for name in COMMANDS)
    assert shown.strip().endswith("[]")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as stop:
        main([name, "--help"])
    assert stop.value.code == 0
    said = capsys.readouterr().out
    assert "--json" in said
    assert max(map(len, said.splitlines())) <= 100


@pytest.mark.parametrize("name", COMMANDS)
def test_options_are_described_alike(name: str) -> None:
    parser = argparse.ArgumentParser()
    import_module(COMMANDS[name][0]).add_arguments(parser)
    for action in parser._actions:
        text = action.help or ""
        assert "(default " not in text and "with commas" not in text
        if action.nargs != 0:
            assert action.metavar, f"{action.dest} is shown as its own name"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["calibrate", "DIR", "--target", "runs"], "unknown target 'runs'. Did you mean 'run'?"),
        (["run", "--agent", "chat", "--run", "DIR", "--nudge", "C"], "unknown nudge mode 'C'."),
        (["labels", "import", "DIR", "F", "--stage", "snipet"], "Did you mean 'snippet'?"),
        (["labels", "export", "DIR", "F", "--format", "xml"], "unknown format 'xml'."),
        (["grade", "DIR", "--format", "nativ"], "Did you mean 'native'?"),
        (["labels", "adjudicate", "DIR", "t1", "mach"], "Did you mean 'match'?"),
    ],
)
def test_a_misspelt_name_is_one_line_with_the_valid_ones(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert message in error and "Valid: " in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("arguments", [["grad"], ["grad", RUN, "--run", "out"]])
def test_unknown_command(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert "Did you mean 'grade'" in error and error.count("\n") == 1


def test_export_has_one_row_per_transcript(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["grade", RUN, "--run", str(tmp_path), "--lenient", "off"])
    for form, name in (("csv", "grades.csv"), ("parquet", "grades.parquet")):
        assert main(["export", str(tmp_path), "--format", form]) == 0
        assert (tmp_path / name).exists()
    with (tmp_path / "grades.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 60
    assert rows[0]["transcript_id"] == "dev01"
    assert rows[0]["strict_keyword_verdict"] == "correct"
    assert len(pd.read_parquet(tmp_path / "grades.parquet")) == 60
    assert main(["export", str(tmp_path), "--format", "dsgym"]) == 0
    records = json.loads((tmp_path / "dsgym_results.json").read_text())
    assert records[0]["metrics"]["cascade"]["score"] == 1.0
    # what was exported can be graded again
    again = tmp_path / "again"
    assert main(["grade", str(tmp_path / "dsgym_results.json"), "--run", str(again)]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["grade", "nowhere.jsonl", "--run", "out"], "nowhere.jsonl: cannot read: No such file"),
        (["grade", RUN], "Say where to put it: --run DIR"),
        (["grade", RUN, "--run", ""], "an empty path"),
        (["grade", "", "--run", "out"], "an empty path"),
        (["export", ""], "an empty path"),
        (["export", "DIR", "--output", "-"], "no standard input or output"),
        (["grade", RUN, "--run", "out", "--graders", "strict"], "unknown grader 'strict'"),
        (["grade", RUN, "--run", "out", "--format", "xml"], "unknown format 'xml'"),
        (
            ["grade", RUN, "--run", "out", "--tasks", str(FIXTURES / "labels.jsonl")],
            "has no question",
        ),
        (["export", "nowhere"], "not a run directory"),
        (["grade", RUN, "--run", "out", "--settings", "none.toml"], "none.toml: cannot read"),
        (["grade", RUN, "--run", "out", "--data", "."], "--data names the data files of --tasks"),
        (["grade", RUN, "--run", "out", *TASKS, "--data", "none"], "none: no such folder"),
        (
            ["grade", RUN, "--run", "out", "--covariates", "c.csv", "--lenient", "off"],
            "holds nothing for any of the 60 transcripts",
        ),
        (["grade", RUN, "--run", "out", "--lenient", "replay:no.jsonl"], "no.jsonl: no such file"),
        (
            ["grade", RUN, "--run", "out", "--graders", "strict_blind", "--lenient-all"],
            "--lenient-all: no effect without lenient among --graders",
        ),
        (
            ["grade", RUN, "--run", "out", "--graders", "strict_blind", "--lenient", "batch"],
            "--lenient batch: no effect without lenient among --graders",
        ),
        (
            ["grade", RUN, "--run", "out", "--graders", "lenient"],
            "lenient needs a strict grader beside it",
        ),
    ],
)
def test_bad_usage_is_one_line_and_exit_2(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("c.csv").write_text("task_id,level\nz99,hard\n")
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not Path("out").exists()


def test_names_of_files_and_runs_need_not_be_utf_8(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, run = (tmp_path / os.fsdecode(name) for name in (b"\xff.jsonl", b"run\xff"))
    source.write_bytes((FIXTURES / "transcripts.jsonl").read_bytes())
    for arguments in (
        ["grade", str(source), "--run", str(run), "--lenient", "off"],
        ["labels", "import", str(run), str(FIXTURES / "labels.jsonl")],
        ["calibrate", str(run)],
        ["report", str(run)],
        ["compare", str(run), str(run)],
    ):
        assert main([*arguments, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("stdout", "code", "said"),
    [
        ("> /dev/full", 2, "grader grade: [Errno 28] No space left on device"),
        (">&-", 0, ""),
        ("| true", 0, ""),
    ],
)
def test_a_stdout_that_takes_nothing(stdout: str, code: int, said: str, tmp_path: Path) -> None:
    command = f"{sys.executable} -m grader grade {RUN} --run {tmp_path} --lenient off --json"
    shell = subprocess.run(
        f"{command} {stdout}", shell=True, cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False
    )
    assert (shell.returncode, shell.stderr.strip()) == (code, said)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("graded")
    main(["grade", RUN, "--run", str(run), "--lenient", "off"])
    main(["labels", "import", str(run), str(FIXTURES / "labels.jsonl")])
    return run


PRINTING = ["grade", "calibrate", "report", "compare", "stress"]  # tables, in figures and signs


@pytest.mark.parametrize("command", PRINTING)
def test_a_reader_that_closes_the_output(command: str, graded: Path) -> None:
    shell = subprocess.run(
        f"{sys.executable} -m grader {command} {graded} | true; exit ${{PIPESTATUS[0]}}",
        shell=True, executable="/bin/bash", cwd=ROOT, stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    assert shell.returncode == 141 and b"Error" not in shell.stderr


@pytest.mark.parametrize("command", PRINTING)
def test_an_output_that_lacks_characters(command: str, graded: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "grader", command, str(graded)],
        env={**os.environ, "PYTHONIOENCODING": "ascii"}, cwd=ROOT, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout.isascii()) == (0, True) and done.stdout


def test_a_run_is_read_as_a_run(graded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grade", str(graded), "--format", "dsgym"]) == 2
    assert "--format dsgym: no effect on a run" in capsys.readouterr().err


def test_a_closed_stderr_leaves_the_exit_code() -> None:
    command = f"{sys.executable} -m grader grade nowhere.jsonl --run nowhere 2>&-"
    assert subprocess.run(command, shell=True, cwd=ROOT, check=False).returncode == 2


def test_an_interrupt_while_a_command_is_imported_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("importlib.import_module", interrupted)
    assert main(["grade", "nowhere.jsonl"]) == 130
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["report", "nowhere"]) == 130
    assert "continue" not in capsys.readouterr().err


def test_an_error_of_the_program_has_an_exit_code_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(name: str) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("importlib.import_module", broken)
    assert main(["grade", "nowhere.jsonl"]) == 70
    assert "Traceback" in (said := capsys.readouterr().err) and "a bug" in said


def test_an_option_has_to_be_written_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grade", "nowhere.jsonl", "--lenient-s", "0.5"]) == 2
    said = capsys.readouterr().err
    assert said == (
        "grader grade: unrecognized arguments: --lenient-s 0.5. See grader grade --help\n"
    )


def test_an_error_holds_no_character_that_a_terminal_obeys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(tmp_path / "a\u202eb")]) == 2
    assert "a⟨U+202E⟩b" in (said := capsys.readouterr().err) and "\u202e" not in said
