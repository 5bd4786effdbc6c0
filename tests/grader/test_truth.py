from __future__ import annotations

import pytest

from grader.truth import (
    is_meant_as_number,
    is_year,
    published_answer,
    published_number,
    without_label,
)


@pytest.mark.parametrize(
    ("truth", "value"),
    [
        ("IQR: 6.00", 6.0),
        ("Percentage of plans: 20.22%", 20.22),
        ("15 accounts", 15.0),
        ("6 months old.", 6.0),
        ("Range: $234,697 million", 234697.0),
        ("5 kg", 5.0),
        ("10 km/h", 10.0),
        ("5 (10%)", 5.0),
        ("60% (12/20)", 60.0),
        ("12/20 (60%)", 0.6),
        ("about 15 accounts", 15.0),
        ("4.81-fold increase in tumor", 4.81),
        ("2x larger in fungi", 2.0),
        ("10.6% of genes", 10.6),
        ("25 °C", 25.0),
        ("3.50€", 3.5),
        ("0,28", 0.28),
        ("1.234,5", 1234.5),
        ("5 (10 of 20)", None),
        ("2x + 3", None),
        ("1,23,456", None),
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


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        ("[3]", "3"),
        ([3], "3"),
        ("['Chad']", "Chad"),
        ('["King\'s"]', "King's"),
        ("['1,234']", "1,234"),
        ("[['mean', '34.65']]", "34.65"),
        ('[["mean", 34.65]]', "34.65"),
        ("{'mean': 34.65}", "34.65"),
        ("@mean[34.65]", "34.65"),
        ("[['trend', 'none']]", "[['trend', 'none']]"),
        ("['a', 'b']", "['a', 'b']"),
        ("[[3]]", "[[3]]"),
        ("[3", "[3"),
        ("[]", "[]"),
        ("@mean[4] @sd[2]", "@mean[4] @sd[2]"),
    ],
)
def test_a_list_or_form_of_one_value_is_that_value(value: object, answer: str) -> None:
    assert published_answer(value) == answer
    assert published_answer(answer) == answer


@pytest.mark.parametrize(
    "value",
    [
        {},
        [None],
        {"mean": None},
        [""],
        "{}",
        "[None]",
        "{'mean': null}",
        "[nan]",
        "[['mean', None]]",
    ],
)
def test_a_list_or_object_of_a_missing_value_is_none(value: object) -> None:
    assert published_answer(value) is None


def test_dates_and_lists_of_them_are_words() -> None:
    assert not is_meant_as_number("2015-01-03, 2016-02-04")
    assert not is_meant_as_number("['2015-01-03', '2016-02-04']")
    assert is_meant_as_number("2015-01-03, 4")


@pytest.mark.parametrize(
    ("truth", "year"), [("2010", True), (" 1899 ", True), ("2010.0", True), ("210", False)]
)
def test_how_years_are_written(truth: str, year: bool) -> None:
    assert is_year(truth) is year
