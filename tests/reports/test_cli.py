"""`grader report`, `compare` and `stress` as a user calls them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from grader.cli import main
from grader.run import RunDirectory
from reports.load import load_run

from .published import write_published_run


@pytest.fixture
def run_path(published_path: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(published_path, tmp_path / "run"))


def test_report(run_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(run_path), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["transcripts"] == 153
    assert summary["headline"]["Grading success"] == "97.4%"
    assert summary["headline"]["Human match"] == "47.1%"
    assert Path(summary["report"]).is_file()


def test_report_says_where_to_open_it(run_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(run_path)]) == 0
    printed = capsys.readouterr()
    assert (run_path / "report" / "index.html").resolve().as_uri() in printed.out.replace("\n", "")


@pytest.mark.parametrize("command", ["report", "compare", "stress"])
def test_not_a_run(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, str(tmp_path)]) == 2
    assert "not a run directory" in capsys.readouterr().err


def test_compare_two_runs(
    run_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = write_published_run(tmp_path / "other", "B").path
    assert main(["compare", str(run_path), str(other), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["common_tasks"] == 153
    (cascade,) = [row for row in summary["paired"] if row["grader"] == "cascade"]
    assert (cascade["both"], cascade["only_first"], cascade["only_second"]) == (55, 15, 16)
    page = Path(summary["page"])
    assert page == run_path / "report" / "compare-other" / "index.html"
    assert "Repeat-run stability" in page.read_text()
    assert "Over all transcripts of each run, those of repeats" in page.read_text()


def test_compare_runs_of_different_tasks(
    run_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = write_published_run(tmp_path / "other", "B").path
    text = (other / "transcripts.jsonl").read_text().replace('"task', '"other')
    (other / "transcripts.jsonl").write_text(text.replace('"other_id"', '"task_id"'))
    assert main(["compare", str(run_path), str(other)]) == 2
    assert "no task is in two of these: run; other. " in capsys.readouterr().err


def test_compare_replaces_nothing_but_an_earlier_comparison(
    run_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = write_published_run(tmp_path / "other", "B").path
    (tmp_path / "paper" / "tables").mkdir(parents=True)
    mine = tmp_path / "paper" / "tables" / "mine.tex"
    mine.write_text("mine")
    main(["report", str(run_path)])
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "notes.txt").touch()
    elsewhere = write_published_run(tmp_path / "elsewhere", "A").path
    assert main(["compare", str(elsewhere)]) == 0  # a folder of its own in that run's report
    for taken in (tmp_path / "paper", tmp_path / "notes", elsewhere / "report"):
        assert main(["compare", str(run_path), str(other), "--output", str(taken)]) == 2
        assert f"{taken} holds other files" in capsys.readouterr().err
    assert mine.read_text() == "mine"
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / ".DS_Store").touch()
    for _ in range(2):
        assert main(["compare", str(run_path), str(other), "--output", str(tmp_path / "new")]) == 0
    assert (tmp_path / "new" / "tables" / "paired.csv").is_file()


def test_the_place_of_the_report_is_not_taken_by_a_comparison(
    run_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in ("new", "reported"):
        assert main(["compare", str(run_path), "--output", str(run_path / "report")]) == 2
        assert "is for `grader report`. Name another folder" in capsys.readouterr().err
        assert main(["report", str(run_path)]) == 0


def test_a_comparison_before_the_first_report_is_no_other_file(
    published_path: Path, tmp_path: Path
) -> None:
    run = shutil.copytree(published_path, tmp_path / "run", ignore=shutil.ignore_patterns("report"))
    other = write_published_run(tmp_path / "other", "B").path
    assert main(["compare", str(run), str(other)]) == 0
    assert main(["stress", str(run), "--limit", "2"]) == 0
    assert main(["report", str(run)]) == 0


@pytest.mark.parametrize("name", ["every", "metric", "grader", "task", "group"])
def test_a_run_may_have_the_name_of_a_column(
    name: str, run_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = write_published_run(tmp_path / name, "B").path
    assert main(["compare", str(run_path), str(other), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    (strict,) = [row for row in summary["arms"] if row["metric"] == "Strict pass"]
    assert (strict["run:run_count"], strict[f"run:{name}_count"]) == (62, 66)
    assert strict["every_count"] == 47
    assert {row["task"] for row in summary["tasks"]} >= {"task000", "task152"}
    assert "Only in run" in {row["group"] for row in summary["tasks"]}


def test_compare_takes_the_label_database_of_each_run(
    run_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere = (run_path / "labels.sqlite").rename(tmp_path / "labels.sqlite")
    other = write_published_run(tmp_path / "other", "B").path
    compare = ["compare", str(run_path), str(other), "--json"]
    url = f"sqlite:///{elsewhere}"

    def human(*more: str) -> object:
        assert main([*compare, *more]) == 0
        rows = json.loads(capsys.readouterr().out)["arms"]
        return next((r["run:run_count"] for r in rows if r["metric"] == "Human match"), None)

    assert human() is None
    assert human("--database", url, "--database", "") == 72
    assert main([*compare, "--database", url]) == 2
    assert "--database is given 1 times for 2 runs" in capsys.readouterr().err


def test_compare_names_tasks_that_are_not_the_same(
    run_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = write_published_run(tmp_path / "other", "B").path
    file = other / "transcripts.jsonl"
    rows = [json.loads(line) for line in file.open()]
    rows[4]["ground_truth"] = "1"
    rows[10]["question"] += " " * 200 + "Use the second file."
    rows[11]["question"] += "  \n"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["compare", str(run_path), str(other), "--json"]) == 0
    caution = json.loads(capsys.readouterr().out)["caution"]
    assert caution.startswith("Caution: 2 tasks with another question, options or published answer")
    assert caution.endswith("different tasks: task004, task010.")


def test_compare_unknown_grader(run_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(run_path), "--grader", "casade"]) == 2
    assert "Did you mean 'cascade'" in capsys.readouterr().err


@pytest.mark.parametrize("before_nudge", [False, True])
def test_compare_runs_that_are_not_graded(
    before_nudge: bool, run_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = Path(shutil.copytree(run_path, tmp_path / "other run"))
    for path in (run_path, other):
        (path / "grades.jsonl").unlink()
        if before_nudge:
            main(["grade", str(path), "--before-nudge", "--lenient", "off"])
    capsys.readouterr()
    assert main(["compare", str(run_path), str(other)]) == 2
    error = capsys.readouterr().err
    commands = f"grader grade {run_path}, grader grade '{other}'"
    assert f"nothing is graded yet. Grade all steps first: {commands}" in error
    assert "unknown grader" not in error


def test_stress_and_its_threshold(run_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["stress", str(run_path), "--limit", "20", "--json"]
    assert main(arguments) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["transcripts"] == 20
    assert summary["exceeded"] == []
    rows = {row["test"]: row for row in summary["stress-strict_blind"]}
    assert rows["truth just outside tolerance"]["violated"] == 0
    assert main([*arguments, "--max-flip", "0.0"]) == 1
    summary = json.loads(capsys.readouterr().out)
    assert any("strict_heuristic" in line for line in summary["exceeded"])
    cases = Path(summary["page"]).parent / "cases"
    assert list(cases.glob("*-strict-heuristic-*.html"))


def test_the_settings_are_those_the_run_was_graded_with(
    run_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def details(*more: str) -> str:
        assert main(["stress", str(run_path), "--limit", "5", *more]) == 0
        return "".join(p.read_text() for p in (run_path / "report/stress/tables").glob("*.csv"))

    default = details()
    assert "swapped truth" in default
    run = RunDirectory.open(run_path)
    grading = run.manifest()["grading"]
    grading["after_nudges"]["settings"]["relative_tolerance"] = 1
    run.update_manifest(grading=grading)
    assert load_run(run_path).settings.relative_tolerance == 1
    assert details() != default  # most other numbers are within such a tolerance
    (tmp_path / "s.toml").write_text("[grade]\n")
    assert details("--settings", str(tmp_path / "s.toml")) == default


@pytest.mark.parametrize("grading", [None, {"settings": {"relative_tolerance": 0.03}}])
def test_a_run_that_does_not_say_what_its_grades_were_made_with_is_refused(
    run_path: Path, capsys: pytest.CaptureFixture[str], grading: object
) -> None:
    RunDirectory.open(run_path).update_manifest(grading=grading)
    for command in ("report", "compare", "stress", "export", "calibrate", "llm-report"):
        assert main([command, str(run_path)]) == 2
        error = capsys.readouterr().err
        assert "manifest.json: does not state (under `grading`) what the grades were" in error
        assert f"Grade the run again: grader grade {run_path}" in error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--max-false-pass", "5"], "--max-false-pass is a share, 0.05 for 5 percent; it was 5"),
        (["--max-flip", "-0.1"], "--max-flip is a share"),
        (["--max-tolerance", "nan"], "--max-tolerance is a share"),
        (["--limit", "0"], "--limit must be at least 1; it was 0"),
        (["--limit", "-1"], "--limit must be at least 1"),
        (["--graders", ","], "no grader is named"),
    ],
)
def test_a_stress_test_that_could_not_fail_is_refused(
    published_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["stress", str(published_path), *arguments]) == 2
    assert message in capsys.readouterr().err


def test_stress_needs_grades(run_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (run_path / "grades.jsonl").unlink()
    assert main(["stress", str(run_path)]) == 2
    assert "Grade all its steps first" in capsys.readouterr().err


def test_stress_of_a_run_graded_before_the_first_nudge_only(
    run_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (run_path / "grades.jsonl").unlink()
    main(["grade", str(run_path), "--before-nudge", "--lenient", "off"])
    assert main(["stress", str(run_path)]) == 2
    assert "Grade all its steps first" in capsys.readouterr().err


def test_stress_says_what_it_lacks(run_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def complaint() -> str:
        assert main(["stress", str(run_path)]) == 2
        return capsys.readouterr().err

    grades = run_path / "grades.jsonl"
    grades.write_text(grades.read_text().replace('"correct"', '"incorrect"'))
    grades.write_text("".join(line for line in grades.open() if '"lenient"' not in line))
    assert "no LLM judge read one. Have the failures judged" in complaint()
    transcripts = run_path / "transcripts.jsonl"
    for changed, said in (
        (
            {"ground_truth": None},
            f"Give the answers: grader grade {run_path} --run NEW_RUN --tasks",
        ),
        ({"answer_kind": "text"}, "no task asks for a number"),
    ):
        rows = [json.loads(line) | changed for line in transcripts.open()]
        transcripts.write_text("".join(json.dumps(row) + "\n" for row in rows))
        assert said in complaint()
