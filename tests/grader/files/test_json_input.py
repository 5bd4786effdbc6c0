from __future__ import annotations

from pathlib import Path

import pytest

from grader.errors import InputError
from grader.files.json_input import as_text, check_encoding, parse_json
from grader.readers import from_native


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


@pytest.mark.parametrize("depth", [600, 900])
def test_what_is_nested_too_deeply_to_be_written_is_an_empty_text(depth: int) -> None:
    for opening, closing in (("[", "]"), ('{"a":', "}")):
        value = parse_json(opening * depth + "3" + closing * depth)
        assert as_text(value) in ("", opening.replace(":", ": ") * depth + "3" + closing * depth)
        record = {"transcript_id": "a", "messages": [{"role": "assistant", "content": value}]}
        assert from_native({**record, "ground_truth": value}).transcript_id == "a"
