from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.numbers import Quantity, parse_number
from grader.settings import GradeSettings
from grader.tolerance import matches, same_value, within


def quantity(text: str) -> Quantity:
    number = parse_number(text)
    assert number is not None
    return number


@pytest.mark.parametrize(
    ("candidate", "truth", "expected"),
    [
        ("0.2", "0.20", True),
        ("20%", "0.20", True),
        ("0.20", "20%", True),
        ("20", "20%", True),
        ("20", "0.20", False),
        ("0.20", "20", False),
        ("1200%", "12%", False),
        ("0.12%", "12%", False),
        ("12.3%", "12%", True),
        ("-0.54", "0.54", False),
        ("1.03", "1.00", True),
        ("1.031", "1.00", False),
        ("0.97", "1.00", True),
        ("0.206", "0.20", True),
        ("-0.027", "-0.026", False),
        ("1e-10", "0", True),
        ("1e-8", "0", False),
        ("0%", "0", True),
    ],
)
def test_matches(candidate: str, truth: str, expected: bool) -> None:
    assert matches(quantity(candidate), quantity(truth)) is expected


def test_the_tolerance_is_a_setting() -> None:
    tight = GradeSettings(relative_tolerance=0.001)
    assert not matches(quantity("0.201"), quantity("0.2"), tight)


@given(st.integers(-100_000, 100_000), st.integers(-100_000, 100_000).filter(bool))
def test_within_is_exact_decimal_arithmetic(x: int, y: int) -> None:
    exact = abs(Decimal(x) - Decimal(y)) <= Decimal("0.03") * abs(Decimal(y))
    assert within(x / 1000, y / 1000, GradeSettings()) is exact


@given(st.integers(1, 10_000))
def test_the_boundary_itself_passes(thousandths: int) -> None:
    truth = thousandths / 1000
    boundary = float(Decimal(thousandths) * Decimal("1.03") / 1000)
    assert within(boundary, truth, GradeSettings())


def test_not_a_number_never_matches() -> None:
    assert not within(float("nan"), 1.0, GradeSettings())
    assert not within(float("inf"), float("inf"), GradeSettings())


def test_percent_form_is_the_same_value() -> None:
    assert same_value(quantity("0.61"), quantity("61%"))
    assert not same_value(quantity("0.61"), quantity("61"))
