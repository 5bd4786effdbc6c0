from __future__ import annotations

from grader.files.json_input import parse_json


def test_an_integer_of_very_many_digits_is_a_text() -> None:
    """Python refuses to read it as an integer; the rest of its record is still read."""
    digits = "9" * 5000
    assert parse_json(f'{{"a": {digits}, "b": 12, "c": -3}}') == {"a": digits, "b": 12, "c": -3}
