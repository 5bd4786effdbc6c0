from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.text.list_items import labelled_items


def labels(text: str) -> list[tuple[str, str]]:
    return [(label, in_full) for _, label, in_full in labelled_items(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("- Urban: 0.22\n- Rural: 0.24", [("Urban", "Urban"), ("Rural", "Rural")]),
        ("1. **By age**\n   - Young: 5\n   - Old: 6",
         [("Young", "By age Young"), ("Old", "By age Old")]),
        ("1. **By age**\n   - Young: 5\n2. **By sex**\n   - Men: 6",
         [("Young", "By age Young"), ("Men", "By sex Men")]),
        ("- A\n  - B\n    - C: 1\n  - D: 2\n- E: 3", [("C", "A B C"), ("D", "A D"), ("E", "E")]),
        ("- **Bold:** 5", [("**Bold", "**Bold")]),  # markup stays
        ("- Group means:\n  - Men: 6", [("Men", "Group means Men")]),
        ("- a sentence of more than sixty characters, which is no heading of the items below it\n"
         "  - Men: 6", [("Men", "Men")]),
        ("No list: 5\nAnother line: 6", []),
        ("", []),
    ],
)  # fmt: skip
def test_labels_in_full(text: str, found: list[tuple[str, str]]) -> None:
    assert labels(text) == found


@given(st.text(alphabet="-* 1.:\n\tab", max_size=200))
def test_an_item_begins_where_it_says(text: str) -> None:
    for start, label, in_full in labelled_items(text):
        assert start == 0 or text[start - 1] == "\n"
        assert label in text[start:].partition("\n")[0]
        assert in_full.endswith(label)
