"""A long output: what is kept of it."""

from __future__ import annotations

import pytest

from wrappers.output import MAX_OUTPUT, Ends


@pytest.mark.parametrize("size", [1, 7, 1000, 99_999, 250_000])
def test_of_a_long_output_both_ends_are_kept(size: int) -> None:
    text = "".join(f"{i:06d}," for i in range(100_000))
    ends = Ends()
    for start in range(0, len(text), size):
        ends.add(text[start : start + size])
    first, _, rest = ends.text().partition("\n[... ")
    left_out, _, last = rest.partition(" characters left out ...]\n")
    assert text.startswith(first) and text.endswith(last)
    assert len(first) == len(last) == MAX_OUTPUT // 2
    assert int(left_out) == len(text) - MAX_OUTPUT
