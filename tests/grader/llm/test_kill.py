"""A short version of the kill benchmark (`python -m tests.bench.llm_kill` for the long one)."""

from __future__ import annotations

from pathlib import Path

from tests.bench.llm_kill import trials


def test_killed_run_pays_nothing_twice_and_grades_the_same(tmp_path: Path) -> None:
    results = trials(tmp_path, times=3, count=120, seed=7)
    assert [result.paid_twice for result in results] == [0, 0, 0]
    assert all(result.on_disk <= result.after for result in results)
    assert any(result.on_disk > 0 for result in results)
