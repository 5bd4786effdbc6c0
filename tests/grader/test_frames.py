from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from grader import GradeSettings, grade_column, grade_file
from grader.cli import main
from grader.errors import InputError, UserError
from grader.grader_names import BLIND
from grader.records import Task
from tests.shared_data import FIXTURES


def test_grade_a_pandas_column() -> None:
    frame = pd.DataFrame({"answer": ["It is 20%.", "No idea"], "truth": ["0.2", "1"]}, index=[7, 8])
    graded = grade_column(frame["answer"], frame["truth"])
    assert graded["verdict"].to_dict() == {7: "correct", 8: "no_answer"}


def test_graders_and_paths_of_a_file_are_checked() -> None:
    run = FIXTURES / "transcripts.jsonl"
    assert set(grade_file(run, graders="strict_blind")["grader"]) == {"strict_blind"}
    for path, graders, message in (
        ("", ["strict_blind"], "an empty path"),
        (run, [], "no grader is named"),
        (run, "blind", "unknown strict grader 'blind'"),
    ):
        with pytest.raises(UserError, match=message):
            grade_file(path, graders=graders)


def test_one_truth_or_question_may_stand_for_all_rows() -> None:
    texts = pd.Series(["It is 5.", "It is 6."], index=[7, 8])
    task = Task(task_id="t", question="What is the mean?", ground_truth="5")
    for truth in (5, "5", np.int64(5), task):
        graded = grade_column(texts, truth, "What is the mean?")
        assert graded["verdict"].to_dict() == {7: "correct", 8: "incorrect"}
    assert set(grade_column(texts, None)["verdict"]) == {"ungraded"}


def test_a_cell_that_is_refused_is_named_by_its_row() -> None:
    texts = pd.Series(["It is 5.", "It is 6.", {"text": "It is 7."}], index=[7, 8, 9])
    with pytest.raises(UserError, match="row 2, counted from 0: a dict where a text or a number"):
        grade_column(texts, "5")
    with pytest.raises(UserError, match="row 1, counted from 0: a dict where"):
        grade_column(["It is 5."] * 2, ["5", {"value": 5}])


