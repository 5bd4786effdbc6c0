"""The commands of the package's README run as they stand there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import reports
from grader.cli import main
from reports.contents import SECTIONS
from reports.figures import FIGURES
from reports.tables import TABLES

from .published import write_published_run

README = Path(reports.__file__).with_name("README.md")
COMMANDS = [
    line
    for block in re.findall(r"```sh\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    for line in block.splitlines()
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("readme")
    for name, mode in (("a", "A"), ("b", "B")):
        write_published_run(made / "runs" / name, mode)
    return made


def test_it_has_commands() -> None:
    assert len(COMMANDS) >= 3


@pytest.mark.parametrize("command", COMMANDS)
def test_command(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    program, *arguments = shlex.split(command)
    assert program == "grader"
    may_fail = "--max-false-pass" in arguments  # 1: more than that
    assert main(arguments) in ((0, 1) if may_fail else (0,))


def test_every_file_it_names_exists() -> None:
    named = re.findall(r"^\| (.*?) \|", README.read_text(encoding="utf-8"), re.MULTILINE)
    files = [name for cell in named for name in re.findall(r"`([a-z_./]+)`", cell)]
    assert len(files) > 15
    for name in files:
        assert (README.parent / name).exists(), name


def test_every_table_and_figure_has_a_section() -> None:
    shown = {name for row in SECTIONS for name in (*row.pictures, *row.tables)}
    assert shown == {*TABLES, *FIGURES} - {"transcripts"}
