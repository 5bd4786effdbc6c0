"""Lines of any length, in pieces of any size."""

from __future__ import annotations

import time

import pytest

from wrappers.lines import Lines


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_pieces_make_lines(size: int) -> None:
    text, lines = b"one\n\nthree\nrest", Lines()
    found = []
    for start in range(0, len(text), size):
        lines.add(text[start : start + size])
        while (line := lines.take()) is not None:
            found.append(line)
    assert found == [b"one", b"", b"three"]
    lines.add(b"\n")
    assert lines.take() == b"rest"


def test_the_time_for_a_line_grows_with_its_length_only() -> None:
    """A line of 128 MB, in the pieces that a pipe gives."""
    piece, lines = b"x" * (1 << 16), Lines()
    began = time.process_time()
    for _ in range(2048):
        lines.add(piece)
        assert lines.take() is None
    lines.add(b"\n")
    line = lines.take()
    assert line is not None and len(line) == 1 << 27
    assert time.process_time() - began < 5
