"""Settings from TOML files: what is not understood is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.errors import InputError
from grader.settings import SECTIONS, GradeSettings, load_settings
from wrappers.agents import AGENTS


def load(folder: Path, text: str) -> GradeSettings:
    path = folder / "s.toml"
    path.write_text(text)
    return load_settings(GradeSettings, "grade", path)


def test_other_sections_are_left_to_other_commands(tmp_path: Path) -> None:
    text = '[grade]\nrelative_tolerance = 0.5\n[run]\nnudge = "A"\n["my.agent"]\nx = 1\n'
    assert load(tmp_path, text).relative_tolerance == 0.5
    assert set(AGENTS) <= set(SECTIONS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[grdae]\nrelative_tolerance = 0.5\n", r"s\.toml: no command has a section \[grdae\]"),
        ("relative_tolerance = 0.5\n", r"relative_tolerance stands in no section.*\[grade\]"),
        ("[grade]\ntolerance = 0.5\n", r"\[grade\] tolerance: .*Valid settings: relative_tol"),
        ("[grade\n", "not valid TOML"),
    ],
)
def test_what_nothing_reads_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load(tmp_path, text)
