from __future__ import annotations

import pytest

from grader.truth import is_meant_as_number, published_number, without_label


@pytest.mark.parametrize(
    ("truth", "value"),
    [
        ("IQR: 6.00", 6.0),
        ("Percentage of plans: 20.22%", 20.22),
        ("15 accounts", 15.0),
        ("6 months old.", 6.0),
        ("Range: $234,697 million", 234697.0),
        ("5 kg", 5.0),
        ("12 Angry Men", None),
        ("3 or more", None),
        ("5 of 10", None),
        ("Group 2", None),
        ("IDH1: 404", None),
        ("Season: 2022/2023", None),
        ("Mean: 45.8, SD: 3.1", None),
        ("p < 0.05", None),
    ],
)
def test_the_number_that_a_published_answer_is(truth: str, value: float | None) -> None:
    number = published_number(truth)
    assert (number and number.value) == value


@pytest.mark.parametrize(
    ("truth", "bare"),
    [
        ("Winner: team B", "team B"),
        ("agent: X, manager: Y", "agent: X, manager: Y"),
        ("red", "red"),
    ],
)
def test_without_its_label(truth: str, bare: str) -> None:
    assert without_label(truth) == bare


@pytest.mark.parametrize(
    ("truth", "expected"),
    [("inf", True), ("-Infinity", True), ("∞", True), ("infinite", False), ("info", False)],
)
def test_an_infinity_is_meant_as_a_number_and_is_none(truth: str, expected: bool) -> None:
    assert is_meant_as_number(truth) is expected
    assert published_number(truth) is None
