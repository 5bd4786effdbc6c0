from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

from grader.cascade import strict_grades
from grader.readers import read
from grader.readers.dsgym import dsgym_task, from_dsgym, sample_id
from grader.records import Task
from grader.settings import GradeSettings
from grader.strict import STRICT_GRADERS
from tests.grader.recorded import DSGYM, records
from tests.shared_data import SHARED, needs_shared


@given(
    records("sample_id", "query", "ground_truth", "metadata", "raw_response", "prediction",
            "conversation", "trajectory", "extra_info")
)  # fmt: skip
def test_nothing_in_a_dsgym_record_raises(record: dict) -> None:
    assert from_dsgym(record, "record 1").transcript_id


@pytest.mark.parametrize(
    ("name", "value"),
    [("nudge_events", 3), ("agent_turns", 3), ("nudge_events", [{"turn": [1], "mode": "x"}])],
)
def test_dsgym_previews_of_another_type(name: str, value: object) -> None:
    drift = {
        "agent_turns": [{"turn_index": [n], "phase": "workflow"} for n in range(3)],
        "nudge_events": [],
        name: value,
    }
    assert from_dsgym({**DSGYM, "metadata": {"drift": drift}}, "x").problem is None


def test_a_dsgym_observation_may_stand_alone() -> None:
    turns = [{"role": "assistant", "content": "I look.", "observations": 3}]
    (step,) = from_dsgym({**DSGYM, "conversation": turns}, "x").steps
    assert step.raw_output == "I look.\n\n<pre>3</pre>"


def test_a_user_is_not_taken_for_the_agent() -> None:
    """It names the published answer as an example."""
    turns = [
        {"role": "user", "content": "q?"},
        {"role": "assistant", "content": "The models come next."},
        {"role": "user", "content": "Answer with a number, for example: the answer is 0.2."},
        {"role": "assistant", "content": [{"type": "text", "text": "I need more time."}]},
    ]
    transcript = from_dsgym({**DSGYM, "conversation": turns}, "x")
    assert [step.is_nudge for step in transcript.steps] == [False, True]
    assert transcript.steps[-1].raw_output == "I need more time."
    grades = strict_grades(transcript, STRICT_GRADERS, GradeSettings())
    assert {grade.verdict for grade in grades} == {"no_answer"}


@pytest.mark.parametrize(
    ("user", "assistant", "tool"),
    [("user", "Assistant", "tool"), ("human", "ai", "observation"), ("User", "gpt", "function")],
)
def test_roles_go_by_several_names(user: str, assistant: str, tool: str) -> None:
    said = {user: "q?", assistant: "The models come next.", tool: "0.2"}
    turns = [{"role": role, "content": text} for role, text in said.items()]
    (step,) = from_dsgym({**DSGYM, "conversation": turns}, "x").steps
    assert step.instruction_text == "q?"
    assert step.raw_output == "The models come next.\n\n<pre>0.2</pre>"


def test_a_sample_that_stands_twice_in_a_file_was_tried_twice(tmp_path: Path) -> None:
    path = tmp_path / "x_results.json"
    path.write_text(json.dumps([DSGYM, {**DSGYM, "raw_response": "It is 0.3."}]))
    found = list(read(path))
    assert [(t.transcript_id, t.task.task_id, t.repeat) for t in found] == [
        ("d_0", "d_0", 1), ("d_0.r2", "d_0", 2)
    ]  # fmt: skip


@pytest.mark.parametrize("change", [{"query": "another?"}, {"ground_truth": "0.7"}])
def test_another_task_of_the_same_id_is_no_further_try(
    tmp_path: Path, change: dict[str, str]
) -> None:
    path = tmp_path / "x_results.json"
    path.write_text(json.dumps([DSGYM, {**DSGYM, **change}, DSGYM]))
    first, other, again = list(read(path))
    assert (first.repeat, again.transcript_id, again.repeat) == (1, "d_0.r2", 2)
    assert (other.problem or "").startswith("duplicate_id")


def test_samples_of_two_files_are_told_apart_by_the_user(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}_results.json").write_text(json.dumps([DSGYM]))
    first, second = list(read(tmp_path))
    assert (first.problem, second.transcript_id) == (None, "d_0#record2")
    assert "Grade each file into a run of its own" in (second.problem or "")


SAMPLE = {"query": "q?", "ground_truth": "0.2", "conversation": [
    {"role": "user", "content": "q?"}, {"role": "assistant", "content": "It is 0.2."}
]}  # fmt: skip


