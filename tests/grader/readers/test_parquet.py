"""Parquet files with values that Python has no place for, and with large rows."""

from __future__ import annotations

import logging
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from grader.errors import InputError
from grader.readers import read
from grader.readers.chunks import CHUNK_BYTES
from grader.readers.parquet import Rows, parquet_chunks
from grader.records import Transcript

ROW = {"transcript_id": ["a"], "ground_truth": ["1"], "raw_output": ["It is 1."]}
FAR = pa.array([5_000_000], pa.int32()).cast(pa.date32())


@pytest.mark.parametrize(
    ("column", "said"),
    [
        (FAR, "15659-07-15"),
        (pa.array([10**18], pa.int64()).cast(pa.timestamp("us")), "10000000000"),
        (pa.array([2**62], pa.int64()).cast(pa.duration("s")), str(2**62)),
    ],
)
def test_times_beyond_pythons_are_kept_in_words(
    tmp_path: Path, column: pa.Array, said: str
) -> None:
    pq.write_table(pa.table({**ROW, "when": column}), tmp_path / "a.parquet")
    (found,) = read(tmp_path / "a.parquet")
    assert (found.problem, found.steps[0].raw_output) == (None, "It is 1.")
    assert said in found.metadata["when"]


@pytest.mark.parametrize(
    "column",
    [
        pa.array([0], pa.int64()).cast(pa.timestamp("us", tz="Nowhere/At-All")),
        pa.array([[5_000_000]], pa.list_(pa.int32())).cast(pa.list_(pa.date32())),
    ],
)
def test_a_column_that_cannot_be_read_is_left_out_and_named(
    tmp_path: Path, column: pa.Array, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / f"{column.type.id}.parquet"  # warnings are told once for each file
    pq.write_table(pa.table({**ROW, "when": column}), path)
    with caplog.at_level(logging.WARNING, "grader"):
        (found,) = read(path)
    assert (found.problem, found.metadata.get("when")) == (None, None)
    assert "the column 'when' cannot be read" in caplog.text


def test_large_rows_come_a_few_at_a_time(tmp_path: Path) -> None:
    texts = [chr(97 + i) * (CHUNK_BYTES // 4) for i in range(12)]
    small = {"transcript_id": [str(i) for i in range(12)], "raw_output": ["1"] * 12}
    pq.write_table(pa.table({**small, "notes": texts}), tmp_path / "large.parquet")
    pq.write_table(pa.table(small), tmp_path / "small.parquet")
    for name, most in (("large", 4), ("small", 12)):
        chunks = list(parquet_chunks(tmp_path / f"{name}.parquet"))
        rows = [chunk.batch.num_rows for chunk in chunks if isinstance(chunk, Rows)]
        assert max(rows) <= most
        assert sum(rows) == 12
        assert [chunk.first for chunk in chunks if isinstance(chunk, Rows)][-1] + rows[-1] == 13


def test_a_parquet_file_names_each_column_once(tmp_path: Path) -> None:
    columns = [pa.array(["a"]), pa.array(["b"]), pa.array(["It is 1."])]
    names = ["transcript_id", "transcript_id", "raw_output"]
    path = tmp_path / "a.parquet"
    pq.write_table(pa.Table.from_arrays(columns, names=names), path)
    with pytest.raises(InputError, match="several columns are called 'transcript_id'"):
        list(read(path))


def test_the_folders_of_a_partitioned_data_set_are_columns(tmp_path: Path) -> None:
    def of_folders(folders: str, **columns: list[str]) -> Transcript:
        folder = tmp_path / folders
        folder.mkdir(parents=True)
        pq.write_table(pa.table({**ROW, **columns}), folder / "part-0.parquet")
        (found,) = read(tmp_path / folders.split("/")[0])
        return found

    assert of_folders("a/agent=lambda/model=o%2F1").agent == "lambda"
    assert of_folders("b/agent=lambda/model=o%2F1").metadata == {"model": "o/1"}
    assert of_folders("c/model=__HIVE_DEFAULT_PARTITION__").metadata == {}
    assert of_folders("lr=1/d/seed=2").metadata == {"seed": "2"}
    assert of_folders("e/model=x", model=["y"]).metadata == {"model": "y"}
    assert of_folders("f/steps=3").problem is None
