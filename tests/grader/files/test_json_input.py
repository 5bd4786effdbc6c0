from __future__ import annotations

from pathlib import Path

import pytest

from grader.errors import InputError
from grader.files.json_input import check_encoding, parse_json


def test_an_integer_of_very_many_digits_is_a_text() -> None:
    """Python refuses to read it as an integer; the rest of its record is still read."""
    digits = "9" * 5000
    assert parse_json(f'{{"a": {digits}, "b": 12, "c": -3}}') == {"a": digits, "b": 12, "c": -3}


@pytest.mark.parametrize(
    ("beginning", "problem"),
    [
        (b"\x00\x01\x02\x03", "binary data"),
        (b"A\x00\x02\x03", "binary data"),
        ("[1]".encode("utf-16"), "written in UTF-16"),
        ("[\n1]".encode("utf-16-be"), "written in UTF-16"),
        ("[1]".encode("utf-32-le"), "written in UTF-32"),
    ],
)
def test_binary_data_are_no_text_in_another_encoding(beginning: bytes, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        check_encoding(Path("a.json"), beginning)
