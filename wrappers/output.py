"""What is kept of an output of any length."""

from __future__ import annotations

MAX_OUTPUT = 200_000  # characters kept of one output


class Ends:
    """The beginning and the end of a text of any length, in bounded memory."""

    def __init__(self) -> None:
        self._first = self._last = ""
        self._left_out = 0

    def add(self, text: str) -> None:
        """Append a text."""
        room, half = MAX_OUTPUT // 2 - len(self._first), MAX_OUTPUT // 2
        self._first += text[:room]
        self._last += text[room:]
        if (surplus := len(self._last) - half) > half:  # not at every text
            self._left_out += surplus
            self._last = self._last[surplus:]

    def text(self) -> str:
        """What is kept, and where something is left out, how much."""
        surplus = max(len(self._last) - MAX_OUTPUT // 2, 0)
        if not self._left_out + surplus:
            return self._first + self._last
        left_out = self._left_out + surplus
        return f"{self._first}\n[... {left_out} characters left out ...]\n{self._last[surplus:]}"
