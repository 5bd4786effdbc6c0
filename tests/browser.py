"""The browser of tests and benchmarks."""

from __future__ import annotations

import shutil

import pytest

from reports.screenshot import BROWSERS

CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason=f"no Chromium on this machine ({', '.join(BROWSERS)})"
)
