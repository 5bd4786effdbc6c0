from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given

from grader.errors import InputError
from grader.extraction.options.choices import options
from grader.readers import from_native, is_readable, read, read_chunks, to_native, warn_once
from grader.readers.chunks import Chunk
from grader.readers.ranges import read_ranges
from grader.records import Step, Task
from tests.grader.recorded import GOOD, records, write
from tests.grader.transcripts import transcript


def test_native_round_trip_keeps_everything() -> None:
    record = {
        **GOOD,
        "agent": "x",
        "choices": ["a", "b"],
        "covariates": {"size": "low"},
        "steps": [
            {"raw_output": "It is 1.", "instruction_type": "nudge_generic", "token_count": 4,
             "token_counter": "whitespace", "candidate_numbers": [1.0], "model": "m"}
        ],
        "seed": 7,
    }  # fmt: skip
    first = from_native(record)
    assert first.metadata == {"seed": 7}
    assert first.steps[0].metadata == {"model": "m"}
    assert from_native(json.loads(json.dumps(to_native(first)))) == first


def test_truth_given_as_a_number_becomes_text() -> None:
    assert from_native({**GOOD, "ground_truth": 0.25}).task.ground_truth == "0.25"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"ground_truth": None}, "no_ground_truth"),
        ({"steps": []}, "no_steps"),
        ({"steps": None}, "no_steps"),
        ({"steps": "text"}, "step 1: not an object"),
        ({"covariates": "low"}, "covariates: not an object of names and values: low"),
        ({"transcript_id": None}, "no_transcript_id"),
        ({"choices": 5}, "choices: not a list: 5"),
        ({"choices": "yes,no"}, "choices: not a list: yes,no"),
        ({"data_files": {"a": 1}}, "data_files: not a list"),
        ({"ground_truth": float("nan")}, "no_ground_truth"),
        ({"ground_truth": "N/A"}, "no_ground_truth"),
        ({"ground_truth": "na"}, "no_ground_truth"),
        ({"answer_kind": "integer"}, "answer_kind 'integer' is none of number, percent"),
        ({"steps": [{"raw_output": "1"}, 2]}, "step 2: not an object"),
    ],
)
def test_a_bad_record_is_named_with_its_problem(tmp_path: Path, change: dict, problem: str) -> None:
    path = write(tmp_path / "run.jsonl", {**GOOD, "transcript_id": "ok"}, {**GOOD, **change})
    good, bad = list(read(path))
    assert good.problem is None
    assert bad.problem is not None
    assert problem in bad.problem


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("elapsed_time", "long"),
        ("elapsed_time", float("inf")),
        ("elapsed_time", -1),
        ("token_count", -5),
        ("token_count", "many"),
        ("anchoring_score", 7),
        ("token_counter", "by hand"),
        ("candidate_numbers", "one"),
    ],
)
def test_what_was_recorded_beside_the_text_may_be_unfit(
    tmp_path: Path, name: str, value: object, caplog: pytest.LogCaptureFixture
) -> None:
    """It is kept as metadata, and computed again; the step can still be graded."""
    warn_once._warned.clear()
    step = {"raw_output": "The answer is 1.", name: value}
    (made,) = read(write(tmp_path / "run.jsonl", {**GOOD, "steps": [step]}))
    assert made.problem is None
    assert getattr(made.steps[0], name) is None
    assert name in made.steps[0].metadata
    assert f"{name}: some steps have a value" in caplog.text


def test_a_broken_line_does_not_stop_the_rest(tmp_path: Path) -> None:
    path = write(tmp_path / "run.jsonl", GOOD, b"{not json", {**GOOD, "transcript_id": "b"})
    ids = [(t.transcript_id, bool(t.problem)) for t in read(path)]
    assert ids == [("a", False), ("run.jsonl:2", True), ("b", False)]


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        ({"output": "1", "time": 2}, "step 2: no raw_output among its keys (output, time)"),
        ({"output": "1", "raw_output": None}, "step 2: raw_output is empty (null)"),
        ({"output": "1", "raw_output": float("nan")}, "step 2: raw_output is empty (null)"),
    ],
)
def test_a_step_without_raw_output_makes_the_record_unreadable(
    tmp_path: Path, step: dict, problem: str
) -> None:
    record = {**GOOD, "transcript_id": "b", "steps": [{"raw_output": "1"}, step]}
    _, bad = list(read(write(tmp_path / "some.jsonl", GOOD, record)))
    assert (bad.steps, is_readable(bad)) == ((), False)
    assert bad.problem == problem
    with pytest.raises(InputError, match="in the 1 records; the first: " + re.escape(problem)):
        list(read(write(tmp_path / "all.jsonl", record)))


