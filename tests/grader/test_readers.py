from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.choices import options
from grader.errors import InputError, UserError
from grader.readers import from_native, is_readable, read, read_chunks, to_native
from grader.readers.dsgym import from_dsgym
from grader.readers.ranges import read_ranges
from tests.grader.transcripts import transcript
from tests.shared_data import SHARED, needs_shared

GOOD = {
    "transcript_id": "a",
    "task_id": "t",
    "question": "q?",
    "ground_truth": "1",
    "steps": [{"raw_output": "1"}],
}


def write(path: Path, *records: object) -> Path:
    lines = [r if isinstance(r, bytes) else json.dumps(r).encode() for r in records]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


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
        ({"steps": "text"}, "no_steps"),
        ({"transcript_id": None}, "no_transcript_id"),
        ({"steps": [{"raw_output": "1", "elapsed_time": "long"}]}, "elapsed_time"),
        ({"choices": 5}, "choices: not a list: 5"),
        ({"choices": "yes,no"}, "choices: not a list: yes,no"),
        ({"data_files": {"a": 1}}, "data_files: not a list"),
        ({"ground_truth": float("nan")}, "no_ground_truth"),
        ({"ground_truth": "N/A"}, "no_ground_truth"),
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


def test_a_broken_line_does_not_stop_the_rest(tmp_path: Path) -> None:
    path = write(tmp_path / "run.jsonl", GOOD, b"{not json", {**GOOD, "transcript_id": "b"})
    ids = [(t.transcript_id, bool(t.problem)) for t in read(path)]
    assert ids == [("a", False), ("run.jsonl:2", True), ("b", False)]


@pytest.mark.parametrize(
    "step", [{"output": "1", "time": 2}, {"output": "1", "raw_output": None, "time": 2}]
)
def test_a_step_without_raw_output_makes_the_record_unreadable(tmp_path: Path, step: dict) -> None:
    record = {**GOOD, "transcript_id": "b", "steps": [{"raw_output": "1"}, step]}
    _, bad = list(read(write(tmp_path / "some.jsonl", GOOD, record)))
    assert (bad.steps, is_readable(bad)) == ((), False)
    assert bad.problem is not None
    assert bad.problem.startswith("step 2: no raw_output among its keys (output, ")
    with pytest.raises(InputError, match="in 1 records; the first: step 2: no raw_output among"):
        list(read(write(tmp_path / "all.jsonl", record)))


def test_an_instruction_type_that_is_none_is_kept_and_said_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    made = from_native({**GOOD, "steps": 2 * [{"raw_output": "1", "instruction_type": "retry"}]})
    assert made.problem is None
    for step in made.steps:
        assert (step.instruction_type, step.metadata) == (
            "original_prompt",
            {"instruction_type": "retry"},
        )
    assert [record.getMessage() for record in caplog.records] == [
        "instruction_type 'retry' counts as original_prompt: it is none of original_prompt, "
        "inspector_revision, nudge_original, nudge_generic"
    ]
    assert from_native(to_native(made)) == made


def test_options_may_be_an_object() -> None:
    record = {**GOOD, "choices": {"A": "cats", "B": "dogs"}, "ground_truth": "B"}
    task = from_native(record).task
    assert (task.answer_kind, options(task)) == ("choice", {"a": "cats", "b": "dogs"})


def test_none_is_a_published_answer_where_it_is_an_option() -> None:
    record = {**GOOD, "choices": ["None", "Some"], "ground_truth": "None"}
    assert from_native(record).problem is None


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("name", ["run.jsonl", "run.jsonl.gz", "x_results.json"])
def test_another_encoding_is_refused(tmp_path: Path, name: str, encoding: str) -> None:
    record = [DSGYM] if name.endswith(".json") else GOOD
    data = json.dumps(record).encode(encoding)
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    for format in ("auto", "dsgym" if name.endswith(".json") else "native"):
        for chunks in (read_chunks, read_ranges):
            with pytest.raises(InputError, match=r"written in UTF-.*, not in UTF-8. Save it as"):
                [t for chunk in chunks(path, format) for t in chunk.transcripts()]


