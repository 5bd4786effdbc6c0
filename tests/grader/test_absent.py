from __future__ import annotations

import pytest

from grader.absent import is_empty_cell, is_no_answer


@pytest.mark.parametrize(
    ("text", "is_cell", "is_answer"),
    [
        ("", True, True),
        (" NA ", True, True),
        ("#N/A", True, True),
        ("nan", True, True),
        ("None", True, True),
        ("none", False, True),
        ("na", False, True),
        ("NAN", False, True),
        ("-", False, True),
        ("?", False, True),
        ("+", False, False),
        ("0", False, False),
        ("undefined", False, False),
        ("Nano", False, False),
    ],
)
def test_what_stands_for_no_value(text: str, is_cell: bool, is_answer: bool) -> None:
    assert (is_empty_cell(text), is_no_answer(text)) == (is_cell, is_answer)
