"""The terminal that commands print their tables to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.measure import Measurement
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Text

from .invisible import displayable

_LONG_WORD = 20  # longer ones are broken where a column allows it
_ENDLESS = 100_000  # columns of a terminal in which all fits


class _Piped(Console):
    """A console that shows invisible characters by their code, and all of a table however narrow it
    is. A reader that closes the output is an error, as for any other writing; rich ends the program
    there."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Everything that is printed comes through here, a table before its cells are measured."""
        shown = _displayable(renderable)
        if isinstance(shown, Table):
            shown = _fitted(self, shown, (options or self.options).max_width)
        return super().render(shown, options)

    def on_broken_pipe(self) -> None:
        raise


def _displayable(renderable: RenderableType) -> RenderableType:
    if isinstance(renderable, str):
        return displayable(renderable)
    if isinstance(renderable, Text):
        text = renderable.copy()
        text.plain = displayable(text.plain)
        return text
    if isinstance(renderable, Table):
        for column in renderable.columns:
            column.header = _displayable(column.header)
            column._cells[:] = map(_displayable, column.cells)
    return renderable


def _fitted(console: Console, table: Table, width: int) -> RenderableType:
    """A table that is too wide with columns that break between words, headers first, numbers last;
    if they are too wide even so, its rows one by one. (rich would cut words, and leave columns
    out.)"""
    if _measured(console, table).maximum <= width:
        return table
    paddings = (table._get_padding_width(place) for place in range(len(table.columns)))
    room = width - table._extra_width - sum(paddings)
    for whole_numbers in (True, False):
        ranges = [_range(console, column, whole_numbers) for column in table.columns]
        if sum(least for least, _ in ranges) <= room:
            for column, found in zip(table.columns, _shared_out(ranges, room), strict=True):
                column.width, column.no_wrap = found, False
            return table
    return Group(*_row_by_row(console, table))


def _range(console: Console, column: Column, whole_numbers: bool) -> tuple[int, int]:
    """The least width of a column, and the width in which its cells, but not its header, are
    whole."""
    header = _measured(console, column.header).minimum
    cells = [_measured(console, cell) for cell in column.cells]
    is_whole = whole_numbers and (column.no_wrap or column.justify == "right")
    least = max(header, *(cell.maximum if is_whole else cell.minimum for cell in cells), 1)
    most = max(header, *(cell.maximum for cell in cells), 1)
    if column.overflow == "fold":
        least = min(least, _LONG_WORD)
    return least, max(least, min(most, column.max_width or most))


def _measured(console: Console, what: RenderableType) -> Measurement:
    return Measurement.get(console, console.options.update(width=_ENDLESS), what)


def _shared_out(ranges: list[tuple[int, int]], room: int) -> list[int]:
    """A width within each range, in sum `room`: the widest columns give way first."""
    widths = [most for _, most in ranges]
    while sum(widths) > room:
        wide = (place for place, (least, _) in enumerate(ranges) if widths[place] > least)
        widths[max(wide, key=widths.__getitem__)] -= 1
    return widths


def _row_by_row(console: Console, table: Table) -> Iterator[RenderableType]:
    """A table's title, the first cell of each row with the other ones below it, and its caption."""

    def line(cell: RenderableType, between: str) -> str:
        text = cell if isinstance(cell, Text) else console.render_str(str(cell))
        return between.join(text.plain.splitlines())

    if table.title:
        yield table.title
    headers = [line(column.header, " ") for column in table.columns]
    for cells in zip(*(column.cells for column in table.columns), strict=True):
        first, *others = (line(cell, ", ") for cell in cells)
        yield Text(first, "bold")
        named = zip(headers[1:], others, strict=True)
        if said := " · ".join(f"{header} {cell}" for header, cell in named if cell):
            yield Padding(Text(said), (0, 0, 0, 2))
    if table.caption:
        yield table.caption


def stdout_console() -> Console:
    """A console on stdout. Raises `BrokenPipeError` if the reader of the output closes it."""
    return _Piped()
