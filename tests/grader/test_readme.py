"""The map in the package's README."""

from __future__ import annotations

import re
from pathlib import Path

import grader

README = Path(grader.__file__).with_name("README.md")


def test_the_map_names_every_module_and_nothing_else() -> None:
    text = README.read_text(encoding="utf-8")
    mapped = set(re.findall(r"[a-z_]+\.py|[a-z]+/", text.split("```")[1]))
    here = {path.name for path in README.parent.glob("[!_]*.py")}
    here |= {f"{path.parent.name}/" for path in README.parent.glob("*/__init__.py")}
    assert mapped == here
