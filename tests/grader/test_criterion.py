"""When a number is right: near the published one, or in a published range."""

from __future__ import annotations

import pytest

from grader import grade, verify
from grader.criterion import criterion_for
from grader.extraction.answer_kind import infer_answer_kind
from grader.extraction.published_range import accepted_range
from grader.extraction.question import read_question
from grader.settings import GradeSettings

RATIO = "What is the odds ratio of the treatment?"
SHARE = "What percentage of the genes is significant?"
CORRELATION = "What is the correlation?"
P_VALUE = "What is the p-value of the test?"
DEFAULT = GradeSettings()
CASES = [
    ("(24,26)", SHARE, "25% of the genes are significant.", "24%", "26.1%"),
    ("(24,26)", SHARE, "The answer is 26.", "The answer is 24-26.", "The answer is 0.25."),
    ("(0.43,0.45)", "What share of the cells is rare?", "44% are rare.", "0.45", "0.46"),
    ("(1.50,1.54)", RATIO, "It is 1.52 (95% CI 1.2 to 1.9).", "1.50", "1.55"),
    ("(1.50,1.54)", RATIO, "The odds ratio is 1.50 to 1.54.", "1.54", "1.49"),
    ("(0.2, 0.6)", "What is the lower bound of the 95% CI?", "The lower bound is 0.3.", "0.6", "1"),
    ("(-0.25,0.25)", "What is the median change?", "It is 0.2.", "-0.25", "-0.3"),
    ("(1e-10,1e-12)", P_VALUE, "The p-value is 1e-11.", "1e-12", "2e-10"),
    ("0.2-0.3", CORRELATION, "The correlation is 0.25.", "0.3", "0.35"),
    ("0.2 to 0.3", CORRELATION, "It is approximately 0.2–0.3.", "0.2", "between 0.1 and 0.3"),
    ("between 4 and 6", CORRELATION, "5", "6", "6.1"),
    ("33-36% increase", "By how much did the odds increase?", "By 35%.", "33%", "37%"),
    ("$4-6 million", "What was the revenue?", "It was $5 million.", "$6 million", "$7 million"),
    ("p < 0.001", P_VALUE, "The p-value is 0.0003.", "p < 0.001", "The p-value is 0.03."),
    ("<0.05", P_VALUE, "The p-value is 2.3e-12.", "0.05", "p < 0.1"),
    ("(700,1000)", "Report the count of genes.", "There are 703 genes.", "1,000", "690"),
]


@pytest.mark.parametrize("grader", ["strict_keyword", "strict_blind"])
@pytest.mark.parametrize(("truth", "question", "inside", "at_end", "outside"), CASES)
def test_a_published_range_accepts_what_is_in_it(
    truth: str, question: str, inside: str, at_end: str, outside: str, grader: str
) -> None:
    for text in (inside, at_end):
        assert grade(text, truth, question, grader=grader).verdict == "correct", text
        assert verify(text, truth, question) == 1.0
    assert grade(outside, truth, question, grader=grader).verdict != "correct"
    assert verify(outside, truth, question) == 0.0


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("p < 0.001", True),
        ("t = 4.2, p<.001", True),
        ("p **< 0.001**", True),
        (r"$p \leq 0.001$", True),
        ("p &lt; 0.001", True),
        ("The answer is <0.001", True),
        ("**Final answer:** **< 0.001**", True),
        (r"$\boxed{<0.001}$", True),
        ("The answer is not < 0.001", False),
        ("The p-value is well below 0.001.", True),
        ("p-value: Less than 0.001", True),
        ("The p-value is less than or equal to 0.001.", True),
        ("The p-value is lower than 0.1%.", True),
        ("The p-value is below the 0.001 threshold.", True),
        ("The p-value is no more than 0.001.", True),
        ("The p-value is 0.001 or less.", True),
        ("The p-value is 0.00099.", True),
        ("The p-value is not less than 0.001.", False),
        ("The p-value is greater than 0.0002.", False),
        ("p > 0.001", False),
    ],
)
@pytest.mark.parametrize("grader", ["strict_keyword", "strict_blind"])
def test_an_upper_limit_is_told_in_many_ways(text: str, is_right: bool, grader: str) -> None:
    found = grade(text, "<0.001", P_VALUE, grader=grader)
    assert (found.verdict == "correct") is is_right
    assert verify(text, "<0.001", P_VALUE) == is_right


