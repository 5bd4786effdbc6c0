"""The benchmarks, which the test suite does not run, say how to run them."""

from __future__ import annotations

import runpy
import sys

import pytest

from tests.shared_data import ROOT

FILES = sorted((ROOT / "tests/bench").glob("*.py"))
MODULES = [f"tests.bench.{file.stem}" for file in FILES if "__main__" in file.read_text("utf-8")]


@pytest.mark.parametrize("module", MODULES)
def test_help_runs_nothing(
    module: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [module, "--help"])
    monkeypatch.delitem(sys.modules, module, raising=False)  # imported by another test
    with pytest.raises(SystemExit) as end:
        runpy.run_module(module, run_name="__main__")
    assert end.value.code == 0
    usage, description, *_ = capsys.readouterr().out.split("\n\n")
    assert usage.startswith("usage: ")
    assert not description.startswith(("positional arguments:", "options:"))
