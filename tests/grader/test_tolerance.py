from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.numbers import Quantity, parse_number
from grader.settings import GradeSettings
from grader.tolerance import agree, distance, matches, same_value, within


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
        ("1e-9", "0", True),
        ("1e-8", "0", False),
        ("0%", "0", True),
        ("3.4 million", "3400000", True),
        ("3.4 million", "3.4", True),
        ("3.4", "3.4 million", True),
        ("3.4 billion", "3.4 million", False),
        ("2 million", "2 thousand", False),
        ("500 thousand", "0.5 million", True),
        ("12.5×10^3", "12.5×10^6", False),
        ("12.5×10^3", "12.5 thousand", True),
        ("12%", "12 million", False),
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


def test_numbers_agree_whichever_is_the_truth() -> None:
    low, high = Quantity(97.05), Quantity(100.0)
    assert (matches(low, high), matches(high, low)) == (True, False)
    assert agree(low, high) and agree(high, low)
    assert not agree(Quantity(96.9), high)


@pytest.mark.parametrize(
    ("candidate", "truth", "expected"),
    [("0.3", "0.2", 0.5), ("20%", "0.2", 0), ("20", "20%", 0), ("-0.5", "0", 0.5),
     ("3 million", "3", 0), ("3 million", "6 million", 0.5), ("5%", "10 thousand", 0.999995)],
)  # fmt: skip
def test_a_distance_is_that_of_the_closest_reading(
    candidate: str, truth: str, expected: float
) -> None:
    assert distance(quantity(candidate), quantity(truth)) == pytest.approx(expected)


def test_not_a_number_never_matches() -> None:
    assert not within(float("nan"), 1.0, GradeSettings())
    assert not within(float("inf"), float("inf"), GradeSettings())


def test_percent_form_is_the_same_value() -> None:
    assert same_value(quantity("0.61"), quantity("61%"))
    assert not same_value(quantity("0.61"), quantity("61"))


def test_scales_are_part_of_the_value() -> None:
    assert same_value(quantity("3.4 million"), quantity("3,400,000"))
    assert same_value(quantity("500 thousand"), quantity("0.5 million"))
    assert not same_value(quantity("3.4 million"), quantity("3.4 billion"))
