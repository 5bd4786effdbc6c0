from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from grader.errors import InputError
from grader.readers import read, read_chunks
from grader.readers.chunks import CHUNK_BYTES
from grader.readers.ranges import read_ranges
from grader.readers.shards import not_read, shards
from tests.grader.recorded import DSGYM, GOOD, write


@pytest.mark.parametrize("form", ["", "*.jsonl", "**/*.jsonl"])
def test_a_shard_that_cannot_be_had_is_an_error(tmp_path: Path, form: str) -> None:
    write(tmp_path / "a.jsonl", GOOD)
    (tmp_path / "b.jsonl").symlink_to(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"b\.jsonl: cannot read: No such file"):
        shards(tmp_path / form)


def test_a_pipe_is_no_recording(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.jsonl")
    for path in (tmp_path, tmp_path / "a.jsonl", tmp_path / "*.jsonl"):
        with pytest.raises(InputError, match=r"a\.jsonl: a pipe or a device"):
            shards(path)


def test_what_is_not_read_of_a_folder(tmp_path: Path) -> None:
    part = write(tmp_path / "a.jsonl", GOOD)
    for name in ("_b.jsonl", ".c.jsonl", "notes.txt"):
        write(tmp_path / name, GOOD)
    (tmp_path / "_sub").mkdir()
    write(tmp_path / "_sub" / "d.jsonl", GOOD)
    (tmp_path / "more.jsonl").symlink_to(tmp_path / "_sub")
    assert shards(tmp_path) == [part]
    names = ["_b.jsonl", "_sub", "more.jsonl", "notes.txt"]
    assert not_read(tmp_path) == [tmp_path / name for name in names]


LISTS = {
    "list.jsonl.gz": json.dumps([GOOD], indent=1), "line.jsonl.gz": json.dumps([GOOD]),
    "list.json.gz": json.dumps([GOOD], indent=1),
    "d_results.json.gz": json.dumps([DSGYM], indent=1),
    "one.json": json.dumps(GOOD, indent=1), "one.json.gz": json.dumps(GOOD, indent=1),
}  # fmt: skip


@pytest.mark.parametrize("name", LISTS)
def test_lists_and_single_records_may_be_compressed(tmp_path: Path, name: str) -> None:
    path, data = tmp_path / name, LISTS[name].encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    assert [t.transcript_id for t in read(path)] == ["d_0" if name.startswith("d_") else "a"]
    for chunks in (read_chunks, read_ranges):
        (one,) = [t for chunk in chunks(path, "auto") for t in chunk.transcripts()]
        assert one.problem is None


def test_a_folder_without_shards(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no \*.jsonl, .* in this folder"):
        read(tmp_path)


def test_broken_lines_of_files_with_one_name_keep_their_cause(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder / "a.jsonl", {**GOOD, "transcript_id": folder}, b"{broken")
        with (tmp_path / folder / "a.jsonl").open("ab") as file:
            file.write(b"\n")
    _, first, _, second = read(tmp_path)
    assert (first.transcript_id, second.transcript_id) == ("a.jsonl:2", "a.jsonl:2#record2")
    assert first.problem == second.problem
    assert (second.problem or "").startswith("line 2 is not valid JSON")


def test_large_lines_come_a_few_at_a_time(tmp_path: Path) -> None:
    output = "x" * (CHUNK_BYTES // 2)
    records = [{"transcript_id": f"t{n}", "steps": [{"raw_output": output}]} for n in range(5)]
    path = tmp_path / "large.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert [len(list(chunk.transcripts())) for chunk in read_chunks(path)] == [2, 2, 1]


@pytest.mark.parametrize("name", ["a\udcff.parquet", "a\udcff.jsonl.zst"])
def test_a_name_that_pyarrow_does_not_take(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"not in UTF-8\. Rename it"):
        read(tmp_path)
