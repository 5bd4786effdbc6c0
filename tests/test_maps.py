"""The READMEs of the packages name every module of theirs."""

from __future__ import annotations

import re

import pytest

from tests.shared_data import ROOT

PACKAGES = ("annotate", "reports", "wrappers")
LISTED_ELSEWHERE = ("tables/", "figures/", "agents/")  # one file a table, figure or agent


def modules(package: str) -> set[str]:
    """The modules of a package, by their paths from it."""
    folder = ROOT / package
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*.py")}


def named(package: str) -> set[str]:
    """The paths of modules that its README names."""
    text = (ROOT / package / "README.md").read_text(encoding="utf-8")
    return set(re.findall(r"`((?:[a-z_]+/)*[a-z_]+\.py)`", text))


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_is_named(package: str) -> None:
    files = {path for path in modules(package) if not path.endswith("__init__.py")}
    assert {
        path for path in files - named(package) if not path.startswith(LISTED_ELSEWHERE)
    } == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_every_named_module_exists(package: str) -> None:
    assert named(package) - modules(package) == set()
