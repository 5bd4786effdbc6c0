"""The terminal that commands print their tables to."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from .invisible import displayable


class _Piped(Console):
    """A console that shows invisible characters by their code, and for which a reader that closes
    the output is an error, as for any other writing; rich ends the program there."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Everything that is printed comes through here, a table before its cells are measured."""
        return super().render(_displayable(renderable), options)

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


def stdout_console() -> Console:
    """A console on stdout. Raises `BrokenPipeError` if the reader of the output closes it."""
    return _Piped()
