from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from grader.errors import InputError
from grader.readers import read, read_chunks, recognised_shards
from grader.readers.ranges import read_ranges
from tests.grader.recorded import DSGYM, GOOD, write


@pytest.mark.parametrize("names", [("a", "b", "c"), ("b", "c", "a"), ("b", "a", "c")])
def test_empty_shards_are_passed_over(
    tmp_path: Path, names: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    empty, torn, full = (tmp_path / f"{name}.jsonl" for name in names)
    empty.write_bytes(b"")
    torn.write_bytes(b'{"transcript_id"')
    write(full, GOOD)
    assert [t.transcript_id for t in read(tmp_path)] == ["a"]
    assert f"{empty}: empty, skipped" in caplog.text
    for chunks in (read_chunks(tmp_path), read_ranges(tmp_path)):
        assert [t.transcript_id for chunk in chunks for t in chunk.transcripts()] == ["a"]


def test_a_folder_of_empty_shards_is_an_error(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.jsonl").write_bytes(b"\n")
    with pytest.raises(InputError, match="only empty files"):
        read(tmp_path)


def samples(folder: Path, *names: str) -> None:
    for name in names:
        record = {**DSGYM, "sample_id": name}
        (folder / name).write_text(json.dumps([record] if "results" in name else record))


def ids(path: Path, format: str = "auto") -> list[str]:
    """What is read, whole or in chunks or ranges."""
    found = [made.transcript_id for made in read(path, format)]
    for chunks in (read_chunks(path, format), read_ranges(path, format)):
        assert [made.transcript_id for chunk in chunks for made in chunk.transcripts()] == found
    return found


LABEL = {"transcript_id": "a", "label": "match"}


def test_a_folder_may_hold_several_formats_and_other_files(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(tmp_path / "labels.jsonl", *[LABEL] * 3)
    write(tmp_path / "part1.jsonl", GOOD)
    (tmp_path / "deeper").mkdir()
    samples(tmp_path / "deeper", "prediction_0.json", "prediction_1.json", "same_results.json")
    samples(tmp_path, "x_results.json")
    (tmp_path / "other_results.json").write_text('{"accuracy": 0.5}')
    pq.write_table(pa.table({"column": [1]}), tmp_path / "figures.parquet")
    pq.write_table(
        pa.table({"transcript_id": ["p"], "ground_truth": ["1"], "raw_output": ["1"]}),
        tmp_path / "part2.parquet",
    )
    assert [made.transcript_id for made in read(tmp_path)] == [
        "prediction_0.json", "prediction_1.json", "a", "p", "x_results.json"
    ]  # fmt: skip
    double = tmp_path / "deeper" / "same_results.json"
    assert [record.getMessage() for record in caplog.records] == [
        f"{double}: skipped, as the same samples are in other files beside it",
        *[
            f"{tmp_path / name}: no transcripts in it, skipped"
            for name in ("figures.parquet", "labels.jsonl", "other_results.json")
        ],
    ]
    assert ids(tmp_path) == [*ids(tmp_path / "deeper"), "a", "p", "x_results.json"]


def test_a_format_chosen_for_a_folder_is_that_of_the_files_read(tmp_path: Path) -> None:
    write(tmp_path / "part1.jsonl", GOOD)
    samples(tmp_path, "x_results.json")
    assert ids(tmp_path, "native") == ["a"]
    assert ids(tmp_path, "dsgym") == ["x_results.json"]


def test_a_pattern_passes_over_what_holds_no_transcripts(tmp_path: Path) -> None:
    write(tmp_path / "labels.jsonl", LABEL)
    write(tmp_path / "part1.jsonl", b"{broken", GOOD)
    assert ids(tmp_path / "*.jsonl") == ["part1.jsonl:1", "a"]


def test_checking_an_input_says_nothing_about_its_files(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(tmp_path / "labels.jsonl", LABEL)
    write(tmp_path / "part1.jsonl", GOOD)
    recognised_shards(tmp_path)
    assert caplog.records == []


def test_files_of_a_folder_that_are_not_read_are_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(tmp_path / "part1.jsonl", GOOD)
    write(tmp_path / "empty.jsonl")
    for name in (".hidden.csv", "deeper/labels.csv", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("a,b\n")
    assert len(list(read(tmp_path))) == 1
    assert [record.getMessage() for record in caplog.records] == [
        f"{tmp_path}: skipped because of their names, or as links to folders: 2 "
        "(the first: deeper/labels.csv)",
        f"{tmp_path / 'empty.jsonl'}: empty, skipped",
    ]


def test_a_parquet_file_may_end_in_pq(tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist([GOOD]), tmp_path / "run.pq")
    assert ids(tmp_path / "run.pq") == ids(tmp_path) == ["a"]


@pytest.mark.parametrize("before", [[LABEL], [b"{broken"], [{**GOOD, "steps": []}]])
def test_a_shard_is_read_whatever_its_first_lines(tmp_path: Path, before: list[object]) -> None:
    write(tmp_path / "part1.jsonl", *before, {**GOOD, "transcript_id": "b"})
    assert ids(tmp_path)[-1] == "b"


def test_a_file_that_is_named_is_not_passed_over(tmp_path: Path) -> None:
    labels = write(tmp_path / "labels.jsonl", LABEL)
    with pytest.raises(
        InputError, match="no readable transcript in the 1 records; the first: no_gr"
    ):
        list(read(labels))
    with pytest.raises(InputError, match="no recordings in it, only other files"):
        read(tmp_path)


def test_nan_in_a_parquet_file_is_no_value(tmp_path: Path) -> None:
    nan = float("nan")
    row = {**GOOD, "task_id": nan, "score": nan, "steps": '[{"raw_output": "1", "model": NaN}]'}
    path = tmp_path / "a.parquet"
    pq.write_table(pa.Table.from_pylist([row]), path)
    (made,) = read(path)
    assert (made.task.task_id, made.metadata, made.problem) == ("a", {}, None)
    assert made.steps[0].metadata == {"model": None}


CHAT = {
    "transcript_id": "c",
    "ground_truth": "1",
    "messages": [{"role": "user", "content": "q?"}, {"role": "assistant", "content": "It is 1."}],
}


def test_chats_are_found_in_folders_and_tables(tmp_path: Path) -> None:
    write(tmp_path / "chats.jsonl", CHAT)
    write(tmp_path / "llm_calls.jsonl", {"prompt_hash": "p", "messages": CHAT["messages"]})
    pq.write_table(pa.Table.from_pylist([CHAT | {"transcript_id": "p"}]), tmp_path / "t.parquet")
    assert ids(tmp_path) == ["c", "p"]
    for found in read(tmp_path):
        assert [step.raw_output for step in found.steps] == ["It is 1."]
    (tmp_path / "one.json").write_text(json.dumps({"ground_truth": "1", **CHAT}))
    assert ids(tmp_path / "one.json") == ["c"]


def test_a_users_own_prompt_fields_make_no_record_a_judges_call(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", GOOD | {"prompt_id": "p", "prompt_hash": "h"})
    write(tmp_path / "b.jsonl", CHAT | {"prompt_id": "p"})
    assert ids(tmp_path) == ["a", "c"]


def test_dsgym_writes_json_lines_too(tmp_path: Path) -> None:
    write(tmp_path / "part1.jsonl", DSGYM)
    write(tmp_path / "part2.jsonl", GOOD)
    assert len(ids(tmp_path, "dsgym")) == 1
    (tmp_path / "part1.jsonl").unlink()
    with pytest.raises(InputError, match="no file whose name may be one of dsgym"):
        read(tmp_path, "dsgym")


def test_bytes_in_a_table_are_text_and_infinities_words(tmp_path: Path) -> None:
    row = {
        "transcript_id": b"a",
        "ground_truth": b"0.2",
        "raw_output": b"It is\n0.2.",
        "x": float("inf"),
    }
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "t.parquet")
    (found,) = read(tmp_path / "t.parquet")
    assert (found.transcript_id, found.task.ground_truth) == ("a", "0.2")
    assert found.steps[0].raw_output == "It is\n0.2."
    assert found.metadata == {"x": "inf"}


def test_a_bad_first_record_does_not_hide_the_format(tmp_path: Path) -> None:
    sample = json.dumps({**DSGYM, "sample_id": "s"})
    for name, text, found in (
        ("a.json", f"[null, {sample}]", ["a.json:1", "s"]),
        ("b.jsonl", f"garbage\n{sample}\n", ["b.jsonl:1", "s"]),
        ("c.json", f"{sample}\n{sample}\n", ["s", "s.r2"]),
        ("d.json", f"[3, {json.dumps(GOOD)}]", ["d.json:1", "a"]),
        ("e.jsonl", json.dumps([GOOD], indent=1), ["a"]),
    ):
        path = tmp_path / name
        path.write_text(text)
        assert ids(path) == found, name
