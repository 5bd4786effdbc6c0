from __future__ import annotations

import csv
import json
from pathlib import Path

import pandas as pd
import pytest

from grader.cascade import strict_grades
from grader.cli import main
from grader.errors import InputError, UserError
from grader.passes.grading import grade_run
from grader.passes.plan import Plan
from grader.readers import read
from grader.records import Task
from grader.run import RunDirectory
from grader.run.export import EXPORTERS, export
from grader.run.grade_index import GradeIndex
from grader.settings import GradeSettings
from tests.grader.recorded import GOOD, write
from tests.grader.transcripts import QUESTION, transcript
from tests.shared_data import FIXTURES

STRICT = ("strict_keyword", "strict_blind")
ODD = "b\ufffd"  # what becomes of "b\ud800", which no file could hold


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    """Three transcripts, graded twice with different settings."""
    task = Task(task_id="t", question=QUESTION, ground_truth="0.25", covariates={"size": "big"})
    made = [
        transcript("The mean rate is 0.25.", transcript_id="a"),
        transcript("The mean rate is 0.30.", transcript_id="b\ud800", task=task),
        transcript("No idea, \ud800.", transcript_id="c"),
    ]
    run = RunDirectory.create(tmp_path / "run")
    grade_run(run, made, Plan(graders=STRICT))
    wide = GradeSettings(relative_tolerance=0.5)
    grade_run(run, None, Plan(graders=STRICT, settings=wide))
    return run


def test_all_forms_say_the_same(run: RunDirectory) -> None:
    verdicts = ["correct", "correct", "no_answer"]
    with export(run, "csv")[0].open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    table = pd.read_parquet(export(run, "parquet")[0])
    results = json.loads(export(run, "dsgym")[0].read_text())
    metrics = [result["metrics"] for result in results]
    assert [row["cascade_verdict"] for row in rows] == verdicts
    assert table["cascade_verdict"].tolist() == verdicts
    assert [m["cascade"]["score"] for m in metrics] == [1.0, 1.0, 0.0]
    assert list(table.columns) == list(rows[0])
    assert [row["cov_size"] for row in rows] == ["", "big", ""]
    assert table["n_steps"].dtype == "int64"
    assert table["strict_blind_confidence"].dtype == "float64"
    assert [name for name in rows[0] if "region_score" in name] == ["strict_keyword_region_score"]
    assert rows[1]["transcript_id"] == table["transcript_id"][1] == results[1]["sample_id"] == ODD


@pytest.mark.parametrize(
    ("name", "options", "begins"),
    [
        ("t.parquet", [], b"PAR1"),
        ("t.PQ", [], b"PAR1"),
        ("t.csv", [], b"transcript_id,"),
        ("t", [], b"transcript_id,"),
        ("t.json", [], b"[\n"),
        ("t.parquet", ["--format", "csv"], b"transcript_id,"),
        ("t.csv", ["--format", "parquet"], b"PAR1"),
    ],
)
def test_without_a_format_the_ending_of_the_file_says_it(
    run: RunDirectory, tmp_path: Path, name: str, options: list[str], begins: bytes
) -> None:
    assert main(["export", str(run.path), "--output", str(tmp_path / name), *options]) == 0
    assert (tmp_path / name).read_bytes().startswith(begins)


