from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.choices import options
from grader.errors import InputError
from grader.records import Task, Transcript
from grader.task_index import NO_COVARIATES, NO_TASK, OTHER_ANSWER, TaskIndex
from grader.tasks import check_data, load_covariates, load_tasks, named_tasks
from tests.grader.transcripts import QUESTION, transcript
from tests.shared_data import FIXTURES, SHARED, needs_shared


def test_fixture_tasks_have_files_kind_and_covariates() -> None:
    task = load_tasks(FIXTURES / "tasks.json")[0]
    assert (task.task_id, task.ground_truth, task.answer_kind) == ("t01", "0.28", "number")
    assert task.covariates == {
        "n_rows": "150", "n_columns": "5", "dimension": "low",
        "variable_type": "continuous", "analysis_type": "descriptive", "requires_modeling": "false",
    }  # fmt: skip
    assert Path(task.data_files[0]).is_file()


def test_join_fills_what_is_missing_and_keeps_what_is_there() -> None:
    task = Task(task_id="t1", question=QUESTION, context="about it", ground_truth="9",
                covariates={"size": "low"})  # fmt: skip
    joined = TaskIndex([task]).join(transcript("It is 0.25."))
    assert joined.task.context == "about it"
    assert joined.task.ground_truth == "0.25"
    assert joined.task.covariates == {"size": "low"}


def test_join_supplies_a_missing_truth_and_clears_the_problem() -> None:
    bare = Transcript(
        transcript_id="a", task=Task(task_id="t1"), steps=transcript("1").steps,
        problem="no_ground_truth: the record has no ground_truth",
    )  # fmt: skip
    joined = TaskIndex([Task(task_id="t1", question="q", ground_truth="1")]).join(bare)
    assert (joined.task.ground_truth, joined.problem) == ("1", None)


def test_position_in_the_id_counts_only_if_the_question_agrees() -> None:
    tasks = [Task(task_id=f"q_{n}", question=f"question {n}?") for n in range(3)]
    index = TaskIndex(tasks)

    def find(task_id: str, question: str) -> Task | None:
        return index.find(
            Transcript(transcript_id="x", task=Task(task_id=task_id, question=question))
        )

    assert find("run_2_2", "Question  2?") == tasks[2]
    assert find("run_2_2", "question 1?") == tasks[1]
    assert find("run_2_2", "something else") is None


@pytest.mark.parametrize(
    ("asked", "is_found"),
    [
        ("How many dogs?", True),
        ("The file dogs.csv lists dogs.\nhow  many dogs? Round it.", True),
        ("", True),
        ("How many cars?", False),
    ],
)
def test_an_id_counts_only_if_the_questions_agree(asked: str, is_found: bool) -> None:
    task = Task(task_id="t3", question="How many dogs?", ground_truth="5")
    mine = Transcript(transcript_id="x", task=Task(task_id="t3", question=asked))
    index = TaskIndex([task])
    assert (index.find(mine) is task) == is_found
    assert index.join(mine).task.ground_truth == ("5" if is_found else None)
    assert index.unmatched(mine) == (() if is_found else (NO_TASK,))


@pytest.mark.parametrize(
    ("asked", "by_stated", "by_position"),
    [
        ("How many dogs have a long-tail?", True, True),
        ("How many dogs have a long_tail", True, True),
        ("Please say how many of the dogs have a long tail.", True, False),
        ("How many dogs have a short tail?", False, False),
        ("What is the mean weight of the cars?", False, False),
    ],
)
def test_a_stated_id_counts_unless_the_question_is_plainly_anothers(
    asked: str, by_stated: bool, by_position: bool
) -> None:
    questions = ("How many dogs have a long tail?", "How many dogs have a short tail?")
    for name, is_found in (("t", by_stated), ("qrdata_", by_position)):
        tasks = [Task(task_id=f"{name}{n}", question=q) for n, q in enumerate(questions)]
        mine = Transcript(transcript_id="x", task=Task(task_id=f"{name}0", question=asked))
        assert (TaskIndex(tasks).find(mine) is tasks[0]) == is_found


@pytest.mark.parametrize(
    ("mine", "other", "is_same"),
    [
        ("0.28", "999", False),
        ("0.28", "0.29", False),
        ("0.28", "0.280", True),
        ("28%", "0.28", True),
        ("B", "dogs", True),
        ("B. dogs", "Dogs", True),
        ("A", "dogs", False),
        ("Texas", "texas ", True),
        ("Texas", "Kansas", False),
        (None, "5", True),
        ("5", None, True),
    ],
)
def test_another_published_answer_is_noted(
    mine: str | None, other: str | None, is_same: bool
) -> None:
    task = Task(task_id="t1", question=QUESTION, ground_truth=other, choices=("cats", "dogs"))
    recorded = transcript("1", truth=mine)
    assert TaskIndex([task]).unmatched(recorded) == (() if is_same else (OTHER_ANSWER,))
    assert TaskIndex([task]).join(recorded).task.ground_truth == (mine or other)