@pytest.mark.parametrize(
    ("truth", "question", "right", "wrong"),
    [
        ("(1.50,1.54)", "What is the 95% CI of the odds ratio?", "It is (1.50, 1.54).", "1.52"),
        ("(3, 4)", "What are the coordinates?", "They are (3, 4).", "3.5"),
        ("(3, 4)", "What is the mean and the median of age?", "3 and 4", "3.5"),
        ("(3, 4)", "What is the shape of the table?", "It is (3, 4).", "3.5"),
        ("[3, 4]", "What is the mean?", "[3, 4]", "3.5"),
        ("3 and 4", "What is the mean?", "3 and 4", "3.5"),
        ("18-65", "What is the age range of patients?", "The age range is 18 to 65.", "40"),
        ("18-25", "Which age group has the highest mean?", "The 18-25 group has it.", "20"),
        ("1-50", "In which patient volume group is it?", "The 1–50 patients group.", "20"),
        ("2010-2015", "In which period did sales grow?", "Sales grew from 2010 to 2015.", "2012"),
        ("3:2", "What is the ratio of men to women?", "The ratio is 3:2.", "The ratio is 13:2."),
        ("12th", "Which place did it reach?", "The answer is 12th.", "12"),
    ],
)
def test_two_numbers_that_are_no_range(truth: str, question: str, right: str, wrong: str) -> None:
    assert infer_answer_kind(truth, (), question) == "text"
    assert grade(right, truth, question).verdict == "correct"
    assert grade(wrong, truth, question).verdict == "incorrect"


@pytest.mark.parametrize(
    ("truth", "within", "beyond"),
    [
        (
            "(24,26)",
            ["25", "It is **25%**.", "25 or 26"],
            ["25 to 31", "20-25", "25 or 31", "25 ± 3", "25 or more", "**25%** or less",
             "at least 25", "less than 25"],
        ),
        ("<25", ["25", "p < 25", "less than 25", "below **25"], ["over 25", "at least 25"]),
    ],
)  # fmt: skip
def test_a_number_in_a_range_may_be_the_end_of_one_that_leaves_it(
    truth: str, within: list[str], beyond: list[str]
) -> None:
    criterion = criterion_for(truth, read_question(P_VALUE if truth[0] == "<" else SHARE), DEFAULT)
    assert criterion is not None
    for text in within + beyond:
        start = text.index("25")
        assert criterion.goes_beyond(text, (start, start + 2)) == (text in beyond), text


@pytest.mark.parametrize("grader", ["strict_keyword", "strict_blind"])
@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("It is (4, 6).", "correct"),
        ("(4, 6), then 3", "no_answer"),
        ("The share was 4 to 6 of 12 groups", "no_answer"),
    ],
)
def test_a_published_range_is_repeated_only_by_its_two_numbers(
    text: str, verdict: str, grader: str
) -> None:
    found = grade(text, "(4, 6)", "What share of the cells is rare?", grader=grader)
    assert found.verdict == verdict


@pytest.mark.parametrize("truth", ["2010-2015", "5-1", "(3,)", "(a,b)", "0.2", "p < 0.05", ""])
def test_what_is_no_range(truth: str) -> None:
    assert accepted_range(truth, "How many?") is None


def test_a_range_needs_a_question() -> None:
    assert accepted_range("(24,26)", "") is None
    assert grade("25", "(24,26)").verdict == "incorrect"


def test_a_years_tolerance_is_none() -> None:
    asked = "In which year did it end?"
    assert [grade(f"In {year}.", "2010", asked).verdict for year in (2010, 2011)] == [
        "correct",
        "incorrect",
    ]


def test_a_number_of_years_has_its_tolerance() -> None:
    assert grade("In 3.45.", "3.4", "In which year of the study did it end?").verdict == "correct"
    assert grade("There are 2020.", "2010", "How many rows are there?").verdict == "correct"