@pytest.mark.parametrize("name", ["t.jsonl", "t.csv.gz", "t.parquet.zst", "t.XLSX"])
def test_no_csv_is_written_under_the_ending_of_another_form(
    run: RunDirectory, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["export", str(run.path), "--output", str(tmp_path / name)]
    assert main(asked) == 2
    assert "is written. End it in .csv, .parquet or .json" in capsys.readouterr().err
    assert not (tmp_path / name).exists()
    assert main([*asked, "--format", "csv"]) == 0


def test_the_index_finds_what_the_run_says(run: RunDirectory) -> None:
    with GradeIndex(run).open() as grades_of:
        found = {(g.transcript_id, g.grader): g for i in ("a", ODD, "c") for g in grades_of(i)}
        assert grades_of("nobody") == []
    assert found == {
        (key, name): grade
        for key, of_one in run.grades_by_transcript().items()
        for name, grade in of_one.items()
    }


@pytest.mark.parametrize("line", ["garbage", "[]"])
def test_a_line_that_is_no_transcript_is_named(run: RunDirectory, line: str) -> None:
    with run.transcripts_path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(InputError, match=r"transcripts\.jsonl:4: not a JSON object"):
        export(run, "csv")


def test_a_place_that_is_not_there_is_no_lack_of_space(run: RunDirectory, tmp_path: Path) -> None:
    for place in (tmp_path / "nowhere/grades.csv", tmp_path):
        with pytest.raises(UserError, match=r"cannot write: .*\. Check the path$"):
            export(run, "csv", place)


def test_a_line_that_is_no_grade_is_named(run: RunDirectory) -> None:
    with run.grades_path.open("a") as file:
        file.write('{"transcript_id": "a"}\n')
    with pytest.raises(InputError, match=r"grades\.jsonl:19: not a grade"):
        GradeIndex(run)


@pytest.mark.parametrize("form", EXPORTERS)
def test_a_run_that_cannot_be_read_leaves_the_earlier_export(run: RunDirectory, form: str) -> None:
    target, _ = export(run, form)
    before = target.read_bytes()
    lines = run.transcripts_path.read_text().splitlines(keepends=True)
    run.transcripts_path.write_text("".join([lines[0], "garbage\n", *lines[1:]]))
    with pytest.raises(InputError, match=r":2: not a JSON object"):
        export(run, form)
    assert target.read_bytes() == before
    assert not list(run.path.glob(".*.tmp"))


def test_texts_of_any_kind_keep_their_rows_in_csv(tmp_path: Path) -> None:
    asked = ["one\rtwo", 'a,"b"\nc', "=1+1", "plain"]
    made = [
        transcript("It is 0.25.", transcript_id=f"t{number}",
                   task=Task(task_id="t", question=text, ground_truth="0.25"))
        for number, text in enumerate(asked)
    ]  # fmt: skip
    run = RunDirectory.create(tmp_path / "run")
    grade_run(run, made, Plan(graders=STRICT))
    table = pd.read_csv(export(run, "csv")[0])
    assert table["transcript_id"].tolist() == ["t0", "t1", "t2", "t3"]
    assert table["question"].tolist() == ["one\rtwo", 'a,"b"\nc', "'=1+1", "plain"]


def test_what_is_ungraded_has_no_score_for_dsgym(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "run")
    grade_run(run, [transcript("It is 0.25.", truth=None)], Plan(graders=STRICT))
    (result,) = json.loads(export(run, "dsgym")[0].read_text())
    cascade = result["metrics"]["cascade"]
    assert (cascade["score"], cascade["success"], cascade["skipped"]) == (None, False, True)


@pytest.mark.parametrize("folder", ["choices", "mixed"])
def test_grades_of_a_dsgym_export_are_those_of_the_run(tmp_path: Path, folder: str) -> None:
    one_step = [t for t in read(FIXTURES / folder / "transcripts.jsonl") if len(t.steps) == 1]
    run = RunDirectory.create(tmp_path / "run")
    grade_run(run, one_step, Plan(graders=STRICT))
    again = read(export(run, "dsgym")[0])
    settings = GradeSettings()
    for first, second in zip(one_step, again, strict=True):
        assert first.task.choices == second.task.choices
        assert [g.verdict for g in strict_grades(first, STRICT, settings)] == [
            g.verdict for g in strict_grades(second, STRICT, settings)
        ]


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        ([GOOD, GOOD], "duplicate_id"),
        ([{**GOOD, "outcome": "fine"}], "outcome 'fine' is none of"),
        ([{**GOOD, "nudge_mode": "C"}], "nudge_mode 'C' is none of"),
        ([{**GOOD, "answer_kind": "integer"}], "answer_kind 'integer' is none of"),
        ([{**GOOD, "choices": "yes,no"}], "choices: not a list"),
        ([{**GOOD, "ground_truth": None}], "no_ground_truth"),
        ([{**GOOD, "steps": []}], "no_steps"),
        ([{**GOOD, "steps": [{"raw_output": ""}]}], "no_candidate"),
        ([{**GOOD, "steps": [{"raw_output": "1"}, {"raw_output": " \n"}]}], "no_candidate"),
    ],
)
def test_what_is_not_graded_in_a_run_is_not_in_its_dsgym_export(
    tmp_path: Path, records: list[dict], reason: str
) -> None:
    given = write(tmp_path / "in.jsonl", {**GOOD, "transcript_id": "good"}, *records)
    run = RunDirectory.create(tmp_path / "run")
    grade_run(run, read(given), Plan(graders=STRICT))
    settings = GradeSettings()
    graded = [
        [(g.verdict, g.reason) for one in found for g in strict_grades(one, STRICT, settings)]
        for found in (run.transcripts(), read(export(run, "dsgym", tmp_path / "x_results.json")[0]))
    ]
    assert graded[0] == graded[1]
    assert reason in graded[0][-1][1]


def test_what_dsgyms_form_has_no_field_for_is_read_back(tmp_path: Path) -> None:
    task = Task(
        task_id="t",
        question=QUESTION,
        ground_truth="0.25",
        answer_kind="number",
        covariates={"size": "big"},
    )
    again = transcript("The mean rate is 0.25.", transcript_id="t.r2", task=task).model_copy(
        update={"nudge_mode": "A", "outcome": "nudge_recovered", "metadata": {"repeat": 2}}
    )
    run = RunDirectory.create(tmp_path / "run")
    grade_run(run, [again], Plan(graders=STRICT))
    (found,) = read(export(run, "dsgym", tmp_path / "x_results.json")[0])
    assert found.task == task
    for name in ("transcript_id", "nudge_mode", "outcome", "repeat"):
        assert getattr(found, name) == getattr(again, name)
