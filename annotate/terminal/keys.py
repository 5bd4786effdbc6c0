"""Keys and lines of text from a terminal."""

from __future__ import annotations

import codecs
import os
import select
import sys
from types import TracebackType
from typing import Any

from rich.cells import cell_len
from rich.console import Console

from grader.errors import UserError
from grader.invisible import one_line

QUIT = "q"
ESCAPE, END, ERASE_ALL = "\x1b", "\x04", "\x15"
ENTER, ERASE = ("\r", "\n"), ("\x7f", "\b")
ARROWS = {"C": "j", "D": "k", "A": "b", "B": " "}
ESCAPE_SECONDS = 0.05  # the rest of an arrow key follows at once; after Escape nothing does


def check_terminal() -> None:
    """Raise `UserError` unless both input and output are a terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UserError("--terminal needs a terminal; use --web, or run it in one")


class Keyboard:
    """The keyboard of the terminal, read key by key. Inside its context keys are not echoed and
    need no Enter. Keys that arrive together wait here until asked for."""

    def __init__(self, console: Console) -> None:
        self._console, self._terminal = console, sys.stdin.fileno()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._waiting = ""
        self._before: list[Any] = []

    def __enter__(self) -> Keyboard:
        import termios
        import tty

        self._before = termios.tcgetattr(self._terminal)
        tty.setcbreak(self._terminal)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        import termios

        termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._before)

    def key(self) -> str:
        """The next key: an arrow as the letter that does the same, the end of input as `QUIT`, and
        "" for Escape and other keys without a character."""
        pressed = self._pressed()
        if pressed.startswith(ESCAPE):
            return ARROWS.get(pressed[-1], "")
        return QUIT if pressed == END else pressed

    def ask(self, prompt: str, text: str = "") -> str | None:
        """A line of text, edited from `text`; None after Escape, Ctrl-C or the end of input. Input
        that arrived together with Enter is dropped: the second line of a pasted note must not act
        as keys."""
        self._console.show_cursor(show=True)
        try:
            while (pressed := self._shown_and_pressed(prompt, text)) not in ENTER:
                if pressed in (ESCAPE, END):
                    return None
                text = edited(text, pressed)
            return text.strip()
        except KeyboardInterrupt:
            return None
        finally:
            self._drop()
            self._console.show_cursor(show=False)

    def _shown_and_pressed(self, prompt: str, text: str) -> str:
        """Show the end of the line as far as it fits, and wait for a key."""
        shown = one_line(text) + (" " if text.endswith(" ") else "")
        while shown and cell_len(prompt + shown) >= self._console.width:
            shown = shown[1:]
        self._console.file.write(f"\r{ESCAPE}[K{prompt}{shown}")
        self._console.file.flush()
        return self._pressed()

    def _pressed(self) -> str:
        """A character, or the whole sequence that a key sends after an escape character."""
        pressed = self._character()
        if pressed != ESCAPE:
            return pressed
        lead = self._character(ESCAPE_SECONDS)
        if lead not in ("[", "O"):
            self._waiting = lead + self._waiting
            return ESCAPE
        pressed += lead
        while following := self._character(ESCAPE_SECONDS):
            pressed += following
            if "@" <= following <= "~":
                break
        return pressed

    def _character(self, seconds: float | None = None) -> str:
        """The next character, `END` where input ends, or "" if none comes within `seconds`."""
        while not self._waiting:
            if seconds is not None and not select.select([self._terminal], [], [], seconds)[0]:
                return ""
            data = os.read(self._terminal, 4096)
            self._waiting = self._decoder.decode(data) if data else END
        first, self._waiting = self._waiting[0], self._waiting[1:]
        return first

    def _drop(self) -> None:
        import termios

        self._waiting = ""
        termios.tcflush(self._terminal, termios.TCIFLUSH)


def edited(text: str, pressed: str) -> str:
    """A line of text after a key: erased by Backspace, all of it by Ctrl-U."""
    if pressed in ERASE:
        return text[:-1]
    if pressed == ERASE_ALL:
        return ""
    return text + pressed if pressed.isprintable() else text