@pytest.mark.parametrize("stated", ["in the record", "in the file's name"])
def test_tries_in_files_of_their_own_are_named_by_what_they_state(
    tmp_path: Path, stated: str
) -> None:
    for number in (2, 0, 1):
        named = stated == "in the file's name"
        extra = {"id": "qrdata_0"} if named else {"id": "qrdata_0", "trajectory_id": number}
        name = f"prediction_0_traj_{number}.json" if named else f"prediction_{9 - number}.json"
        (tmp_path / name).write_text(json.dumps({**SAMPLE, "extra_info": extra}))
    files = sorted(tmp_path.iterdir())
    found = sorted((t.transcript_id, t.task.task_id, t.repeat, t.problem) for t in read(tmp_path))
    assert found == [
        ("qrdata_0", "qrdata_0", 1, None),
        ("qrdata_0.r2", "qrdata_0", 2, None),
        ("qrdata_0.r3", "qrdata_0", 3, None),
    ]
    alone = [t.transcript_id for file in files for t in read(file)]
    assert alone == [t.transcript_id for t in read(tmp_path)]


@pytest.mark.parametrize(
    ("record", "file", "name"),
    [
        ({"extra_info": {"id": "a", "trajectory_id": "1"}}, "x", "a.r2"),
        ({"sample_id": "0_traj_1", "trajectory_id": 1}, "x", "0.r2"),
        ({"sample_id": "a1", "trajectory_id": 17}, "prediction_0_traj_1", "a1"),
        ({}, "prediction_0_traj_1", "prediction_0.r2"),
        ({"extra_info": {"id": "a"}}, "prediction_0_traj_1.json", "a.r2"),
        ({"extra_info": {"id": "a", "trajectory_id": 0}}, "prediction_0_traj_1", "a"),
        ({"extra_info": {"id": "a", "trajectory_id": "6f1c"}}, "x", "a"),
        ({"extra_info": {"id": "a"}}, "x_traj_results.json:2", "a"),
    ],
)
def test_which_try_a_record_is(record: dict, file: str, name: str) -> None:
    assert from_dsgym({**SAMPLE, **record}, file).transcript_id == name


def test_a_try_that_is_there_twice_is_a_duplicate(tmp_path: Path) -> None:
    tries = [{**SAMPLE, "extra_info": {"id": "a", "trajectory_id": n}} for n in (1, 0, 1)]
    path = tmp_path / "x_results.json"
    path.write_text(json.dumps(tries))
    first, second, third = read(path)
    assert [first.transcript_id, second.transcript_id] == ["a.r2", "a"]
    assert (third.problem or "").startswith("duplicate_id")


@pytest.mark.parametrize(
    ("extra", "name"),
    [
        ({"source": "daeval_original", "metadata_id": "6", "query_id": "6", "id": "6"},
         "daeval_original_6_6"),
        ({"source": "qrdata_original", "dataset_name": "qrdata_original",
          "metadata_id": "qrdata_3", "query_id": "3"}, "qrdata_original_qrdata_3_3"),
        ({"source": "dabstep_dev", "metadata_id": "49", "query_id": "49"}, "dabstep_dev_49_49"),
        ({"source": "dsbio", "id": "3"}, "dsbio__3"),
        ({"source": "dsbio", "index": 3}, "prediction_1"),
        ({"source": "own", "metadata_id": "titanic"}, "prediction_1"),
        ({"metadata_id": "titanic", "query_id": "", "id": 0}, "dsgym_titanic_0"),
        ({"id": "3"}, "3"),
    ],
)  # fmt: skip
def test_a_sample_has_one_id_in_both_of_dsgyms_files(extra: dict, name: str) -> None:
    """The names that DSGym's evaluator gives the samples of its loaders."""
    assert from_dsgym({**SAMPLE, "extra_info": {**extra, "index": 1}}, "prediction_1").task == (
        Task(task_id=name, question="q?", ground_truth="0.2", answer_kind="number")
    )


@pytest.mark.parametrize("truth", [0.2, "0.2"])
def test_one_task_whatever_the_types(truth: object) -> None:
    extra = {"question": "Mean?", "context": "x.csv", "data_files": {"absolute": ["x.csv"]}}
    task = dsgym_task("t", None, truth, extra)
    assert (task.question, task.ground_truth, task.answer_kind) == ("Mean?", "0.2", "number")
    assert (task.context, task.data_files) == ("x.csv", ("x.csv",))


