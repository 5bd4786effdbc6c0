from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pytest

from grader.errors import InputError
from grader.extraction.options.choices import options
from grader.records import Task
from grader.tasks import check_data, load_covariates, load_tasks, named_tasks
from grader.tasks.index import TaskIndex
from tests.grader.transcripts import transcript
from tests.shared_data import FIXTURES, SHARED, needs_shared


def test_fixture_tasks_have_files_kind_and_covariates() -> None:
    task = load_tasks(FIXTURES / "tasks.json")[0]
    assert (task.task_id, task.ground_truth, task.answer_kind) == ("t01", "0.28", "number")
    assert task.covariates == {
        "n_rows": "150", "n_columns": "5", "dimension": "low",
        "variable_type": "continuous", "analysis_type": "descriptive", "requires_modeling": "false",
    }  # fmt: skip
    assert Path(task.data_files[0]).is_file()


def test_covariates_from_a_csv(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("task_id,level\nt1,hard\n")
    joined = TaskIndex([], load_covariates(path)).complete(transcript("1")).transcript
    assert joined.task.covariates == {"level": "hard"}
    path.write_text("id,level\nt1,hard\n")
    with pytest.raises(InputError, match="no column task_id"):
        load_covariates(path)
    path.write_text("task_id,level\nt1,hard\nt2," + "x" * 200_000)
    with pytest.raises(InputError, match=r"c\.csv:3: not CSV: field larger"):
        load_covariates(path)


def test_rows_of_one_task_must_agree(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("task_id,level\nt1,hard\nt1,hard\n")
    assert load_covariates(path) == {"t1": {"level": "hard"}}
    path.write_text("task_id,level\nt1,hard\nt2,hard\nt1,easy\n")
    with pytest.raises(InputError, match=r"c\.csv:4: another row of task_id 't1'"):
        load_covariates(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "no tasks"),
        ("{}", "not a list"),
        ('[{"answer": 1}]', "no question"),
        ('[{"question": null}]', "no question"),
        ("[", "JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('[{"question": "q", "covariates": ["a"]}]', "task 0: covariates: not an object"),
        ('[{"question": "q"}, {"question": "q", "answer_kind": "integer"}]',
         "task 1: answer_kind 'integer' is none of number, percent"),
        ('[{"question": "q", "choices": 5}]', "task 0: choices: not a list: 5"),
        ('[{"question": "q", "metadata": {"multiple_choices": "yes,no"}}]', "not a list: yes,no"),
        ('[{"id": 0, "common_answers": [["mean", "4"]]}]',
         "no question, only common_answers. Put each task's common_answers into the file of the"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_task_file(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "tasks.json"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        load_tasks(path)


def test_own_task_records(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps({"task_id": "z", "question": "q", "ground_truth": "5%"}) + "\n")
    assert load_tasks(path)[0] == Task(
        task_id="z", question="q", ground_truth="5%", answer_kind="percent"
    )


@pytest.mark.parametrize("name", ["tasks.jsonl", "tasks.json"])
def test_json_lines_are_known_whatever_the_name_of_the_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text('{"id": 1, "question": "q", "answer": 3}\n{"id": 2, "question": "r"}\n')
    assert [task.task_id for task in load_tasks(path)] == ["1", "2"]


def test_a_bad_task_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text('{"question": "q"}\n\n{"question": "q", "covariates": 1}\n')
    with pytest.raises(InputError, match=r"tasks\.jsonl:3: task 1: covariates"):
        load_tasks(path)
    path.write_text("[" * 100_000 + "\n")
    with pytest.raises(InputError, match=r"tasks\.jsonl:1: not valid JSON"):
        load_tasks(path)
    with pytest.raises(InputError, match="--covariates"):
        load_tasks(tmp_path / "tasks.csv")
    with pytest.raises(InputError, match=r"a Parquet file is no task file\. Write it"):
        load_tasks(tmp_path / "tasks.parquet")


def test_one_data_file_may_stand_alone(tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps([{"question": "q", "data_files": "abc.csv"}]))
    assert load_tasks(path)[0].data_files == ("abc.csv",)


@pytest.mark.parametrize(
    ("answer", "truth", "kind"),
    [
        ([["mean_fare", "34.65"]], "34.65", "number"),
        ([["mean", "1"], ["sd", "2"]], '[["mean", "1"], ["sd", "2"]]', "text"),
        ([["best", "rf"], ["worst", "lm"]], '[["best", "rf"], ["worst", "lm"]]', "text"),
        (0.5, "0.5", "number"),
        ([3], "3", "number"),
        ({"mean": 4.2}, "4.2", "number"),
        ({"winner": "Chad"}, "Chad", "text"),
        ({"low": 4, "high": 6}, '{"low": 4, "high": 6}', "text"),
        (["Chad"], "Chad", "text"),
        ([4, 6], "[4, 6]", "text"),
    ],
)
def test_answers_that_are_no_text(tmp_path: Path, answer: object, truth: str, kind: str) -> None:
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps([{"question": "What is the mean fare?", "answer": answer}]))
    (task,) = load_tasks(path)
    assert (task.ground_truth, task.answer_kind) == (truth, kind)


def test_a_published_answer_of_null_hides_no_other(tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps([{"question": "q", "ground_truth": None, "answer": "5"}]))
    assert load_tasks(path)[0].ground_truth == "5"


def test_qrdatas_own_names(tmp_path: Path) -> None:
    path = tmp_path / "QRData.json"
    record = {
        "data_description": "Two groups.",
        "question": "In which group did more improve?",
        "answer": "control",
        "data_files": ["x.csv"],
        "meta_data": {"question_type": "multiple_choice", "multiple_choices": ["drug", "control"]},
    }
    path.write_text(json.dumps([record]))
    assert load_tasks(path) == [
        Task(task_id="QRData_0", question="In which group did more improve?",
             context="Two groups.", ground_truth="control", answer_kind="choice",
             choices=("drug", "control"), data_files=("x.csv",))
    ]  # fmt: skip


def test_daevals_own_names(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "da-dev-questions.jsonl"
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    record = {"id": 6, "question": "Mean fare?", "file_name": "x.csv", "level": "easy"}
    path.write_text(json.dumps(record) + "\n")
    (task,) = load_tasks(path)
    assert (task.task_id, task.data_files) == ("6", (str(tmp_path / "x.csv"),))
    assert [one.split(": ")[1] for one in caplog.messages] == [
        "no task has a published answer (ground_truth or answer), so transcripts without one of "
        "their own are ungraded"
    ]
    path.write_text(json.dumps({**record, "common_answers": [["mean_fare", "34.65"]]}) + "\n")
    assert load_tasks(path)[0].ground_truth == "34.65"
    assert len(caplog.messages) == 1


@needs_shared
def test_all_qrdata_tasks_can_be_graded() -> None:
    tasks = load_tasks(SHARED / "data/qrdata/qrdata.json", SHARED / "data/qrdata/csv")
    kinds = [task.answer_kind for task in tasks]
    assert len(tasks) == 251
    assert kinds.count("choice") == 98
    assert kinds.count("number") + kinds.count("percent") == 153


def test_gaps_and_options_of_a_task(tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    path.write_text('[{"question": "q", "answer": NaN}, {"question": "q", "answer": "B",'
                    ' "choices": {"A": "cats", "B": "dogs"}}]')  # fmt: skip
    gap, choice = load_tasks(path)
    assert (gap.ground_truth, gap.answer_kind) == (None, "number")
    assert options(choice) == {"a": "cats", "b": "dogs"}


def test_two_different_tasks_of_one_id_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    task = '{"id": "x", "question": "q"}\n'
    path.write_text(task + '{"question": "q"}\n' + task)
    assert [task.task_id for task in load_tasks(path)] == ["x", "tasks_1"]
    path.write_text(task + '{"id": "x", "question": "other"}\n')
    with pytest.raises(InputError, match=r":2: task 1: another task before it has the id 'x' too"):
        load_tasks(path)


def test_a_task_may_be_the_zeroth(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps([{"task_id": 0, "question": "q"}, {"id": 1, "question": "q"}]))
    assert [task.task_id for task in load_tasks(path)] == ["0", "1"]


@pytest.mark.parametrize("name", ["task_id", "id", "sample_id"])
def test_names_of_a_tasks_id(tmp_path: Path, name: str) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps([{name: 112, "question": "q"}]))
    assert [task.task_id for task in load_tasks(path)] == ["112"]


def test_covariates_of_a_task_that_are_not_known_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    record = {"question": "q", "metadata": {"a": None, "b": True}, "covariates": {"c": "NA"}}
    path.write_text(json.dumps(record) + "\n")
    assert load_tasks(path)[0].covariates == {"b": "true"}


def test_a_folder_without_the_data_files(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path, folder = tmp_path / "tasks.json", tmp_path / "csv"
    files = ("data/a.csv", "data/b.csv")
    path.write_text(json.dumps([{"question": f, "answer": 1, "data": [f]} for f in files]))
    folder.mkdir()
    with pytest.raises(InputError, match=r"csv: holds none of the 2 .*first: data/a\.csv"):
        check_data(named_tasks(path, folder), folder, needed=True)
    check_data(named_tasks(path, folder), folder)
    (folder / "b.csv").write_text("x,y\n")
    tasks = named_tasks(path, folder)
    assert tasks[1].covariates["n_columns"] == "2"
    check_data(tasks, folder, needed=True)
    check_data(tasks[1:], folder, needed=True)
    lacks = [f"{folder}: lacks {n} of 2 data files (the first: data/a.csv)" for n in (2, 1)]
    assert caplog.messages == lacks
    check_data(tasks, None, needed=True)
    assert len(caplog.messages) == 2
    assert len(named_tasks(path, None)) == 2


@pytest.mark.parametrize("name", ["tasks.json", "tasks.jsonl"])
def test_a_file_that_is_not_utf8_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    path = tmp_path / name
    task = b'{"question": "q?", "answer": "\x960.5"}'
    path.write_bytes(task if name.endswith("l") else b"[\n" + task + b"]")
    assert load_tasks(path)[0].ground_truth == "\ufffd0.5"
    line = 1 if name.endswith("l") else 2
    assert [one.split(";")[0] for one in caplog.messages] == [f"{path}:{line}: not UTF-8"]


@pytest.mark.parametrize("name", ["tk.json", "tk.jsonl"])
@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_task_file_may_be_compressed(tmp_path: Path, name: str, suffix: str) -> None:
    text = json.dumps({"question": "q", "answer": 1}) + "\n"
    data = (text if name.endswith("l") else f"[{text}]").encode()
    path = tmp_path / (name + suffix)
    zipped = gzip.compress(data) if suffix == ".gz" else pa.compress(data, "zstd", asbytes=True)
    path.write_bytes(zipped)
    assert [(task.task_id, task.ground_truth) for task in load_tasks(path)] == [("tk_0", "1")]
    path.write_bytes(zipped[:-9])
    with pytest.raises(InputError, match="damaged or cut short"):
        load_tasks(path)
    with pytest.raises(InputError, match="a CSV is no task file"):
        load_tasks(tmp_path / f"tk.csv{suffix}")
