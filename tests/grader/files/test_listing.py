from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.errors import InputError
from grader.files.listing import is_pattern, matches, paths_below

NAMES = ["a.jsonl", "b.txt", ".c.jsonl", "sub/d.jsonl", "sub/deeper/e.jsonl", "_sub/f.jsonl",
         ".git/g.jsonl"]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in NAMES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "linked").symlink_to(tmp_path / "sub")
    return tmp_path


def below(folder: Path, found: list[Path]) -> list[str]:
    return [str(path.relative_to(folder)) for path in found]


def test_folders_that_are_hidden_or_links_are_not_looked_into(folder: Path) -> None:
    assert below(folder, paths_below(folder)) == [
        ".c.jsonl", ".git", "_sub", "a.jsonl", "b.txt", "linked", "sub/d.jsonl",
        "sub/deeper/e.jsonl",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.jsonl", ["a.jsonl"]),
        (".*.jsonl", [".c.jsonl"]),
        ("[ab].*", ["a.jsonl", "b.txt"]),
        ("*/?.jsonl", ["_sub/f.jsonl", "linked/d.jsonl", "sub/d.jsonl"]),
        ("*/d.jsonl", ["linked/d.jsonl", "sub/d.jsonl"]),
        ("sub/../*.txt", ["sub/../b.txt"]),
        ("**/*.jsonl", ["_sub/f.jsonl", "a.jsonl", "sub/d.jsonl", "sub/deeper/e.jsonl"]),
        ("**/**/deeper/*", ["sub/deeper/e.jsonl"]),
        ("[as]*/**/e.jsonl", ["sub/deeper/e.jsonl"]),
        ("nowhere/*", []),
        ("a.jsonl/*", []),
    ],
)
def test_a_pattern_matches_as_in_a_shell(folder: Path, pattern: str, found: list[str]) -> None:
    assert is_pattern(folder / pattern)
    assert below(folder, matches(folder / pattern)) == found


def test_a_pattern_may_be_relative(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert matches(Path("s*/*.jsonl")) == [Path("sub/d.jsonl")]


def test_a_name_with_a_bracket_is_no_pattern(tmp_path: Path) -> None:
    (tmp_path / "a[1].jsonl").touch()
    assert not is_pattern(tmp_path / "a[1].jsonl")


@pytest.mark.parametrize("form", ["", "**/*", "s*/*", "s*/d.jsonl"])
def test_a_folder_that_cannot_be_listed_is_an_error(
    folder: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("scandir", "listdir", "lstat"):
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))
    with pytest.raises(InputError, match=r"sub.*: cannot read: Permission denied"):
        matches(folder / form) if form else paths_below(folder)


def refusing(call: Callable[..., Any]) -> Callable[..., Any]:
    """The same call, which fails for a folder `sub` and in it, as if it were another user's."""

    def refuse(path: Any, *rest: Any, **more: Any) -> Any:
        if "sub" in Path(path).parts:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return call(path, *rest, **more)

    return refuse
