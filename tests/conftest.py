"""For all tests: generated examples may take their time on a busy machine, compiled modules that
are older than their source are not tested, and nothing is skipped with `GRADER_NO_SKIPS`."""

from __future__ import annotations

import os
from collections.abc import Generator
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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With `GRADER_NO_SKIPS` a test marked `machine` fails where it would be skipped."""
    report = yield
    if report.skipped and item.get_closest_marker("machine") and os.environ.get("GRADER_NO_SKIPS"):
        report.outcome = "failed"
    return report
