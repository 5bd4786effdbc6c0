"""The commands in README.md work as written, in order, in a fresh folder."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from grader.cli import main
from tests.shared_data import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    line
    for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    for line in block.splitlines()
    if line.startswith("grader ") and "--web" not in line
]


def test_every_path_has_its_commands() -> None:
    named = {command.split()[1] for command in COMMANDS}
    assert {"grade", "report", "stress", "export", "labels", "calibrate", "run", "compare"} <= named


def test_the_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    monkeypatch.chdir(tmp_path)
    for command in COMMANDS:
        # 1: some transcripts of the demo run cannot be graded before their nudge
        assert main(shlex.split(command)[1:]) in (0, 1), command
    assert (tmp_path / "runs/demo/report/index.html").is_file()


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)", README):
        assert (ROOT / target).exists(), target


def test_the_notebook_examples_hold() -> None:
    from grader import extract, grade, verify

    block = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert block is not None
    names = {"extract": extract, "grade": grade, "verify": verify}
    for line in block[1].splitlines():
        code, _, expected = line.partition("#")
        if re.match(r"(extract|grade|verify)\(", code):
            value = eval(code, names)
            assert repr(value) in expected
