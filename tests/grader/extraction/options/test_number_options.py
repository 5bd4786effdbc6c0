"""Options that are numbers, or end in one: each is found as a whole, however it is written."""

from __future__ import annotations

import pytest

from grader import grade, verify


@pytest.mark.parametrize(
    ("text", "choices", "truth", "reward"),
    [
        ("The mean is 12.5.", ["12", "13", "14"], "12", 0.0),
        ("It is 1,200.", ["A. 200", "B. 300"], "A", 0.0),
        ("It is 1200.", ["A. 1,200", "B. 300"], "A", 1.0),
        ("It is 0.30.", ["A. 0.3", "B. 30"], "A", 1.0),
        ("It is 0.30.", ["A. 0.3", "B. 30"], "B", 0.0),
        ("It is 0.125.", ["A. 125", "B. 130"], "A", 0.0),
        ("The effect is -2.5.", ["A. 1.5", "B. 2.5"], "B", 0.0),
        ("The effect is −2.5.", ["A. -2.5", "B. 2.5"], "A", 1.0),
        ("The effect is −2.5.", ["A. -2.5", "B. 2.5"], "B", 0.0),
        ("The share is 12%.", ["A. 14", "B. 12"], "B", 1.0),
        ("It costs $12.00.", ["A. 14", "B. 12"], "B", 1.0),
        ("The best is GPT-3.5.", ["GPT-3", "GPT-4"], "GPT-3", 0.0),
        ("The best is GPT-3.", ["GPT-3", "GPT-4"], "GPT-3", 1.0),
        ("The answer is 5.", ["A. 4", "B. 5"], "B", 1.0),
        ("The answer is Z.", ["A. Y", "B. Z"], "B", 1.0),
        ("Of 4 groups, 5 rows each are left.", ["A. 4", "B. 5"], "B", 0.0),
    ],
)  # fmt: skip
def test_options_of_numbers(text: str, choices: list[str], truth: str, reward: float) -> None:
    assert verify(text, truth, "Which is it?", choices=choices) == reward


BANDS = ["below 0.50", "0.50 to 0.60", "0.60 to 0.70", "above 0.70"]
AGES = ["18-25", "26-40", "between 41 and 65"]


@pytest.mark.parametrize(
    ("text", "choices", "truth", "reward"),
    [
        ("This puts the slope between 0.60 and 0.70.", BANDS, "C", 1.0),
        ("This puts the slope between 0.60 and 0.70.", BANDS, "B", 0.0),
        ("The slope is in the band 0.6–0.7.", BANDS, "C", 1.0),
        ("The slope is in the band 10.6–0.7.", BANDS, "C", 0.0),
        ("They are between 18 and 25.", AGES, "18-25", 1.0),
        ("They are 41 to 65.", AGES, "between 41 and 65", 1.0),
        ("It lies between 5% and 10%.", ["0 to 5%", "5 to 10%"], "5 to 10%", 1.0),
        ("It lies between 5 and 10 percent.", ["0-5%", "5-10%"], "5-10%", 1.0),
        ("It lies between 5 and 10 percent.", ["0-5%", "5-10%"], "0-5%", 0.0),
        ("It costs $5 to $10.", ["$0-$5", "$5-$10"], "$5-$10", 1.0),
    ],
)  # fmt: skip
def test_options_that_are_ranges(text: str, choices: list[str], truth: str, reward: float) -> None:
    assert verify(text, truth, "Where is it?", choices=choices) == reward


@pytest.mark.parametrize(("truth", "verdict"), [("1", "incorrect"), ("2", "correct")])
def test_a_letter_goes_before_a_wording(truth: str, verdict: str) -> None:
    options = {"1": "2", "2": "3"}
    assert grade("The answer is 2.", truth, "Which?", choices=options).verdict == verdict


@pytest.mark.parametrize(
    ("text", "verdict"), [("The best is GPT-3.5.", "incorrect"), ("The best is GPT-3.", "correct")]
)
def test_a_name_that_ends_in_a_number(text: str, verdict: str) -> None:
    assert grade(text, "GPT-3", "Which model is best?").verdict == verdict


def test_a_very_long_number() -> None:
    assert verify("It is 1.", "1" * 20_000, choices=["1" * 20_000, "2" * 20_000]) == 0.0
