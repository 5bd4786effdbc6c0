"""Tables that people or other tools made."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import InputError
from grader.files.csv_files import (
    KEYS,
    for_spreadsheets,
    from_spreadsheets,
    read_covariates,
    read_csv,
)


def table(folder: Path, text: str) -> Path:
    path = folder / "c.csv"
    path.write_text(text)
    return path


def test_one_value_is_one_level_and_a_gap_is_none(tmp_path: Path) -> None:
    rows = "a,True,none\nb,true ,NA\nc,TRUE,NaN\nd,,None\n,false,low\n,,\n"
    path = table(tmp_path, "task_id,modelled,size\n" + rows)
    assert read_covariates(path, *KEYS) == (
        "task_id",
        {
            "a": {"modelled": "true", "size": "none"},
            "b": {"modelled": "true"},
            "c": {"modelled": "true"},
            "d": {},
        },
    )


def test_rows_of_transcripts_may_agree_about_their_task(tmp_path: Path) -> None:
    path = table(tmp_path, "transcript_id,task_id,size\na.r1,a,low\na.r2,a,low\n")
    assert read_covariates(path, "task_id") == ("task_id", {"a": {"size": "low"}})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "id,size\na,low\n",
            r":1: no column transcript_id or task_id; the columns are: id, size\.",
        ),
        ("task_id\na\n", r":1: no column of covariates beside task_id\."),
        ("task_id,transcript_id,\na,b,\n", r"no column of covariates beside task_id and trans"),
        ("Task_ID,size\na,low\n", r"the columns are: Task_ID, size\. Write task_id, not Task_ID"),
        ("", r":1: no column transcript_id or task_id; the columns are: none\. Name it in the"),
        ("task_id,size\n", "no row with a task_id"),
        ("task_id,size\n,low\n", "no row with a task_id"),
        ("task_id,v\na,1\nb,1\na,2\n", ":4: another row of task_id 'a' has other values"),
        ("task_id,v\na,1\na,NA\n", ":3: another row"),
        ("task_id,v,v\na,1,2\n", ":1: two columns 'v'"),
    ],
)
def test_tables_that_say_nothing_or_too_much(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_covariates(table(tmp_path, text), *KEYS)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_what_spreadsheets_save(tmp_path: Path, encoding: str, sign: str) -> None:
    path = tmp_path / "c.csv"
    rows = (("task_id", "größe"), ("a", '"1,5; 2\t3|"'))
    path.write_bytes("".join(sign.join(row) + "\r\n" for row in rows).encode(encoding))
    assert read_csv(path) == (
        ["task_id", "größe"],
        [(2, {"task_id": "a", "größe": "1,5; 2\t3|"})],
    )


@pytest.mark.parametrize(
    ("header", "names"),
    [
        (
            'task_id,verdict,"why; who; when; where"',
            ["task_id", "verdict", "why; who; when; where"],
        ),
        ('task_id;"a, b, c, d"', ["task_id", "a, b, c, d"]),
        ('task_id;size "cm"', ["task_id", 'size "cm"']),
    ],
)
def test_a_quoted_name_may_hold_another_separator(
    tmp_path: Path, header: str, names: list[str]
) -> None:
    assert read_csv(table(tmp_path, header + "\n"))[0] == names


def test_rows_of_separators_alone_are_skipped(tmp_path: Path) -> None:
    rows = "task_id;size\na;low\n;\nb;\n"
    assert read_csv(table(tmp_path, rows))[1] == [
        (2, {"task_id": "a", "size": "low"}),
        (4, {"task_id": "b"}),
    ]


def test_the_line_for_excel_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r":1: its first line is 'sep=;', no header\. Remove"):
        read_csv(table(tmp_path, "sep=;\ntask_id;size\na;low\n"))


def test_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_bytes("task_id,who\na,Ann\nb,Jörg\n".encode("cp1252"))
    with pytest.raises(InputError, match=r":3: not in UTF-8\. Save it as .*CSV UTF-8"):
        read_csv(path)


def test_cells_without_a_column_are_refused(tmp_path: Path) -> None:
    rows = "task_id,note\na,so,,\nb,I think, maybe\n"
    with pytest.raises(InputError, match=r":3: more cells than columns\. Quote cells .* ','"):
        read_csv(table(tmp_path, rows))


@pytest.mark.parametrize(
    "text", ['=HYPERLINK("http://x")', "@SUM(A1)", "-1+cmd|' /C calc'!A0", "\tx"]
)
def test_a_text_that_a_spreadsheet_would_run_is_behind_an_apostrophe(text: str) -> None:
    assert for_spreadsheets(text) == f"'{text}"


@pytest.mark.parametrize("value", ["-0.026", "+3", "-1,234.5 %", "-2e-05", "red", "", None, -3.5])
def test_numbers_and_other_texts_stay_as_they_are(value: object) -> None:
    assert for_spreadsheets(value) == value


@given(st.text("'=-+@\t\r1. x", max_size=6))
def test_a_cell_gives_the_text_back_that_it_was_made_of(text: str) -> None:
    assert from_spreadsheets(str(for_spreadsheets(text))) == text


@pytest.mark.parametrize("cell", ["=1+1", "'tis", "'", "'-0.5", ""])
def test_cells_that_people_write_are_texts_as_they_are(cell: str) -> None:
    assert from_spreadsheets(cell) == cell


@pytest.mark.parametrize("last", ["", "\n"])
def test_a_quote_that_nothing_closes_swallows_no_rows(tmp_path: Path, last: str) -> None:
    path = table(tmp_path, 'a,b\n1,"open\n2,x\n3,y' + last)
    with pytest.raises(InputError, match=r"c\.csv:4: not CSV: .*a quote that nothing closes"):
        read_csv(path)


def test_blanks_around_names_and_keys_do_not_count(tmp_path: Path) -> None:
    path = table(tmp_path, "task_id, size \nt1 ,big\n")
    assert read_covariates(path, *KEYS) == ("task_id", {"t1": {"size": "big"}})
