"""The READMEs of the packages name every module of theirs."""

from __future__ import annotations

import re

import pytest

from tests.shared_data import ROOT


@pytest.mark.parametrize("package", ["annotate", "reports", "wrappers"])
def test_every_module_is_named(package: str) -> None:
    text = (ROOT / package / "README.md").read_text(encoding="utf-8")
    files = {path.name for path in (ROOT / package).rglob("[!_]*.py")}
    listed_elsewhere = {
        path.name
        for folder in ("tables", "figures", "agents")  # one file a table, figure or agent
        for path in (ROOT / package / folder).glob("*.py")
    }
    assert files - listed_elsewhere <= set(re.findall(r"([a-z_]+\.py)`", text))


@pytest.mark.parametrize("package", ["annotate", "reports", "wrappers"])
def test_every_named_module_exists(package: str) -> None:
    text = (ROOT / package / "README.md").read_text(encoding="utf-8")
    here = {path.name for path in (ROOT / package).rglob("*.py")}
    assert set(re.findall(r"`(?:[a-z]+/)?([a-z_]+\.py)`", text)) <= here
