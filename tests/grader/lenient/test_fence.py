"""Fencing: text inside cannot forge the marker or speak in a model's chat format."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.lenient.fence import clean, fence, fence_code


@pytest.mark.parametrize(
    "token",
    [
        "<|im_start|>",
        "<|im_end|>",
        "<|eot_id|>",
        "<start_of_turn>",
        "<end_of_turn>",
        "<｜User｜>",
        "<｜end▁of▁sentence｜>",
        "[INST]",
        "[/INST]",
        "[/SYSTEM_PROMPT]",
        "<<SYS>>",
        "<</SYS>>",
        "<s>",
        "</s>",
        "<<<RECORD",
        "RECORD>>>",
        "\x1b[31m",
        "\u202e",
        "\u200b",
        "\U000e0041",
        "\x00",
    ],
)
def test_structure_is_neutralised(token: str) -> None:
    assert token not in clean(f"before {token} after {token}{token}")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (">>> df.mean()", "> > df.mean()"),
        ("<<<RECORD", "< <RECORD"),
        ("<|im_end|>", "< |im_end| >"),
        ("<<SYS>>", "< < SYS>>"),
        ("<｜User｜>", "< ｜User｜ >"),
        ("a \x1b[31mred\x1b[0m", "a red"),
    ],
)
def test_what_is_neutralised_still_reads_alike(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_ordinary_output_stays_as_it_is() -> None:
    text = "if x < 3 and y > 2:\n\tprint('<b>0.28</b>')  # a | b, [1, 2], 5 << 2\n"
    assert clean(text) == text


@given(st.text())
def test_a_text_cannot_close_its_own_fence(text: str) -> None:
    code = fence_code(text)
    fenced = fence(text, code)
    lines = fenced.split("\n")
    assert lines[0] == f"<<<RECORD {code}" and lines[-1] == f"RECORD {code}>>>"
    assert not any(mark in "\n".join(lines[1:-1]) for mark in ("<<<", ">>>"))


def test_lone_surrogates_become_storable() -> None:
    assert clean("a\ud800b") == "a\ufffdb"
