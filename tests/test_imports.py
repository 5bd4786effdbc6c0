"""Imports point one way: `grader` imports none of the packages built on it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.shared_data import ROOT


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def test_grader_imports_nothing_built_on_it() -> None:
    files = list((ROOT / "grader").rglob("*.py"))
    assert len(files) > 30
    wrong = [
        (path.name, name)
        for path in files
        for name in imported(path)
        if name.split(".")[0] in ("wrappers", "annotate", "reports", "tests")
    ]
    assert wrong == []
