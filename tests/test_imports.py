"""Imports point one way: `reports` may use `annotate`, all may use `grader`, and nothing else.

Modules named as text are not seen: the table of commands in `grader/cli` names those of the other
packages so on purpose.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.shared_data import ROOT

MAY_USE = {
    "grader": {"grader"},
    "wrappers": {"wrappers", "grader"},
    "annotate": {"annotate", "grader"},
    "reports": {"reports", "annotate", "grader"},
}
PROGRAMS = {"grader/__main__.py", "reports/screenshot.py"}  # run commands, as a user does


def imported(source: str, path: Path) -> Iterator[str]:
    """Every module that a module imports by its full name, relative imports resolved."""
    folders = path.with_suffix("").parts
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = folders[: -node.level] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}".strip(".") for alias in node.names)


def modules(package: str) -> Iterator[tuple[Path, list[str]]]:
    """The modules of a package by their path, each with what it imports."""
    for file in sorted((ROOT / package).rglob("*.py")):
        path = file.relative_to(ROOT)
        yield path, list(imported(file.read_text(encoding="utf-8"), path))


@pytest.mark.parametrize("package", list(MAY_USE))
def test_packages_import_those_below_them_only(package: str) -> None:
    found = list(modules(package))
    assert len(found) > 20
    others = {*MAY_USE, "tests"} - MAY_USE[package]
    assert [(p, name) for p, names in found for name in names if name.split(".")[0] in others] == []


@pytest.mark.parametrize("package", list(MAY_USE))
def test_folders_do_not_import_each_other_both_ways(package: str) -> None:
    """The order of the folders of a package and of the modules beside them, each below those that
    import it."""
    found = list(modules(package))
    nodes = {node_of(path, package) for path, _ in found} - {Path(package) / "__init__"}
    uses = {node: set[Path]() for node in nodes}
    for path, names in found:
        if (node := node_of(path, package)) in nodes:
            parents = {Path(*name.split(".")[:length]) for name in names for length in (2, 3)}
            uses[node] |= parents & nodes - {node, *node.parents}
    TopologicalSorter(uses).prepare()


def node_of(path: Path, package: str) -> Path:
    """The folder of a module; of one that is in no folder of the package, the module."""
    return path.with_suffix("") if path.parent == Path(package) else path.parent


@pytest.mark.parametrize("package", list(MAY_USE))
def test_only_commands_import_commands(package: str) -> None:
    wrong = [
        (path, name)
        for path, names in modules(package)
        if not is_command(path.with_suffix("").parts) and path.as_posix() not in PROGRAMS
        for name in names
        if is_command(tuple(name.split("."))) and name.split(".")[0] in MAY_USE
    ]
    assert wrong == []


def is_command(parts: tuple[str, ...]) -> bool:
    return any(part == "cli" or part.endswith("_cli") for part in parts)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import annotate.cases", "annotate.cases"),
        ("from annotate import cases", "annotate.cases"),
        ("from ...annotate import cases", "annotate.cases"),
        ("from ... import annotate", "annotate"),
        ("def f():\n    from ..records import Task", "grader.records.Task"),
    ],
)
def test_every_form_of_import_is_seen(source: str, expected: str) -> None:
    assert expected in imported(source, Path("grader/cli/grade.py"))
