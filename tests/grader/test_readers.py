from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.errors import InputError, UserError
from grader.readers import from_native, read, to_native
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
    from grader.readers.dsgym import _transcript

    drift = {
        "agent_turns": [
            {"turn_index": 0, "phase": "orchestrator", "text_preview": ""},
            {"turn_index": 1, "phase": "workflow", "text_preview": "x" * 919},
            {"turn_index": 2, "phase": "workflow", "text_preview": "y"},
        ],
        "nudge_events": [{"turn": 1, "mode": "targeted"}],
    }
    found = _transcript({**DSGYM, "metadata": {"drift": drift}}, "x")
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
