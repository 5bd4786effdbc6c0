"""The fuzzer's corpus, replayed, and its checks under hypothesis' own inputs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.numbers import find_numbers, parse_number
from grader.records import Transcript
from tests.fuzz.target import check_input, check_transcript, transcript_of
from tests.strategies import number_literals, outputs, transcripts

CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_corpus_file(path: Path) -> None:
    check_input(path.read_bytes())


@given(transcripts())
@settings(max_examples=80, deadline=None)
def test_any_transcript_is_graded(transcript: Transcript) -> None:
    assert len(check_transcript(transcript)) == 4


@given(st.binary(max_size=300))
@settings(max_examples=80, deadline=None)
def test_any_bytes_are_graded(data: bytes) -> None:
    check_input(data)


@given(st.text(st.characters(exclude_categories=[]), max_size=200), outputs())
@settings(max_examples=80, deadline=None)
def test_any_text_is_graded(question: str, output: str) -> None:
    raw = f"\x00{question}\n0.25\n{output}".encode(errors="surrogatepass")
    check_transcript(transcript_of(raw))


@given(number_literals())
@settings(max_examples=200, deadline=None)
def test_number_literals_neither_raise_nor_disagree(literal: str) -> None:
    """A literal that is read as a whole is also found in running text, with the same value."""
    whole = parse_number(literal)
    found = find_numbers(f"It is {literal} here")
    if whole is not None and literal[0].isascii() and literal[0].isdigit():
        assert any(number.value == whole.value for number in found)
