"""A progress bar on stderr."""

from __future__ import annotations

from rich.console import Console
from rich.progress import Progress, ProgressColumn


def progress_bar(*columns: ProgressColumn) -> Progress:
    """A bar that vanishes when done; silent where stderr is no terminal. Without columns it has
    rich's own."""
    console = Console(stderr=True)
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