def test_covariates_from_a_csv(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("task_id,level\nt1,hard\n")
    joined = TaskIndex([], load_covariates(path)).join(transcript("1"))
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


def test_what_holds_nothing_for_a_transcript() -> None:
    task = Task(task_id="t1", question=QUESTION)
    mine, other = transcript("1"), transcript("1", Task(task_id="t2", question="other"))
    tasks, both = TaskIndex([task]), TaskIndex([task], {"t1": {"level": "hard"}})
    assert (tasks.unmatched(mine), tasks.unmatched(other)) == ((), (NO_TASK,))
    assert (both.unmatched(mine), both.unmatched(other)) == ((), (NO_TASK, NO_COVARIATES))


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


def test_one_data_file_may_stand_alone(tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps([{"question": "q", "data_files": "abc.csv"}]))
    assert load_tasks(path)[0].data_files == ("abc.csv",)


def test_an_id_that_ends_in_many_digits() -> None:
    task = Task(task_id="9" * 5000, question="q?")
    assert TaskIndex([]).find(Transcript(transcript_id="x", task=task)) is None


@pytest.mark.parametrize(
    ("answer", "truth", "kind"),
    [
        ([["mean_fare", "34.65"]], "34.65", "number"),
        ([["mean", "1"], ["sd", "2"]], '[["mean", "1"], ["sd", "2"]]', "number"),
        ([["best", "rf"], ["worst", "lm"]], '[["best", "rf"], ["worst", "lm"]]', "text"),
        (0.5, "0.5", "number"),
    ],
)
def test_answers_that_are_no_text(tmp_path: Path, answer: object, truth: str, kind: str) -> None:
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps([{"question": "What is the mean fare?", "answer": answer}]))
    (task,) = load_tasks(path)
    assert (task.ground_truth, task.answer_kind) == (truth, kind)


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


@pytest.mark.parametrize(
    ("stated", "of_file", "kind"),
    [
        ({"truth": "12 days", "kind": "text"}, {"truth": "12 days", "kind": "number"}, "text"),
        ({"truth": "12 days", "kind": "number"}, {"truth": "12 days", "kind": "text"}, "text"),
        ({"truth": None, "kind": "text"}, {"truth": "12 days", "kind": "number"}, "text"),
        ({"truth": None, "kind": "number"}, {"truth": "5%", "kind": "percent"}, "percent"),
        ({"truth": "B", "kind": "choice"}, {"truth": "3", "kind": "number"}, "choice"),
    ],
)
def test_a_kind_that_is_stated_is_kept(stated: dict, of_file: dict, kind: str) -> None:
    mine, found = (
        Task(task_id="t", question="How long?", ground_truth=d["truth"], answer_kind=d["kind"])
        for d in (stated, of_file)
    )
    made = Transcript(transcript_id="a", task=mine, steps=transcript("1").steps)
    index = TaskIndex([found])
    joined = index.join(made)
    assert joined.task.answer_kind == kind
    assert index.join(joined).task == joined.task


def test_covariates_of_a_task_that_are_not_known_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    record = {"question": "q", "metadata": {"a": None, "b": True}, "covariates": {"c": "NA"}}
    path.write_text(json.dumps(record) + "\n")
    assert load_tasks(path)[0].covariates == {"b": "true"}


def test_a_folder_without_the_data_files(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path, folder = tmp_path / "tasks.json", tmp_path / "csv"
    files = ("data/a.csv", "data/b.csv")
    path.write_text(json.dumps([{"question": f, "data": [f]} for f in files]))
    folder.mkdir()
    with pytest.raises(InputError, match=r"csv: holds none of the 2 data files .*first: a\.csv"):
        check_data(named_tasks(path, folder), folder, needed=True)
    check_data(named_tasks(path, folder), folder)
    (folder / "b.csv").write_text("x,y\n")
    tasks = named_tasks(path, folder)
    assert tasks[1].covariates["n_columns"] == "2"
    check_data(tasks, folder, needed=True)
    check_data(tasks[1:], folder, needed=True)
    lacks = [f"{folder}: lacks {n} of 2 data files (the first: a.csv)" for n in (2, 1)]
    assert caplog.messages == lacks
    check_data(tasks, None, needed=True)
    assert len(caplog.messages) == 2
    assert len(named_tasks(path, None)) == 2
