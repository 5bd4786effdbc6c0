from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grader.errors import UserError
from grader.files.locking import locked


def test_a_lock_is_held_once(tmp_path: Path) -> None:
    place = tmp_path / ".lock"
    with locked(place), pytest.raises(BlockingIOError), locked(place):
        pass
    with locked(place):
        pass


def test_a_waiting_process_gets_the_lock(tmp_path: Path) -> None:
    counts: list[int] = []

    def count(_: int) -> None:
        with locked(tmp_path / ".lock", wait=True):
            counts.append(len(counts))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(count, range(20)))
    assert counts == list(range(20))


def test_a_lock_that_cannot_be_made_is_a_user_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot write"), locked(tmp_path / "none/.lock"):
        pass


def test_a_system_without_such_locks_is_a_user_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with pytest.raises(UserError, match="needs Linux or macOS"), locked(tmp_path / ".lock"):
        pass
