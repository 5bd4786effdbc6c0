"""The names of graders: one module has them all, and is cheap to import."""

from __future__ import annotations

import subprocess
import sys

import pytest

from grader.grader_names import (
    GRADERS,
    STRICT,
    STRICT_LAYER,
    base_name,
    is_before_nudge,
    suffix_for,
    suffix_of,
)
from grader.strict import STRICT_GRADERS


def test_every_strict_grader_is_named() -> None:
    assert tuple(STRICT_GRADERS) == STRICT
    assert set(STRICT_LAYER) == set(STRICT)


@pytest.mark.parametrize("name", GRADERS)
def test_a_name_is_its_base_and_its_suffix(name: str) -> None:
    for before_nudge in (False, True):
        recorded = name + suffix_for(before_nudge=before_nudge)
        assert is_before_nudge(recorded) is before_nudge
        assert base_name(recorded) == name
        assert base_name(recorded) + suffix_of(recorded) == recorded


def test_a_run_is_read_without_the_graders() -> None:
    code = "import sys, grader.run; print('grader.strict' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
