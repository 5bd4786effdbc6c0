from __future__ import annotations

from pathlib import Path

import pytest

from grader.tasks import data_files
from grader.tasks.data_files import dimension, find_files


@pytest.mark.parametrize(
    ("text", "rows", "columns"),
    [
        ("a,b\n1,2\n3,4\n", "2", "2"),
        ("a,b\n1,2\n3,4", "2", "2"),
        ('"a, b",c\n1,2\n', "1", "2"),
        ('a,b\n"two\nlines",2\n', "1", "2"),
        ("a,b\r\n1,2\r\n\r\n", "1", "2"),
        ("a", "0", "1"),
        ("a;b;c\n1,5;2,5;3,5\n", "1", "3"),
        ('"a; b";c\n1;2\n', "1", "2"),
        ("a\tb, c\n1\t2\n", "1", "2"),
        ("a|b|c\n1|2|3\n", "1", "3"),
    ],
)
def test_rows_and_columns_of_a_csv(tmp_path: Path, text: str, rows: str, columns: str) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(text.encode())
    assert dimension([path]) == {"n_rows": rows, "n_columns": columns, "dimension": "low"}


@pytest.mark.parametrize("columns", [5, 6, 20, 21])
def test_dimension_goes_by_columns(tmp_path: Path, columns: int) -> None:
    path = tmp_path / "x.CSV"
    path.write_text(",".join("abcdefghijklmnopqrstuvwxyz"[:columns]) + "\n")
    expected = {5: "low", 6: "medium", 20: "medium", 21: "high"}[columns]
    assert dimension([path])["dimension"] == expected


def test_the_first_file_that_can_be_read_counts(tmp_path: Path) -> None:
    good, empty, wide = (tmp_path / f"{name}.csv" for name in ("good", "empty", "wide"))
    good.write_text("a,b\n")
    empty.write_text("")
    wide.write_text("x" * 200_000)
    assert dimension([tmp_path / "none.csv", empty, wide, good])["n_columns"] == "2"
    assert dimension([tmp_path / "none.csv", empty, wide]) == {}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("test/x.csv", "test/x.csv"),
        ("x.csv", "x.csv"),
        ("/elsewhere/data/test/x.csv", "test/x.csv"),
        ("/elsewhere/other/x.csv", "x.csv"),
        ("none/y.csv", None),
    ],
)
def test_the_most_of_a_name_that_is_found(tmp_path: Path, name: str, expected: str | None) -> None:
    (tmp_path / "test").mkdir()
    for file in ("x.csv", "test/x.csv"):
        (tmp_path / file).write_text("a\n")
    assert find_files([name], [tmp_path / "csv", tmp_path]) == [
        tmp_path / expected if expected else Path(name)
    ]


def test_two_names_are_never_one_file(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a\n")
    with pytest.raises(ValueError, match=r"train/x.csv and test/x.csv: both would be .*x\.csv"):
        find_files(["train/x.csv", "test/x.csv"], [tmp_path])
    assert find_files(["x.csv", "x.csv"], [tmp_path]) == [tmp_path / "x.csv"]


def test_files_are_looked_for_by_name(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a\n")
    nowhere, long = Path("data/none.csv"), Path("y" * 300)
    found = find_files(["data/x.csv", nowhere, long], [tmp_path / "csv", tmp_path])
    assert found == [tmp_path / "x.csv", nowhere, long]


def test_a_file_is_counted_once_until_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n")
    before = data_files._counted.cache_info()
    assert [dimension([path])["n_rows"] for _ in range(3)] == ["1"] * 3
    after = data_files._counted.cache_info()
    assert (after.misses - before.misses, after.hits - before.hits) == (1, 2)
    path.write_text("a,b\n1,2\n3,4\n")
    assert dimension([path])["n_rows"] == "2"
