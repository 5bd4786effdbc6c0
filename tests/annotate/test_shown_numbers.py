"""How numbers are written."""

from __future__ import annotations

import pytest

from annotate.shown_numbers import (
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
        (show_percent(0.996, 0), "99.6%"),
        (show_percent(0.9999, 0), ">99.9%"),
        (show_percent(0.004, 0), "0.4%"),
        (show_percent(0.0001, 0), "<0.1%"),
        (show_percent(1999 / 2000), "99.95%"),
        (show_percent(1e-6), "<0.01%"),
        (show_percent(1.0, 0) + show_percent(0.0, 0), "100%0%"),
        (show_percent(1 - 1e-16) + show_percent(1e-17), "100.0%0.0%"),
        (show_level(), "95%"),
        (show_level(0.9), "90%"),
        (show_level(0.995), "99.5%"),
        (rate_in_full(rate(62, 72)), "86% ± 4% (76% to 92%), 62/72"),
        (rate_in_full(rate(249, 250)), "99.6% ± 0.4% (98% to 99.9%), 249/250"),
        (rate_in_full(rate(1, 300)), "0.3% ± 0.3% (0.1% to 2%), 1/300"),
        (rate_in_full(rate(72, 72)), "100% ± 0% (95% to 100%), 72/72"),
        (rate_in_full(rate(0, 0)), "n/a (n=0)"),
        (show_p(None) + show_count(None) + show_number(None) + show_percent(None), "n/a" * 4),
    ],
)
def test_each_kind_of_number(shown: str, expected: str) -> None:
    assert shown == expected
