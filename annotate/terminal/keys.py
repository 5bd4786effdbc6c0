"""Keys and lines of text from a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from grader.errors import UserError

QUIT = "q"
ARROWS = {"[C": "j", "[D": "k", "[A": "b", "[B": " "}


def check_terminal() -> None:
    """Raises `UserError` if input or output is no terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UserError("--terminal needs a terminal; use --web, or run it in one")


def read_key() -> str:
    """The next key inside `single_keys`: an arrow as the letter that does the same, the end of
    input as `QUIT`."""
    key = sys.stdin.read(1)
    if key in ("", "\x03", "\x04"):
        return QUIT
    if key == "\x1b":
        return ARROWS.get(sys.stdin.read(2), "")
    return key


def ask(console: Console, prompt: str) -> str:
    """One line of text inside `single_keys`, with the terminal's own editing."""
    with _line_input():
        console.show_cursor(True)
        try:
            return console.input(prompt, markup=False).strip()
        except (EOFError, KeyboardInterrupt):
            return ""
        finally:
            console.show_cursor(False)


@contextmanager
def single_keys() -> Iterator[None]:
    """Keys arrive one at a time and are not echoed."""
    import termios
    import tty

    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


@contextmanager
def _line_input() -> Iterator[None]:
    """Inside `single_keys`: back to whole lines with echo."""
    import termios

    before = termios.tcgetattr(sys.stdin)
    lines = termios.tcgetattr(sys.stdin)
    lines[3] |= termios.ICANON | termios.ECHO
    termios.tcsetattr(sys.stdin, termios.TCSADRAIN, lines)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