@pytest.mark.parametrize(
    ("texts", "truths", "questions", "message"),
    [
        (["1", "2"], ["1"], "", "truths: 1 values for 2 texts"),
        (["1", "2"], ["1", "2"], ["a", "b", "c"], "questions: 3 values for 2 texts"),
        (pd.Series(["5", "6"]), pd.Series([6, 5], index=[1, 0]), "", "truths and texts have"),
        ("It is 5.", "5", "", "texts: a single text"),
    ],
)
def test_columns_of_other_rows_are_refused(
    texts: Any, truths: Any, questions: Any, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        grade_column(texts, truths, questions)


def test_gaps_and_numbers_in_a_pandas_column() -> None:
    texts: list[Any] = ["It is 2.", None, float("nan"), pd.NA, 2, 2.5, "nan"]
    questions: list[Any] = [None, *[pd.NA] * 6]
    graded = grade_column(texts, [2, "2", "2", "2", 2.0, "2.5", "2"], questions)
    verdicts = ["correct", *["ungraded"] * 3, "correct", "correct", "no_answer"]
    assert graded["verdict"].tolist() == verdicts
    assert graded["reason"][1] == "no_output: the output is missing"
    read = pd.DataFrame({"text": ["It is 2.", None], "truth": [2.0, None]}).convert_dtypes()
    assert grade_column(read["text"], read["truth"])["verdict"].tolist() == ["correct", "ungraded"]


def test_a_file_has_the_grades_of_the_command(tmp_path: Path) -> None:
    source, tasks, run = FIXTURES / "transcripts.jsonl", FIXTURES / "tasks.json", tmp_path / "run"
    arguments = ["grade", source, "--tasks", tasks, "--run", run, "--lenient", "off"]
    assert main([str(one) for one in arguments]) == 0
    written = pd.DataFrame(map(json.loads, (run / "grades.jsonl").read_text().splitlines()))
    for path in (source, str(source)):
        graded = grade_file(path, tasks).replace({np.nan: None})
        recorded = written[written["grader"] != "cascade"][list(graded)].replace({np.nan: None})
        assert graded.to_dict("records") == recorded.to_dict("records")


def test_a_run_directory_is_graded_by_its_transcripts_alone(tmp_path: Path) -> None:
    run = tmp_path / "runs/one"
    source = str(FIXTURES / "transcripts.jsonl")
    assert main(["grade", source, "--run", str(run), "--lenient", "off"]) == 0
    assert main(["export", str(run), "--format", "dsgym"]) == 0
    for folder in (run, run.parent):
        graded = grade_file(folder)
        assert not graded["reason"].str.startswith("duplicate_id").any()
        assert graded["transcript_id"].nunique() == 60


def passes(graded: pd.DataFrame) -> int:
    return list(graded["verdict"]).count("correct")


def test_a_run_directory_is_graded_with_its_own_settings(tmp_path: Path) -> None:
    run, given = tmp_path / "run", tmp_path / "s.toml"
    given.write_text("[grade]\nrelative_tolerance = 0.1\n")
    source = str(FIXTURES / "transcripts.jsonl")
    options = ["--run", str(run), "--settings", str(given), "--lenient", "off"]
    assert main(["grade", source, *options]) == 0
    assert passes(grade_file(run, graders=BLIND)) == 42
    assert passes(grade_file(run, graders=BLIND, settings=GradeSettings())) == 36
    assert passes(grade_file(source, graders=BLIND)) == 36
    manifest = json.loads((run / "manifest.json").read_text())
    made_with = {"grading": GradeSettings(relative_tolerance=0.1).model_dump()}
    ungraded = {**manifest, "run_settings": made_with, "grading": None}
    (run / "manifest.json").write_text(json.dumps(ungraded))
    assert passes(grade_file(run, graders=BLIND)) == 42


def test_the_format_of_a_file_may_be_named(tmp_path: Path) -> None:
    odd = tmp_path / "recording.dat"
    odd.write_bytes((FIXTURES / "transcripts.jsonl").read_bytes())
    assert len(grade_file(odd, graders=BLIND, format="native")) == 60
    with pytest.raises(UserError, match="unknown format 'csv'"):
        grade_file(odd, format="csv")


def test_years_beside_a_gap_are_floats_and_years_all_the_same() -> None:
    frame = pd.DataFrame({"truth": [2010, None], "said": ["Sales peaked in 1995.", "In 2010."]})
    asked = "In which year did sales peak?"
    assert grade_column(frame["said"], frame["truth"], asked)["verdict"][0] == "incorrect"
    for truth in (2010.0, np.float64(2010), "2010.0", 2010):
        assert grade_column(["In 1995.", "In 2010."], truth, asked)["verdict"].tolist() == [
            "incorrect",
            "correct",
        ]


def test_one_grader_of_a_file_and_none_that_is_unknown(tmp_path: Path) -> None:
    graded = grade_file(FIXTURES / "transcripts.jsonl", graders=["strict_blind"])
    assert set(graded["grader"]) == {"strict_blind"}
    with pytest.raises(UserError, match="lenient"):
        grade_file(FIXTURES / "transcripts.jsonl", graders=["lenient"])
    with pytest.raises(UserError, match="holds nothing for any of the 120 transcripts"):
        grade_file(FIXTURES / "other_words/transcripts.jsonl", FIXTURES / "tasks.json")
    with pytest.raises(InputError, match="No such file"):
        grade_file(tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    "texts", [pd.DataFrame({"The answer is 3": ["no idea"]}), {"It is 3.": "no idea"}, None, 5]
)
def test_what_is_no_column_is_refused(texts: Any) -> None:
    with pytest.raises(UserError, match="not a column"):
        grade_column(texts, "3")


def test_a_frame_of_published_answers_is_no_column() -> None:
    with pytest.raises(UserError, match="truths: a DataFrame, not a column"):
        grade_column(["It is 3."], pd.DataFrame({"3": [3]}))
