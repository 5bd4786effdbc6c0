"""Grades of other rules are not taken for those of these."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader import __version__, code_version
from grader.cli import main
from tests.shared_data import FIXTURES


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "extraction/rules").mkdir(parents=True)
    (tmp_path / "extraction/rules/one.py").write_text("RULE = 1\n")
    (tmp_path / "cli").mkdir()
    monkeypatch.setattr(code_version, "_PACKAGE", tmp_path)
    return tmp_path


def version() -> str:
    return code_version.code_version.__wrapped__()


def test_a_changed_rule_is_another_version(package: Path) -> None:
    before = version()
    assert before.startswith(f"{__version__}+")
    (package / "cli/grade.py").write_text("a command decides no grade\n")
    assert version() == before
    (package / "extraction/rules/one.py").write_text("RULE = 2\n")
    assert version() != before


def test_a_moved_rule_is_another_version(package: Path) -> None:
    before = version()
    (package / "extraction/rules/one.py").rename(package / "extraction/one.py")
    assert version() != before


def test_without_sources_the_version_is_that_of_the_package(package: Path) -> None:
    (package / "extraction/rules/one.py").unlink()
    assert version() == __version__


def test_a_run_graded_by_other_rules_is_graded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = str(tmp_path / "run")
    grade = ["grade", run, "--lenient", "off", "--json"]
    main(["grade", str(FIXTURES / "transcripts.jsonl"), "--run", run, "--lenient", "off"])
    capsys.readouterr()
    assert main(grade) == 0
    assert json.loads(capsys.readouterr().out)["graded_now"] == 0
    monkeypatch.setattr("grader.passes.plan.code_version", lambda: f"{__version__}+0")
    assert main(grade) == 0
    assert json.loads(capsys.readouterr().out)["graded_now"] == 4 * 60
