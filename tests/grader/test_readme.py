"""The maps in the package's README."""

from __future__ import annotations

import re
from pathlib import Path

import grader

README = Path(grader.__file__).with_name("README.md")
PARTS = (
    "text",
    "extraction",
    "extraction/question",
    "extraction/evidence",
    "extraction/rules",
    "extraction/mentions",
    "extraction/options",
    "extraction/words",
    "readers",
    "tasks",
    "passes",
    "run",
    "files",
    "integrations",
)


def modules(folder: Path) -> set[str]:
    """The modules and packages in a folder."""
    files = {path.name for path in folder.glob("[!_]*.py")}
    return files | {f"{path.parent.name}/" for path in folder.glob("*/__init__.py")}


def test_the_map_names_every_module_and_nothing_else() -> None:
    map_of_all = README.read_text(encoding="utf-8").partition("Inside them (")[0]
    rows = re.findall(r"^\| (`.*?) \| \S", map_of_all, re.MULTILINE)
    assert set(re.findall(r"`([a-z_]+\.py|[a-z]+/)`", " ".join(rows))) == modules(README.parent)


def test_the_table_names_every_module_of_the_parts_and_nothing_else() -> None:
    table = README.read_text(encoding="utf-8").split("| in | file | what |")[1].split("\n\n")[0]
    named: dict[str, set[str]] = {}
    for part, files in re.findall(r"^\| (?:`([\w/]+)/`)? ?\| (.*?) \|", table, re.MULTILINE):
        if part:
            current = named.setdefault(part, set())
        current |= set(re.findall(r"`([a-z_]+\.py|[a-z]+/)`", files)) - {"__init__.py"}
    assert named == {part: modules(README.parent / part) for part in PARTS}
