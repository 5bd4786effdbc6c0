"""Grounding: as written, rounded, in percent form, or not at all."""

from __future__ import annotations

import pytest

from grader.grounding import ground_number, ground_wording, quoted_sentence
from grader.numbers import parse_number

CASES = [
    ("0.28", "the share is 0.28", "as_written"),
    ("0.28", "np.float64(0.2847)", "rounded"),
    ("0.28", "the share is 0.285", "rounded"),  # half a unit may be rounded either way
    ("0.29", "the share is 0.285", "rounded"),
    ("0.28", "that is 28%", "percent_form"),
    ("28%", "proportion 0.2847", "percent_form"),
    ("0.28", "the 28 flowers", None),  # a bare 28 is not a percentage
    ("28.5%", "proportion 0.2847", "percent_form"),
    ("0.28", "the share is 0.31", None),
    ("0.2847", "the share is 0.28", None),  # digits that nobody wrote
    ("3,385", "3385 rows", "as_written"),
    ("45.0", "45 units", "as_written"),
    ("-0.54", "r = −0.54", "as_written"),
    ("0.54", "r = -0.54", None),  # another sign is another value
    ("2.67e-08", "p = 2.671e-08", "rounded"),
    ("2.67 × 10⁻⁸", "p = 2.67e-08", "as_written"),
    ("2.7e-08", "p = 2.671e-06", None),
    ("8", "7.6 on average", "rounded"),
    ("1", "0.61 of them", None),  # no digit of 0.61 survives in 1
    ("0", "0.3", None),
    ("0.00", "0.0004", "rounded"),
    ("0.07", "0.0658", "rounded"),
    ("46/150", "46/150 = 0.3067", "as_written"),
    ("1200", "1200", "as_written"),
    ("1100", "1200", None),
    ("0.3", "", None),
    ("$3.4 million", "a total of $3.4 million", "as_written"),
    ("3,400,000", "a total of $3.4 million", "scale_form"),
    ("3.4 million", "a total of 3,400,000", "scale_form"),
    ("3.4 million", "a total of 3,412,345", "scale_form"),
    ("3.4 million", "a total of 3,512,345", None),
    ("3.4 million", "3.41 million dollars", "rounded"),
    ("3.4", "3.4 million dollars", "as_written"),
    ("3.4 million", "3.4, in millions of dollars", "as_written"),
    ("500 thousand", "half, or 0.5 million", "scale_form"),
    ("3.4 million", "a total of $3.4 billion", None),
    ("3.4 million", f"13.4 and {'far and ' * 5}3.4 billion", None),
]


@pytest.mark.parametrize(("value", "text", "expected"), CASES)
def test_number(value: str, text: str, expected: str | None) -> None:
    number = parse_number(value)
    assert number is not None
    assert ground_number(number, text) == expected


@pytest.mark.parametrize(
    ("wording", "text", "expected"),
    [
        ("twelve", "There are Twelve of them.", "wording"),
        ("control group", "the **control\n group** did better", "wording"),
        ("twelve", "twelvefold", None),
        ("", "anything", None),
        ("...", "anything", None),
    ],
)
def test_wording(wording: str, text: str, expected: str | None) -> None:
    assert ground_wording(wording, text) == expected


@pytest.mark.parametrize(
    ("quote", "is_found"), [("outliers pull the mean", True), ("outliers pull the", False)]
)
def test_half_of_a_sentence_is_enough_of_a_quote(quote: str, is_found: bool) -> None:
    text = "I plot it. Some huge outliers pull the mean up far."
    expected = "some huge outliers pull the mean up far." if is_found else None
    assert quoted_sentence(quote, text) == expected
