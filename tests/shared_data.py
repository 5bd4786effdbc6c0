"""Where the optional shared data lies: `../shared` beside the repository, or $GRADER_SHARED."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
SHARED = Path(os.environ.get("GRADER_SHARED", ROOT.parent / "shared"))

needs_shared = pytest.mark.skipif(
    not (SHARED / "data").is_dir(),
    reason="shared data not found (../shared or $GRADER_SHARED)",
)
