"""For all tests: generated examples may take their time on a busy machine, and compiled modules
that are older than their source are not tested."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("no clock", deadline=None)
settings.load_profile("no clock")

PACKAGE = Path(__file__).resolve().parent.parent / "grader"


def pytest_configure() -> None:
    for library in (*PACKAGE.rglob("*.so"), *PACKAGE.rglob("*.pyd")):
        source = library.with_name(library.name.split(".")[0] + ".py")
        if not source.exists() or source.stat().st_mtime > library.stat().st_mtime:
            raise pytest.UsageError(
                f"{library.name} is older than {source.name}: run `make compiled` to build it"
                " again, or `make pure` to do without"
            )
