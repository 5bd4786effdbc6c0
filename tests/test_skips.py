"""Tests that need more of the machine are skipped without it, unless `GRADER_NO_SKIPS` is set."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared_data import ROOT


@pytest.mark.parametrize(("variable", "code"), [("", 0), ("1", 1)])
def test_a_skip_for_want_of_the_machine_may_be_a_failure(
    variable: str, code: int, tmp_path: Path
) -> None:
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n")
    (tmp_path / "test_it.py").write_text(
        "import pytest\n\n"
        "@pytest.mark.machine\n@pytest.mark.skipif(True, reason='no Chromium')\n"
        "def test_page(): pass\n\n"
        "@pytest.mark.skip(reason='another')\n"
        "def test_other(): pass\n"
    )
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), str(tmp_path)]
    environment = os.environ | {"GRADER_NO_SKIPS": variable, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == code, done.stdout
    assert ("no Chromium" in done.stdout) is bool(code)
