"""Holm's correction."""

import pytest

from annotate.statistics.holm import holm


def test_holm_leaves_undefined_out_of_the_family() -> None:
    assert holm([0.01, None, 0.04]) == [pytest.approx(0.02), None, pytest.approx(0.04)]
    assert holm([]) == []
