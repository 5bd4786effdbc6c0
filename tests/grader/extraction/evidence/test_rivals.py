"""Of two numbers of a sentence, the one whose clause has more of the question counts."""

from __future__ import annotations

import pytest

from grader import extract
from grader.extraction.blind import rank
from grader.extraction.question import read_question
from grader.extraction.scan import Scan
from grader.text import split_output

SMOKERS = "Among smokers the rate is 0.31, compared with 0.12 for non-smokers."


@pytest.mark.parametrize(
    ("text", "question", "value"),
    [
        (SMOKERS, "What is the rate for non-smokers?", 0.12),
        (SMOKERS, "What is the rate for smokers?", 0.31),
        ("The train RMSE is 2.1 and the test RMSE 3.3.", "What is the test RMSE?", 3.3),
        ("The median for A is 12 while that for B is 15.", "What is the median for B?", 15),
        # The terms of a model are not what is asked for.
        ("The estimated elasticity of -0.39 is precise, while the income elasticity is 0.13.",
         "What is the price elasticity from a regression on price and income?", -0.39),
        # Two writings of one value, and numbers of the question, are no rivals.
        ("It is 0.00513 per mm, i.e. 0.51 for every extra 100 mm.",
         "How much does the yield rise per extra 100 mm? Two decimals.", 0.51),
        ("There are 43 years between 1700 and 2008 with an activity above 100.",
         "In how many years was the activity above 100?", 43),
        ("The series has an autocorrelation of 0.30, compared with 0.83 for the raw data.",
         "What is the autocorrelation of the detrended series?", 0.30),
    ],
)  # fmt: skip
def test_two_clauses(text: str, question: str, value: float) -> None:
    assert extract(text, question).scalar == value


@pytest.mark.parametrize(
    ("text", "question", "value"),
    [
        ("Women earn 43,000 on average. The mean salary of men is 51,000.",
         "What is the mean salary of women?", 43000),
        ("Women earn 43,000 on average. The mean salary of men is 51,000.",
         "What is the mean salary of men?", 51000),
        ("The mean salary of men is 51,000. That of all employees is 47,000. Women come to 43,000.",
         "What is the mean salary of women?", 43000),
        ("Group A scores 71.2. The mean score of group B is 68.9.",
         "What is the mean score of group A?", 71.2),
        ("Smokers are 41 years old at the median. The median age of non-smokers is 46.",
         "What is the median age of the smokers?", 41),
        ("In the placebo arm, 0.31 recovered. The proportion of patients in the drug arm that"
         " recovered is 0.47.", "What proportion of patients in the placebo arm recovered?", 0.31),
        ("Age and income correlate at 0.42. The correlation between age and debt is 0.12.",
         "What is the correlation between age and income?", 0.42),
        # What has no name of its own is nothing else.
        ("The correlation between the two variables is -0.53. Richer cities have more cars per"
         " 1000 (r = 0.81 with GDP).",
         "What is the correlation between cars_per_1000 and pm25?", -0.53),
        ("The income elasticity is 0.856. The standard error of the elasticity is 0.020.",
         "What is the standard error of the income elasticity?", 0.020),
    ],
)  # fmt: skip
def test_sentences_that_say_it_of_something_else(text: str, question: str, value: float) -> None:
    assert extract(text, question).scalar == value


def test_no_rival_gets_more_than_the_better_one_had() -> None:
    """So the sentence itself gains nothing over others."""

    ranked = rank(Scan(split_output(SMOKERS), read_question("What is the rate for non-smokers?")))
    before = [one.score - one.evidence["rival"] for one in ranked]
    assert ranked[0].score == pytest.approx(max(before))
    assert before[0] < before[1]
