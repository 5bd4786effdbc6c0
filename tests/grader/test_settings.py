"""Settings from TOML files: what is not understood is refused."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from grader.errors import InputError
from grader.settings import GradeSettings, load_settings, settings_of_run
from tests.shared_data import ROOT


def load(folder: Path, text: str) -> GradeSettings:
    path = folder / "s.toml"
    path.write_text(text)
    return load_settings(GradeSettings, "grade", path)


def test_other_sections_are_left_to_other_commands(tmp_path: Path) -> None:
    text = '[grade]\nrelative_tolerance = 0.5\n[run]\nnudge = "A"\n[agent."my.agent"]\nx = 1\n'
    assert load(tmp_path, text).relative_tolerance == 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[grdae]\nrelative_tolerance = 0.5\n", r"s\.toml: no command has a section \[grdae\]"),
        ("relative_tolerance = 0.5\n", r"relative_tolerance is outside any section.*\[grade\]"),
        ("[grade]\ntolerance = 0.5\n", r"\[grade\] tolerance: .*Valid settings: relative_tol"),
        ("[grade]\nrelative_tolerance = 3\n", r"relative_tolerance: a share.*: 0\.03 is 3 %"),
        ("[grade]\nrelative_tolerance = -1\n", "relative_tolerance: .*greater than or equal to 0"),
        ("[grade]\nregion_threshold = inf\n", r"\[grade\] region_threshold: .*finite number"),
        ("[grade]\nabsolute_at_zero = nan\n", r"\[grade\] absolute_at_zero: .*(finite|or equal)"),
        ("[grade]\nmax_candidates = true\n", r"\[grade\] max_candidates: .*valid integer"),
        ('[grade]\nrelative_tolerance = "0.05"\n', r"relative_tolerance: .*valid number"),
        ("[grade\n", "not valid TOML"),
        ("[chat]\nmodel = 'm'\n", r"no command has a section \[chat\].*\[agent\.NAME\]"),
        ("[agent]\nmodel = 'm'\n", r"agent\.model is not a section"),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load(tmp_path, text)


def test_a_pipe_is_refused_for_a_second_reading_would_find_it_empty() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as end:
        end.write("[grade]\nrelative_tolerance = 0.5\n")
    with os.fdopen(reading), pytest.raises(InputError, match=r"a pipe\. Write its output to a"):
        load_settings(GradeSettings, "grade", Path(f"/dev/fd/{reading}"))


def test_what_a_file_leaves_open_is_as_the_base_has_it(tmp_path: Path) -> None:
    base = GradeSettings(max_candidates=1, relative_tolerance=0.1)
    path = tmp_path / "s.toml"
    path.write_text("[grade]\nrelative_tolerance = 0.5\n")
    found = load_settings(GradeSettings, "grade", path, base)
    assert (found.max_candidates, found.relative_tolerance) == (1, 0.5)
    assert load_settings(GradeSettings, "grade", None, base) == base


@pytest.mark.parametrize(
    "manifest", [{}, {"run_settings": None}, {"run_settings": {"grading": {"unknown": 1}}}]
)
def test_a_manifest_may_state_no_settings(manifest: dict[str, object]) -> None:
    assert settings_of_run(manifest) is None


@pytest.mark.parametrize("package", ["annotate", "grader", "reports", "wrappers"])
def test_defaults_are_given_by_name(package: str) -> None:
    """Given by place, a type checker without pydantic's plugin takes the setting for required."""
    files = (ROOT / package).rglob("*.py")
    by_place = [
        (file.name, call.lineno)
        for file in files
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "Field" and call.args
    ]
    assert by_place == []


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text("[grade]\nmax_candidates = 5\n", encoding="utf-8-sig")
    assert load_settings(GradeSettings, "grade", path).max_candidates == 5
