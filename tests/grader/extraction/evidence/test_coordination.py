"""What numbers in a row hold for counts against each other."""

from __future__ import annotations

import pytest

from grader import extract, grade


@pytest.mark.parametrize(
    ("text", "question", "value"),
    [
        ("R² is 0.53 on the training data and 0.45 on the test data.",
         "What is R² on the test data?", 0.45),
        ("The coefficients are 0.11 for `value` and 0.31 for `capital`.",
         "What is the coefficient of capital?", 0.31),
        ("For the old machine it was 14.2 minutes, while for the new machine it was 11.8 minutes.",
         "What is the mean time of the new machine, in minutes?", 11.8),
        ("The average over all orders is $77.88, while for returning customers it is $88.47.",
         "What is the average value of the orders of returning customers?", 88.47),
        ("Out of 1,290 people, 36.51% agree, and the margin of error is 0.0134, or 1.34%.",
         "What is the margin of error of the share, as a percentage with two decimals?", 1.34),
        ("K-means gives clusters of 27, 67, 58, 62 and 61 customers; 67 are in the largest.",
         "How many customers are in the largest cluster?", 67),
        ("The median time is 301.16 s; among men it is 294.53 s and among women 312.99 s.",
         "What is the median time in seconds?", 301.16),
    ],
)  # fmt: skip
def test_numbers_in_a_row(text: str, question: str, value: float) -> None:
    assert extract(text, question).scalar == value


EXTREMES = ("0", "1e-300", "-1e300", "5e-324", "9" * 400, "2.5")


@pytest.mark.parametrize("first", EXTREMES)
@pytest.mark.parametrize("second", EXTREMES)
def test_units_of_any_size(first: str, second: str) -> None:
    text = f"The effect is {first} units, i.e. about {second} parts."
    found = grade(text, "3", question="What is the effect?", grader="strict_blind")
    assert found.verdict != "correct"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Debt is down: the effect -7.72 (in hundreds), i.e. about 772 dollars.", "-7.72"),
        ("The effect on debt, 0 at first, i.e. about 772 dollars, is large.", "772"),
    ],
)
def test_a_value_told_again_in_other_units(text: str, value: str) -> None:
    question = "What is the effect on debt?"
    assert grade(text, value, question=question, grader="strict_blind").verdict == "correct"
