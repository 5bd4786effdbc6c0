"""The terminal that commands print their tables to."""

from __future__ import annotations

from rich.console import Console


class _Piped(Console):
    """A console for which a reader that closes the output is an error, as for any other writing;
    rich ends the program there."""

    def on_broken_pipe(self) -> None:
        raise


def stdout_console() -> Console:
    """A console on stdout. Raises `BrokenPipeError` if the reader of the output closes it."""
    return _Piped()
