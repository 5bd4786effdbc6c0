"""Where the data of tests lies: fixtures, tables of cases, and the optional shared data
(`../shared` beside the repository, or $GRADER_SHARED)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
CASES = ROOT / "tests" / "cases"
SHARED = Path(os.environ.get("GRADER_SHARED", ROOT.parent / "shared"))

needs_shared = pytest.mark.skipif(
    not (SHARED / "data").is_dir(),
    reason="shared data not found (../shared or $GRADER_SHARED)",
)


def cases(name: str) -> list[dict[str, Any]]:
    """The rows of a table of cases, a JSON object a line."""
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]
