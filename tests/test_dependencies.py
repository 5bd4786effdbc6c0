"""What the code imports is declared in pyproject.toml, not left to what other libraries bring; what
is pinned can be installed by every Python that pyproject.toml names."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import distributions, packages_distributions

from packaging.specifiers import SpecifierSet

from tests.shared_data import ROOT
from tests.test_imports import MAY_USE, modules

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
NOT_LIBRARIES = {*sys.stdlib_module_names, *MAY_USE, "tests"}
# A benchmark that calls this package, and what builds it.
BROUGHT_BY_OTHERS = {"dsgym", "setuptools", "mypyc"}


def normalised(name: str) -> str:
    """A distribution's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(*lists: list[str]) -> set[str]:
    """The distributions that lists of requirements name."""
    return {normalised(re.split(r"[\[<>=! ]", line)[0]) for one in lists for line in one}


def undeclared(package: str, names: set[str]) -> set[str]:
    """The libraries that a package's modules import and that none of the names provides."""
    homes = packages_distributions()
    found = {name.partition(".")[0] for _, imported in modules(package) for name in imported}
    return {
        name
        for name in found - NOT_LIBRARIES - BROUGHT_BY_OTHERS
        if name and not names & {normalised(home) for home in homes.get(name, [name])}
    }


def test_packages_declare_what_they_import() -> None:
    users = declared(PROJECT["dependencies"], *(EXTRAS[name] for name in EXTRAS if name != "lint"))
    for package in MAY_USE:
        assert undeclared(package, users) == set()


def test_tests_declare_what_they_import() -> None:
    assert undeclared("tests", declared(PROJECT["dependencies"], *EXTRAS.values())) == set()


def test_the_oldest_python_can_install_what_is_pinned() -> None:
    oldest = PROJECT["requires-python"].removeprefix(">=") + ".0"
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {
        normalised(name): version for name, _, version in (pin.partition("==") for pin in pins)
    }
    needed = {
        one.name: one.metadata["Requires-Python"]
        for one in distributions()
        if pinned.get(normalised(one.name)) == one.version
    }
    assert len(needed) > 50
    assert {n: s for n, s in needed.items() if s and not SpecifierSet(s).contains(oldest)} == {}
