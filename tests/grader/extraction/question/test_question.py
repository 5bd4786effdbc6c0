"""What a question asks for."""

from __future__ import annotations

import sys

import pytest

from grader import verify
from grader.extraction.question import read_question


@pytest.mark.parametrize(
    ("text", "focus"),
    [
        ("What is the partial correlation between x and y, controlling for z?",
         {"partial", "correlation"}),
        ("Compute the index of dispersion (variance over mean). Round to one decimal.",
         {"index", "dispersion"}),
        ("Drop what is missing. How many complete rows are left?", {"complete", "rows"}),
        ("How large is it?", set()),
    ],
)  # fmt: skip
def test_the_name_of_what_is_asked_for(text: str, focus: set[str]) -> None:
    assert read_question(text).focus == focus


@pytest.mark.parametrize(
    ("text", "percent"),
    [
        ("How many countries made more than 50% of their electricity from wind?", False),
        ("How many of the users came back? Give the answer in percent.", True),
        ("What is the slope of the percentage of renters on income?", False),
        ("What is the coefficient of variation, in percent?", True),
        ("How many percent of the users came back?", True),
        ("What percentage of the users came back more than 50% of the time?", True),
        ("What is the upper limit of the 95% confidence interval of the mean?", False),
    ],
)
def test_whether_a_percentage_is_asked_for(text: str, percent: bool) -> None:
    assert read_question(text).wants_percent == percent


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ("What is the price elasticity when price is instrumented?", set()),
        ("When did the series peak?", {"year"}),
        ("By how many units does the mean of A exceed that of B?", set()),
        ("What is the standard error of the median?", {"standard_error"}),
        ("What is the upper bound of the interval of the mean?", {"interval"}),
        ("What is the ATE?", {"effect"}),
        (
            "Assume the number of goals is Poisson. What is the probability of a draw?",
            {"proportion"},
        ),
        ("What is the mean, assuming equal variances?", {"mean"}),
        ("What is the standard error of the number of cycles?", {"standard_error"}),
    ],
)
def test_topics(text: str, topics: set[str]) -> None:
    assert read_question(text).topics == topics


@pytest.mark.parametrize(
    ("text", "statistics"),
    [
        ("What is the F-statistic of the first stage?", {"F"}),
        ("What is the t value of the slope?", {"t"}),
        ("What is the chi-squared statistic?", {"chi-squared"}),
        ("What is the test statistic?", set()),
    ],
)
def test_which_test_statistic_is_named(text: str, statistics: set[str]) -> None:
    assert read_question(text).statistics == statistics


def test_forms() -> None:
    assert read_question("How many cycles are there?").wants_count is True
    assert read_question("What is the mean number of cycles?").wants_count is False
    assert read_question("Find the duplicate cycles and count them.").wants_count is True
    assert read_question("What is the mean count?").wants_count is False
    assert read_question("What is the effect, in thousands of dollars?").scale == 1e3
    assert read_question("What is the 95% confidence limit?").wants_percent is False
    assert read_question("By how many percentage points did it change?").wants_percent is True
    assert read_question("By how many percentage points did it change?").wants_count is False
    assert read_question("How much lower is it?").names_a_fall is True
    assert read_question("By how much does A exceed B?").wants_difference is True


def test_what_is_read_in_long_questions_is_not_held() -> None:
    """A trainer's questions may be prompts of pages, each a new one."""
    given = [
        f"Given {i}: {'the rain in spain falls mainly ' * 60} What is the mean?" for i in range(60)
    ]
    first = read_question(given[0])
    verify("The mean is 3.", "3", given[0])
    for question in given[1:]:
        assert verify("The mean is 3.", "3", question) == 1.0
    assert sys.getrefcount(first) <= 2, "only this name and the call hold it"


def test_a_question_is_read_once() -> None:
    short, long = "What is the mean?", "the rain in spain " * 100 + "What is the mean?"
    assert read_question(short) is read_question(short)
    assert read_question(long) is read_question(long)
