"""Printing tables, and the address of a page, on a terminal."""

from __future__ import annotations

from pathlib import Path

from rich import box
from rich.console import Console, JustifyMethod
from rich.table import Table as RichTable
from rich.text import Text

from grader.invisible import displayable

from .table import Table
from .wording import counted

MAX_ROWS = 16


def print_table(console: Console, table: Table) -> None:
    """Print a table's brief columns with its panels and note; a long table is cut after its first
    rows."""
    kept = [place for place, column in enumerate(table.columns) if column.brief]
    shown = RichTable(title=Text(table.title), title_justify="left", box=box.SIMPLE_HEAD)
    for column in (table.columns[place] for place in kept):
        side: JustifyMethod = "right" if column.numeric else "left"
        shown.add_column(Text(column.header), justify=side, overflow="fold")
    for title, rows in table.panels(MAX_ROWS):
        if title:
            shown.add_row(Text(displayable(title), style="bold"))
        for row in rows:
            shown.add_row(*(Text(displayable(row[place])) for place in kept))
    console.print(shown)
    if (left := len(table.rows) - MAX_ROWS) > 0:
        console.print(
            f"… and {counted(left, 'more row')}; all are in the files written", style="dim"
        )
    if table.note:
        console.print(Text(table.note, style="dim"))
    console.print()


def print_page(console: Console, page: Path) -> None:
    """Print the address at which a browser opens a page."""
    console.print(f"Open {page.resolve().as_uri()}", soft_wrap=True, highlight=False)
