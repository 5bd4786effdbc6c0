"""Printing tables, and the address of a page, on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from rich import box
from rich.console import Console, JustifyMethod
from rich.table import Table as RichTable
from rich.text import Text

from grader.invisible import displayable

from .table import Table
from .wording import counted

MAX_ROWS = 16
LONGEST_NAME = 60
LEFT, RIGHT = 36, 18  # characters kept of a longer one: nudge modes and numbers stand at the end


def print_table(
    console: Console,
    table: Table,
    short: Mapping[str, str] | None = None,
    most: int = MAX_ROWS,
) -> None:
    """Print a table's brief columns with its panels and note; one of more than `most` rows is cut
    after them. short: what to print for long names (`short_names`)."""

    def text(said: str, style: str = "") -> Text:
        return Text(shown(said, short or {}), style=style)

    kept = [place for place, column in enumerate(table.columns) if column.brief]
    printed = RichTable(title=text(table.title), title_justify="left", box=box.SIMPLE_HEAD)
    for column in (table.columns[place] for place in kept):
        side: JustifyMethod = "right" if column.numeric else "left"
        printed.add_column(text(column.header), justify=side, overflow="fold")
    for title, rows in table.panels(most):
        if title:
            printed.add_row(text(title, "bold"))
        for row in rows:
            printed.add_row(*(text(row[place]) for place in kept))
    console.print(printed)
    if (left := len(table.rows) - most) > 0:
        console.print(
            f"… and {counted(left, 'more row')}; all are in the files written", style="dim"
        )
    if table.note:
        console.print(text(table.note, "dim"))
    console.print()


def short_names(names: Iterable[str]) -> dict[str, str]:
    """A short form of each long name, no two the same; a name before those that are part of it."""
    found: dict[str, str] = {}
    for name in sorted(dict.fromkeys(names), key=len, reverse=True):
        if len(name) > LONGEST_NAME:
            short = f"{name[:LEFT]}…{name[-RIGHT:]}"
            same = sum(other.startswith(short) for other in found.values())
            found[name] = f"{short} ({same + 1})" if same else short
    return found


def shown(text: str, short: Mapping[str, str]) -> str:
    """A text as a terminal shows it, with the short forms of long names."""
    for name, form in short.items():
        text = text.replace(name, form)
    return displayable(text)


def print_page(console: Console, page: Path) -> None:
    """Print the address at which a browser opens a page."""
    console.print(f"Open {page.resolve().as_uri()}", soft_wrap=True, highlight=False)