def test_one_data_file_may_stand_alone() -> None:
    assert from_native({**GOOD, "data_files": "abc.csv"}).task.data_files == ("abc.csv",)


NAMES = ["content", "role", "turn", "mode", "drift", "phase", "turn_index", "nudge_events",
         "agent_turns", "observations", "raw_output", "response", "x"]  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=20,
)


def records(*names: str) -> st.SearchStrategy[dict]:
    return st.dictionaries(st.sampled_from(names), JSON)


@given(
    records(*GOOD, "context", "choices", "data_files", "agent", "covariates", "metadata",
            "nudge_mode", "outcome", "problem", "answer_kind")
)  # fmt: skip
def test_nothing_in_a_native_record_raises(record: dict) -> None:
    assert from_native(record, "line 1").transcript_id


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
    assert from_dsgym({**DSGYM, "conversation": turns}, "x").steps[0].raw_output == "I look.\n3"


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


@pytest.mark.parametrize("names", [("a", "b", "c"), ("b", "c", "a"), ("b", "a", "c")])
def test_empty_shards_are_passed_over(
    tmp_path: Path, names: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    empty, torn, full = (tmp_path / f"{name}.jsonl" for name in names)
    empty.write_bytes(b"")
    torn.write_bytes(b'{"transcript_id"')
    write(full, GOOD)
    assert [t.transcript_id for t in read(tmp_path)] == ["a"]
    assert f"{empty}: empty, passed over" in caplog.text
    for chunks in (read_chunks(tmp_path), read_ranges(tmp_path)):
        assert [t.transcript_id for chunk in chunks for t in chunk.transcripts()] == ["a"]


def test_a_folder_of_empty_shards_is_an_error(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.jsonl").write_bytes(b"\n")
    with pytest.raises(InputError, match="nothing but empty files"):
        read(tmp_path)


def test_one_very_long_line(tmp_path: Path) -> None:
    long = {**GOOD, "steps": [{"raw_output": "x " * 5_000_000 + "It is 1."}]}
    assert next(read(write(tmp_path / "run.jsonl", long))).steps[0].raw_output.endswith("It is 1.")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"not json at all\n", "not valid JSON"),
        (b"[]\n", "a format this tool knows"),
        (b'{"a": 1}\n', "a format this tool knows"),
        (b"[1, 2\n", "not valid JSON"),
    ],
)
@pytest.mark.parametrize("name", ["run.json"])
def test_unreadable_input_is_one_clear_error(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        list(read(path))


def test_nothing_readable_in_a_jsonl_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no readable transcript in 2 records"):
        list(read(write(tmp_path / "run.jsonl", b"{", b"nope")))


def test_missing_file_and_unknown_format(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "nowhere")
    with pytest.raises(UserError, match="Did you mean 'native'"):
        read(write(tmp_path / "run.jsonl", GOOD), "nativ")


DSGYM = {
    "sample_id": "d_0",
    "query": "q?",
    "ground_truth": "0.2",
    "prediction": "0.9",
    "raw_response": "It is 0.2.",
    "metrics": {"exact_match": {"score": 0.0}},
    "extra_info": {"query_id": "0"},
}


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


def test_dsgym_nudge_previews_become_truncated_steps() -> None:
    drift = {
        "agent_turns": [
            {"turn_index": 0, "phase": "orchestrator", "text_preview": ""},
            {"turn_index": 1, "phase": "workflow", "text_preview": "x" * 919},
            {"turn_index": 2, "phase": "workflow", "text_preview": "y"},
        ],
        "nudge_events": [{"turn": 1, "mode": "targeted"}],
    }
    found = from_dsgym({**DSGYM, "metadata": {"drift": drift}}, "x")
    assert [s.instruction_type for s in found.steps] == ["original_prompt", "nudge_original"]
    assert found.steps[0].metadata == {"truncated": True}


@needs_shared
def test_the_recorded_run_is_read_whole() -> None:
    found = list(read(SHARED / "data/lambda_run/dsgym_results.json"))
    assert len(found) == 25
    assert not any(t.problem for t in found)


def test_native_form_of_a_made_transcript() -> None:
    made = transcript("It is 0.25.")
    assert from_native(to_native(made)) == made
