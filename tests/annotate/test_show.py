"""How numbers are written."""

from __future__ import annotations

import pytest

from annotate.show import (
    rate_in_full,
    show_count,
    show_level,
    show_number,
    show_p,
    show_percent,
)
from annotate.statistics.rates import rate


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (show_p(0.0004), "<0.001"),
        (show_p(0.04), "0.040"),
        (show_count(1234), "1,234"),
        (show_number(1234.5), "1,234.50"),
        (show_percent(0.2639), "26.4%"),
        (show_level(), "95%"),
        (show_level(0.9), "90%"),
        (show_level(0.995), "99.5%"),
        (rate_in_full(rate(62, 72)), "86% ± 4% (76% to 92%), 62/72"),
        (rate_in_full(rate(0, 0)), "n/a (n=0)"),
        (show_p(None) + show_count(None) + show_number(None) + show_percent(None), "n/a" * 4),
    ],
)
def test_each_kind_of_number(shown: str, expected: str) -> None:
    assert shown == expected
