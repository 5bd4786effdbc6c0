"""What every command prints."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from rich.console import Console


class _Piped(Console):
    """A console for which a reader that closes the output is an error, as for any other writing;
    rich ends the program there."""

    def on_broken_pipe(self) -> None:
        raise


def print_json(summary: Mapping[str, Any]) -> None:
    """Print the summary of a command (`--json`) on stdout, as one line."""
    sys.stdout.write(json.dumps(summary) + "\n")


def stdout_console() -> Console:
    """A console for the tables of a command. Raises `BrokenPipeError` if the reader of the output
    closes it."""
    return _Piped()
