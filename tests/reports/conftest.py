"""The published run, built once a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports.frames import RunFrames
from reports.load import load_run

from .published import write_published_run


@pytest.fixture(scope="session")
def published_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Mode A with labels, on disk. Read only."""
    return write_published_run(tmp_path_factory.mktemp("published") / "mode-a", "A").path


@pytest.fixture(scope="session")
def run_a(published_path: Path) -> RunFrames:
    """Mode A with labels."""
    return load_run(published_path)


@pytest.fixture(scope="session")
def run_ab(tmp_path_factory: pytest.TempPathFactory) -> RunFrames:
    """Both modes in one run; mode A labelled."""
    return load_run(write_published_run(tmp_path_factory.mktemp("published") / "both", "AB").path)
