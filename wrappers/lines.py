"""The lines of a stream that arrives in pieces."""

from __future__ import annotations


class Lines:
    """Takes pieces in and gives lines out. A line may have any length: only what is new of it is
    searched for its end."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._searched = 0  # bytes at the beginning that hold no line's end

    def add(self, piece: bytes) -> None:
        """Append what has arrived."""
        self._kept += piece

    def take(self) -> bytes | None:
        """The first line, without its end, which is then gone. None if none is complete."""
        end = self._kept.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._kept)
            return None
        line = bytes(self._kept[:end])
        del self._kept[: end + 1]
        self._searched = 0
        return line
