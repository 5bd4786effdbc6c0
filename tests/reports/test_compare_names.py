"""The folders of comparisons."""

from __future__ import annotations

import pytest

from reports.compare_cli import _slug_of_its_own


@pytest.mark.parametrize(
    ("one", "other"), [("数据", "模型"), ("run ä", "run ö"), ("a" * 50, "a" * 51), ("x", "y")]
)
def test_different_names_have_different_folders(one: str, other: str) -> None:
    assert _slug_of_its_own(one) != _slug_of_its_own(other)
    assert _slug_of_its_own(one).isascii()


def test_a_plain_name_stays() -> None:
    assert _slug_of_its_own("agent, mode B") == "agent-mode-B"