def test_an_instruction_type_that_is_none_is_kept_and_said_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    warn_once._warned.clear()
    made = from_native({**GOOD, "steps": 2 * [{"raw_output": "1", "instruction_type": "retry"}]})
    assert made.problem is None
    for step in made.steps:
        assert (step.instruction_type, step.metadata) == (
            "original_prompt",
            {"instruction_type": "retry"},
        )
    assert [record.getMessage() for record in caplog.records] == [
        "a, and perhaps others: instruction_type 'retry' counts as original_prompt: it is none of "
        "original_prompt, inspector_revision, nudge_original, nudge_generic"
    ]
    assert from_native(to_native(made)) == made


@pytest.mark.parametrize(
    ("stated", "is_error"),
    [("ValueError: no column 'x'", True), ("", None), ("None", None), ("false", False), (1, True)],
)
def test_an_error_may_be_given_by_its_text(stated: object, is_error: bool | None) -> None:
    made = from_native({**GOOD, "steps": [{"raw_output": "1", "execution_error": stated}]})
    assert made.problem is None
    assert made.steps[0].execution_error is is_error
    if isinstance(stated, str) and is_error is not False:
        assert made.steps[0].metadata["execution_error"] == stated


def test_options_may_be_an_object() -> None:
    record = {**GOOD, "choices": {"A": "cats", "B": "dogs"}, "ground_truth": "B"}
    task = from_native(record).task
    assert (task.answer_kind, options(task)) == ("choice", {"a": "cats", "b": "dogs"})


def test_none_is_a_published_answer_where_it_is_an_option() -> None:
    record = {**GOOD, "choices": ["None", "Some"], "ground_truth": "None"}
    assert from_native(record).problem is None
    del record["ground_truth"]
    assert from_native(record).task.ground_truth is None


@pytest.mark.parametrize(
    "flat",
    [
        {"raw_output": "It is 1."},
        {"raw_output": "It is 1.", "steps": None},
        {"steps": '[{"raw_output": "It is 1."}]'},
        {"steps": {"raw_output": "It is 1."}},
        {"raw_output": "It is 1.", "choices": "[]", "covariates": "{}"},
    ],
)
def test_steps_as_tables_write_them(flat: dict) -> None:
    made = from_native({key: GOOD[key] for key in GOOD if key != "steps"} | flat)
    assert (made.problem, made.metadata) == (None, {})
    assert [step.raw_output for step in made.steps] == ["It is 1."]


def test_nan_is_no_value(tmp_path: Path) -> None:
    nan = float("nan")
    fields = (
        "task_id", "context", "question", "agent", "choices", "data_files", "covariates",
        "answer_kind", "nudge_mode", "outcome", "problem", "metadata",
    )  # fmt: skip
    step = dict.fromkeys(Step.model_fields, nan) | {"raw_output": "It is 1.", "model": nan}
    record = {**GOOD, "steps": [step], **dict.fromkeys(fields, nan)}
    (made,) = read(write(tmp_path / "run.jsonl", record))
    assert made.task == Task(task_id="a", ground_truth="1", answer_kind="number")
    assert made.steps == (Step(raw_output="It is 1.", metadata={"model": None}),)
    assert (made.agent, made.outcome, made.problem, made.metadata) == ("", None, None, {})
    assert "NaN" not in json.dumps(to_native(made))


def test_an_infinity_is_a_word(tmp_path: Path) -> None:
    infinite = {"ground_truth": float("inf"), "score": -float("inf")}
    (made,) = read(write(tmp_path / "run.jsonl", {**GOOD, **infinite}))
    assert (made.task.ground_truth, made.metadata) == ("Infinity", {"score": "-Infinity"})


