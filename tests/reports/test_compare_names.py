"""The folders of comparisons."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.cli import main
from reports.compare_cli import _folder_of, _slug_of_its_own

from .published import write_published_run


@pytest.mark.parametrize(
    ("one", "other"), [("数据", "模型"), ("run ä", "run ö"), ("a" * 50, "a" * 51), ("x", "y")]
)
def test_different_names_have_different_folders(one: str, other: str) -> None:
    assert _slug_of_its_own(one) != _slug_of_its_own(other)
    assert _slug_of_its_own(one).isascii()


def test_a_plain_name_stays() -> None:
    assert _slug_of_its_own("agent, mode B") == "agent-mode-B"


def test_runs_of_the_same_name_have_different_folders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, *others = (
        str(write_published_run(tmp_path / place / "run", "B").path)
        for place in ("base", "spring", "autumn")
    )
    pages = set()
    for other in others:
        assert main(["compare", first, other, "--json"]) == 0
        summary = json.loads(capsys.readouterr().out)
        assert summary["runs"] == ["base/run", f"{Path(other).parent.name}/run"]
        pages.add(summary["page"])
    assert len(pages) == 2 and all(Path(page).is_file() for page in pages)


def test_many_long_names_make_a_folder_that_can_be_made() -> None:
    names = [letter * 300 for letter in "abcdefgh"]
    assert len(_folder_of(names)) < 200
    assert _folder_of(names) != _folder_of([*names[:-1], "i" * 300])
    assert _folder_of(["mode B"]) == "compare-mode-B"
    assert _folder_of([]) == "compare-repeats"
