"""What numbers say about each other: differences, and signs said in words."""

from __future__ import annotations

import pytest

from grader.extraction.phrases import says_less
from grader.extraction.relations import is_size_of_one, terms_of_differences, terms_of_ratios
from grader.numbers import find_numbers


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("26.25 in March and 20.58 in September, 5.67 apart", ["26.25", "20.58"]),
        ("the gap is 5.67: 20.58 and 26.25", ["20.58", "26.25"]),
        ("0.65 minus (-1.95) is 2.60", ["0.65", "-1.95"]),
        ("rose by 0.34 and -2.46, so 2.80", ["0.34", "-2.46"]),
        ("26.25, 20.58 and 5.12", []),  # no difference
        ("2, 3 and 5", []),  # too few digits to tell
        ("26.25% and 20.58, 5.67 apart", []),  # not of one kind
        ("0.089, as 0.828 less 0.739", []),  # 0.739 may be the difference as well
        (
            "1. 77, 80, 4, 5\n2. 71, 60, 9, 6\n3. 48, 49, 33, 22\n4. 91.5, 60.2, 31.3",
            ["91.5", "60.2"],
        ),
        ("1. 77, 80, 4, 5\n2. 71, 60, 9, 6\n3. 48, 49, 33, 22\n4. 91.5, 60.2\n31.3", []),  # many
        ("| old | 97.59 | 103.68 |\n| Difference | 12.33 | 20.89 | 8.56 |", []),  # a row of them
    ],
)
def test_terms_of_differences(text: str, terms: list[str]) -> None:
    numbers = find_numbers(text)
    found = terms_of_differences(numbers, text)
    assert [number.text for number in numbers if number.start in found] == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("41.7 and 23.1 thousand, that is, 1.81 times as much", ["41.7", "23.1"]),
        ("23.1 and 41.7 thousand: 1.81 times as much", ["23.1", "41.7"]),
        ("41.7 and 23.1 thousand: 1.92 times as much", []),
        ("the ratio is 1.81, as 41.7 and 23.1 show", []),  # it may be one of the numbers before it
        ("4 and 2, so 2.00", []),  # too few digits to tell
    ],
)
def test_terms_of_ratios(text: str, terms: list[str]) -> None:
    numbers = find_numbers(text)
    found = terms_of_ratios(numbers)
    assert [number.text for number in numbers if number.start in found] == terms


@pytest.mark.parametrize(
    ("text", "negative", "is_one"),
    [
        ("1.7", [-3.0, -1.71], True),  # rounded
        ("1.71", [-1.7], False),  # not rounded from it
        ("7.6%", [-0.076], True),
        ("0.076", [-7.6], False),
        ("1", [-0.6], False),  # 1 may be rounded from it, but is not near it
    ],
)
def test_the_size_of_a_negative_number(text: str, negative: list[float], is_one: bool) -> None:
    assert is_size_of_one(find_numbers(text)[0], negative) == is_one


@pytest.mark.parametrize(
    ("before", "after", "less"),
    [
        ("the program lowered sales by ", " packs", True),
        ("the treated have ", " fewer days", True),
        ("It fell sharply. The slope is ", " points", False),
        ("the slope is ", ". It is lower", False),
        ("it rose by ", " packs", False),
        ("a negative correlation of ", " between them", True),
        ("negatively associated: ", "", True),
        ("a negative test in ", " patients", False),
    ],
)
def test_words_for_a_fall(before: str, after: str, less: bool) -> None:
    assert says_less(before, after) == less
