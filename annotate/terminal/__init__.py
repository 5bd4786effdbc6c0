"""The labelling session in a terminal, for ssh: the same keys as the page."""

from .session import (
    Ask,
    TerminalSession,
    run_terminal,
)

__all__ = [
    "Ask",
    "TerminalSession",
    "run_terminal",
]