def test_a_number_that_overflows_is_a_text(tmp_path: Path) -> None:
    path = write(tmp_path / "run.jsonl", {**GOOD, "score": 0})
    path.write_text(path.read_text().replace('"score": 0', '"score": -1e999'))
    (made,) = read(path)
    assert made.metadata == {"score": "-1e999"}


def test_metadata_that_are_no_object_are_kept() -> None:
    made = from_native({**GOOD, "metadata": "note", "steps": [{"raw_output": "", "metadata": [1]}]})
    assert made.metadata == {"metadata": "note"}
    assert made.steps[0].metadata == {"metadata": [1]}
    assert from_native(to_native(made)) == made


def test_one_data_file_may_stand_alone() -> None:
    assert from_native({**GOOD, "data_files": "abc.csv"}).task.data_files == ("abc.csv",)


@given(
    records(*GOOD, "context", "choices", "data_files", "agent", "covariates", "metadata",
            "nudge_mode", "outcome", "problem", "answer_kind")
)  # fmt: skip
def test_nothing_in_a_native_record_raises(record: dict) -> None:
    assert from_native(record, "line 1").transcript_id


def test_a_second_record_with_the_same_id_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "run.jsonl", GOOD, GOOD)
    first, second = list(read(path))
    assert first.problem is None
    assert second.transcript_id == "a#record2"
    assert second.problem is not None
    assert second.problem.startswith("duplicate_id")


def test_bad_bytes_are_read_as_text(tmp_path: Path) -> None:
    line = json.dumps(GOOD).encode().replace(b"q?", b"q\xff\x00?")
    assert next(read(write(tmp_path / "run.jsonl", line))).task.question == "q\ufffd?"


@pytest.mark.parametrize("read_as", [read_chunks, read_ranges])
def test_the_first_line_that_is_not_utf8_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, read_as: Callable[[Path], Iterator[Chunk]]
) -> None:
    records = [{**GOOD, "transcript_id": i, "steps": [{"raw_output": "–1"}]} for i in "abc"]
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    path = write(tmp_path / "a.jsonl", lines[0].encode(), *(x.encode("cp1252") for x in lines[1:]))
    assert sum(1 for chunk in read_as(path) for _ in chunk.transcripts()) == 3
    assert [one.split(";")[0] for one in caplog.messages] == [f"{path}:2: not UTF-8"]


def test_the_last_line_counts_though_its_bytes_are_bad_and_no_newline_ends_it(
    tmp_path: Path,
) -> None:
    lines = [json.dumps({**GOOD, "transcript_id": i}).encode() for i in ("a", "b")]
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"\n".join(line.replace(b"q?", b"q\xff?") for line in lines))
    assert [t.transcript_id for t in read(path)] == ["a", "b"]


def test_a_byte_order_mark_is_no_part_of_the_first_record(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps(GOOD), encoding="utf-8-sig")
    assert [t.problem for t in read(path)] == [None]


def test_one_very_long_line(tmp_path: Path) -> None:
    long = {**GOOD, "steps": [{"raw_output": "x " * 5_000_000 + "It is 1."}]}
    assert next(read(write(tmp_path / "run.jsonl", long))).steps[0].raw_output.endswith("It is 1.")


def test_native_form_of_a_made_transcript() -> None:
    made = transcript("It is 0.25.")
    assert from_native(to_native(made)) == made


def test_a_field_that_is_none_of_its_values_loses_nothing_else() -> None:
    record = {**GOOD, "nudge_mode": "C", "outcome": "fine", "agent": "x", "seed": 7, "choices": 5}
    made = from_native(record)
    assert (made.agent, made.metadata, made.nudge_mode, made.outcome) == (
        "x",
        {"seed": 7},
        None,
        None,
    )
    assert made.problem == (
        "choices: not a list: 5; nudge_mode 'C' is none of A, B, none; "
        "outcome 'fine' is none of clean, error_recovered, nudge_recovered, failed"
    )
    assert from_native(to_native(made)) == made


def test_a_covariate_is_what_it_is_in_a_task_file() -> None:
    given = {"a": None, "b": float("nan"), "c": True, "d": 3, "e": "none", "f\ud800": "\ud800"}
    assert from_native({**GOOD, "covariates": given}).task.covariates == {
        "c": "true", "d": "3", "e": "none", "f\ufffd": "\ufffd"
    }  # fmt: skip
