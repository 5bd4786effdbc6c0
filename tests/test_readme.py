"""The commands in README.md work as written, in order, in a fresh folder."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pandas as pd
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


ENDS_WITH_1 = "grader grade runs/a --lenient off"  # one of its transcripts is ungraded


def test_every_path_has_its_commands() -> None:
    assert ENDS_WITH_1 in COMMANDS
    named = {command.split()[1] for command in COMMANDS}
    assert {"grade", "report", "stress", "export", "labels", "calibrate", "run", "compare"} <= named


def test_the_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    monkeypatch.chdir(tmp_path)
    for command in COMMANDS:
        assert main(shlex.split(command)[1:]) == (command == ENDS_WITH_1), command
    assert (tmp_path / "runs/demo/report/index.html").is_file()


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_links_lead_somewhere(name: str) -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)", (ROOT / name).read_text(encoding="utf-8")):
        assert (ROOT / target).exists(), target


def test_extras_are_named_in_one_way() -> None:
    """Messages and pages name extras that there are; the README lists all that users install."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = set(project["optional-dependencies"])
    texts = [
        path.read_text(encoding="utf-8")
        for package in ("grader", "wrappers", "annotate", "reports")
        for path in (ROOT / package).rglob("*")
        if path.suffix in (".py", ".md")
    ]
    named = {name for text in texts for name in re.findall(r"grading-cascade\[(\w+)\]", text)}
    assert named == {"postgres", "ray", "lambda"}
    listed = re.search(r"Extras,.*?\n\n", README, re.DOTALL)
    assert listed is not None
    shown = set(re.findall(r"`(\w+)`\s\(", listed[0]))
    assert named <= shown == extras - {"test", "lint", "fuzz", "bench"}


def test_the_notebook_examples_hold() -> None:
    """After `# ` stands the value, or its type, up to a comma."""
    block = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert block is not None
    columns = {"output": ["It is 0.41."], "truth": ["0.4"], "question": ["What is the share?"]}
    names: dict[str, object] = {"frame": pd.DataFrame(columns)}
    imports, *examples = filter(None, block[1].splitlines())
    exec(imports, names)
    assert len(examples) == 5
    for line in examples:
        code, _, comment = line.partition("  # ")
        value = eval(code, names)
        assert comment.split(", ")[0] in (repr(value), type(value).__name__), line
