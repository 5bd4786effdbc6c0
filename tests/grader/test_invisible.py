"""The table of characters that nobody sees, and its uses."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from grader.invisible import HIDDEN, INVISIBLE, UNSHOWABLE, displayable, one_line
from grader.lenient.fence import clean

# Format characters with a mark of their own: Arabic and Syriac number signs, hieroglyph joiners.
DRAWN = {
    *range(0x0600, 0x0606), 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD,
    *range(0x13430, 0x13440),
}  # fmt: skip


def test_every_format_character_that_is_not_drawn_is_in_the_table() -> None:
    formats = {c for c in range(sys.maxunicode + 1) if unicodedata.category(chr(c)) == "Cf"}
    missed = {hex(c) for c in formats - DRAWN if not HIDDEN.match(chr(c))}
    assert missed == set()


def test_the_ranges_are_in_order_and_leave_plain_text_alone() -> None:
    edges = [edge for first, last, _ in INVISIBLE for edge in (first, last)]
    assert edges == sorted(edges)
    text = "a\tb\nécart − 0,5 ٣ 数 \u00a0\u2009 ⚠\ufe0f e\u0301"
    assert not UNSHOWABLE.search(text)


@pytest.mark.parametrize("first", [first for first, _, _ in INVISIBLE])
def test_none_of_them_is_shown_or_sent(first: int) -> None:
    text = f"1{chr(first)}2"
    assert displayable(text) == f"1⟨U+{first:04X}⟩2"
    assert clean(text) == "12"


def test_what_cannot_be_seen_is_made_visible() -> None:
    assert displayable("a\x1b[31m\u202eb\r\nc\x00\ud800") == "a␛[31m⟨U+202E⟩b\nc␀\ufffd"
    assert displayable("tab\tend\rnext\x7f\n") == "tab\tend\nnext␡\n"
    assert one_line(" a\r\n\tb\x07 ") == "a b␇"
