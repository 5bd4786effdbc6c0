"""Numbers that the prose refers to by their row, in place of saying them."""

from __future__ import annotations

import pytest

from grader import extract

TABLE = """\
             coef      se        z
const      0.6226  0.0481  12.9434
age        0.2752  0.0488   5.6330
income    -0.0424  0.0067  -6.3210"""
LINES = """\
sessions in file: 870
share of returns: 12.5%
more than 60 days: 14 of 62 (22.6%)"""

LABELLED = """\
--- logit ---
LC10 0.85   LC50 3.33   LC90 13.07
--- probit ---
LC10 0.85   LC50 3.30   LC90 12.73"""


def said(printed: str, prose: str) -> str:
    return f"```python\nprint(result)\n```\n<pre>\n{printed}\n</pre>\n\n{prose}"


@pytest.mark.parametrize(
    ("printed", "prose", "question", "answer"),
    [
        (TABLE, "The requested estimate is in the row `age`. With 1200 rows it is precise (7.8).",
         "What is the coefficient of age?", 0.2752),
        (TABLE, "The income row is what you need. The model has 3 terms and a deviance of 509.6.",
         "What is the coefficient of income?", -0.0424),
        (TABLE, "The standard error of income is in the last line. The deviance is 509.6.",
         "What is the standard error of income?", 0.0067),
        (LINES, "The last row has the percentage asked for. The mean duration is 42.7 days.",
         "What percentage of the strikes lasted longer than 60 days?", 22.6),
        (LINES, "The percentage is in the line for share of returns. The mean is 42.7 days.",
         "What percentage of the orders is returned?", 12.5),
        (LABELLED, "See the line for LC10, LC50 and LC90. Mortality rises from 2.5 to 97.5.",
         "What is the LC50 according to a logistic regression?", 3.33),
        (TABLE, "All agree on a gain of 3.9 points; the z asked for stands in the row `age`.",
         "What is the z statistic of age?", 5.6330),
        (TABLE, "The coefficient of income is the `income` printed above, in units of 10^8.",
         "What is the coefficient of income?", -0.0424),
        (f"{TABLE}\n\nNumber of tables    2\nTotal n          1500",
         "The coefficient is in the row `age` of the first table. The deviance is 509.6.",
         "What is the coefficient of age?", 0.2752),
        ("\n".join([*TABLE.split("\n"), *(f"x{n}  0.{n}  1.{n}  2.{n}" for n in range(10, 60))]),
         "The coefficient needed is in the row `age`. The deviance is 509.6.",
         "What is the coefficient of age?", 0.2752),
    ],
)  # fmt: skip
def test_a_row_is_referred_to(printed: str, prose: str, question: str, answer: float) -> None:
    assert extract(said(printed, prose), question).scalar == answer


def test_a_row_of_a_table_in_prose_is_referred_to() -> None:
    table = (
        "| Method | Km | Vmax |\n|---|---|---|\n| Linear | 30.02 | 125.5 |\n| Fit | 25.45 | 113.3 |"
    )
    text = f"{table}\n\nUse the nonlinear fit, as you asked, so Km of the last row."
    assert extract(text, "What is Km by a nonlinear fit?").scalar == 25.45


@pytest.mark.parametrize(
    "prose",
    [
        "The row `age` holds the coefficient, which is 0.31 after weighting.",  # says a number
        "The row `age` looks fine. The coefficient of income is 0.31.",  # about something else
        "The coefficient of income is 0.31, and the row `weight` was dropped.",  # no such row
        "The coefficient of income is 0.31. Do not use the last line.",
        "The dashed line is the trend. The coefficient of income is 0.31.",  # a line in a plot
    ],
)
def test_a_number_in_prose_is_the_answer(prose: str) -> None:
    assert extract(said(TABLE, prose), "What is the coefficient of income?").scalar == 0.31