def test_options_of_a_sample() -> None:
    extra = {"choices": ["iris", "wine"]}
    assert dsgym_task("t", "Largest?", "B", extra).answer_kind == "choice"
    broken = from_dsgym({**DSGYM, "extra_info": {"choices": "iris,wine"}}, "x")
    assert broken.problem == "choices: not a list: iris,wine"


def test_dsgym_results_list(tmp_path: Path) -> None:
    path = tmp_path / "x_results.json"
    path.write_text(json.dumps([DSGYM, {**DSGYM, "sample_id": "d_1", "ground_truth": None}]))
    first, second = list(read(path))
    assert (first.transcript_id, first.task.question, first.task.ground_truth) == (
        "d_0",
        "q?",
        "0.2",
    )
    assert [step.raw_output for step in first.steps] == ["It is 0.2."]
    assert first.metadata["prediction"] == "0.9"
    assert second.problem == "no_ground_truth"


def test_dsgym_per_sample_files_in_a_folder(tmp_path: Path) -> None:
    conversation = [
        {"role": "system", "content": "rules 1 2 3"},
        {"role": "user", "content": "q?"},
        {"role": "assistant", "content": "<python>print(1)</python>"},
        {"role": "user", "content": "<information>0.2</information>"},
        {"role": "assistant", "content": "<answer>0.2</answer>"},
    ]
    for index in range(2):
        (tmp_path / f"prediction_{index}.json").write_text(
            json.dumps({"prediction": "0.2", "ground_truth": "0.2", "query": "q?", "turns": 2,
                        "conversation": conversation, "extra_info": {"index": index}})
        )  # fmt: skip
    first, second = list(read(tmp_path))
    assert (first.transcript_id, second.transcript_id) == ("prediction_0", "prediction_1")
    assert "rules" not in first.steps[0].raw_output
    assert first.steps[0].raw_output.endswith("<answer>0.2</answer>")


@pytest.mark.parametrize(("length", "is_cut"), [(899, False), (900, True), (919, True)])
def test_dsgym_nudge_previews_become_truncated_steps(length: int, is_cut: bool) -> None:
    drift = {
        "agent_turns": [
            {"turn_index": 0, "phase": "orchestrator", "text_preview": ""},
            {"turn_index": 1, "phase": "workflow", "text_preview": "x" * length},
            {"turn_index": 2, "phase": "workflow", "text_preview": "y"},
        ],
        "nudge_events": [{"turn": 1, "mode": "targeted"}],
    }
    found = from_dsgym({**DSGYM, "metadata": {"drift": drift}}, "x")
    assert [s.instruction_type for s in found.steps] == ["original_prompt", "nudge_original"]
    assert found.steps[0].metadata == ({"truncated": True} if is_cut else {})


@needs_shared
def test_the_recorded_run_is_read_whole() -> None:
    found = list(read(SHARED / "data/lambda_run/dsgym_results.json"))
    assert len(found) == 25
    assert not any(t.problem for t in found)
    assert [sample_id(t.metadata["extra_info"]) for t in found] == [t.transcript_id for t in found]


def test_a_sample_may_be_the_zeroth() -> None:
    assert [from_dsgym({**DSGYM, "sample_id": n}, "file:0").transcript_id for n in (0, 1)] == [
        "0", "1"
    ]  # fmt: skip


def test_dsgym_records_may_be_json_lines(tmp_path: Path) -> None:
    lines = [json.dumps({**DSGYM, "sample_id": name}) for name in ("a", "b", "a")]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join([*lines, "{broken", ""]))
    found = list(read(path))
    assert [one.transcript_id for one in found] == ["a", "b", "a.r2", "a.jsonl:4"]
    assert [one.problem for one in found] == [None] * 3 + [
        "line 4 is not valid JSON (Expecting property name enclosed in double quotes: line 1"
        " column 2 (char 1))"
    ]
    path.write_text("\n".join([*lines, "[3]"]))
    assert [one.problem for one in read(path)][-1] == "record 4 is not a JSON object"
    path.write_text(f"[{', '.join(lines)}]\n")
    assert [one.transcript_id for one in read(path)] == ["a", "b", "a.r2"]


@pytest.mark.parametrize("response", ["", None, " \n"])
def test_what_dsgym_took_as_the_prediction_is_no_response(response: str | None) -> None:
    failed = {**DSGYM, "raw_response": response, "prediction": "0.2", "success": False}
    made = from_dsgym(failed, "x")
    assert made.problem == "no_steps"
    assert {grade.verdict for grade in strict_grades(made, STRICT_GRADERS, GradeSettings())} == {
        "ungraded"
    }
