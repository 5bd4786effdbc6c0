"""Headings of Markdown tables."""

from __future__ import annotations

from grader.text.markdown_table import column_headings, heading_of

TABLE = "| a | b | c |\n|---|---|---|\n| x | 1.5 | 2.5 | 9 |"


def test_the_heading_above_a_cell() -> None:
    headings = column_headings(TABLE)
    found = [heading_of(headings, TABLE, TABLE.index(cell)).strip() for cell in ("1.5", "2.5", "9")]
    assert found == ["b", "c", ""]


def test_a_text_that_is_no_table() -> None:
    assert column_headings("a | b") == []
