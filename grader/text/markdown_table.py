"""Markdown tables: the heading above a cell."""

from __future__ import annotations


def column_headings(table: str) -> list[str]:
    """The cells of a table's first line; none for a text that is no table."""
    if not table.startswith("|"):
        return []
    return table.partition("\n")[0].strip().strip("|").split("|")


def heading_of(headings: list[str], table: str, position: int) -> str:
    """The heading of the column that `position` is in; empty if its row is longer."""
    line = table.rfind("\n", 0, position) + 1
    column = table.count("|", line, position) - 1
    return headings[column] if 0 <= column < len(headings) else ""
