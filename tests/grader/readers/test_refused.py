"""Files that cannot be read: one clear error, which says what they are and what to do."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from grader.errors import InputError, UserError
from grader.readers import read, read_chunks
from grader.readers.ranges import read_ranges
from tests.grader.recorded import DSGYM, GOOD, write


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


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"not json at all\n", "not valid JSON"),
        (b"[]\n", "a format this tool knows"),
        (b'{"a": 1}\n', "a format this tool knows: an object with a. Expected"),
        (b'{\n"results": [{"query": "q", "sample_id": 1}],\n"n": 1}', "an object with results, n"),
        (b'[{"eval": 1, "samples": []}]', "knows: a list of objects with eval, samples. Expected"),
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


@pytest.mark.parametrize(
    ("name", "content", "remedy"),
    [
        ("run.csv", b"id,output\n1,It is 5.\n", "Write the table as JSON lines"),
        ("run.tsv", b"id\toutput\n", "Write the table as JSON lines"),
        ("run.xlsx", b"PK\x03\x04\n", "Write the table as JSON lines"),
        ("run.eval", b"PK\x03\x04\n", "inspect score LOG --scorer grader/cascade"),
        ("run.json", b'{\n"version": 2,\n"status": "success",\n"eval": {},\n"plan": {}}',
         "inspect score LOG --scorer grader/cascade"),
    ],
)  # fmt: skip
def test_what_to_do_with_tables_and_logs_is_said(
    tmp_path: Path, name: str, content: bytes, remedy: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match="not a format this tool knows") as caught:
        list(read(path))
    assert remedy in str(caught.value)


def test_nothing_readable_in_a_jsonl_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no readable transcript in the 2 records"):
        list(read(write(tmp_path / "run.jsonl", b"{", b"nope")))


def test_missing_file_and_unknown_format(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read(tmp_path / "nowhere")
    with pytest.raises(UserError, match="Did you mean 'native'"):
        read(write(tmp_path / "run.jsonl", GOOD), "nativ")


def test_lines_that_end_in_carriage_returns_alone_are_named(tmp_path: Path) -> None:
    path = write(tmp_path / "run.jsonl", GOOD, GOOD)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r"))
    with pytest.raises(InputError, match=r"run\.jsonl:1: lines that end in CR alone"):
        read(path)


@pytest.mark.parametrize("name", ["run.csv", "run", "run.csv.gz"])
def test_a_file_of_another_kind_is_no_broken_json(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    data = b"transcript_id,output\na,1\n"
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    with pytest.raises(InputError, match="not a format this tool knows"):
        read(path)


def test_a_thousand_unreadable_records_are_enough(tmp_path: Path) -> None:
    path = write(tmp_path / "run.jsonl", *[b"{"] * 1000, GOOD)
    with pytest.raises(InputError, match="no readable transcript in the first 1000 records"):
        next(read(path))
    write(path, *[b"{"] * 999, GOOD)
    assert len(list(read(path))) == 1000


def test_damaged_files_are_called_so(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for rest in (b"", b'{"transcript_id": "a"}'):
        path.write_bytes(bytes(100) + rest)
        with pytest.raises(InputError, match="begins with NUL bytes"):
            list(read(path))


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_a_compressed_file_is_called_so(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(b'{"transcript_id": "a"}\n' * 9))
    with pytest.raises(InputError, match=r"compressed.*Let its name end in \.gz"):
        list(read(path))
