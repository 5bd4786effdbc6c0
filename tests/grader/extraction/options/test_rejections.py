from __future__ import annotations

import pytest

from grader import extract

NORMAL = "Is reaction time normally distributed (Shapiro-Wilk, 5 %)?"
STATIONARY = "Is the series stationary at the 5% level?"
RELATED = "Is there an association between shift and defects (chi-square test of independence)?"


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        (NORMAL, "With W = 0.84 and p < 0.001, the hypothesis of normality is rejected.", "no"),
        (NORMAL, "W = 0.99, p = 0.42: normality cannot be rejected.", "yes"),
        (NORMAL, "None of the three tests rejects normality.", "yes"),
        (NORMAL, "Levene's test rejects equal variances, p = 0.01.", None),
        (NORMAL, "If p is below 0.05, normality is rejected.", None),
        (STATIONARY, "With p = 0.85 we cannot reject the null of a unit root.", "no"),
        (STATIONARY, "The unit root is rejected (p = 0.002).", "yes"),
        (STATIONARY, "By KPSS, the null hypothesis is rejected (p = 0.01).", None),
        (RELATED, "Independence is rejected: defects depend on the shift.", "yes"),
        (RELATED, "We fail to reject the null hypothesis.", "no"),
        (
            RELATED,
            "The first test rejects the null hypothesis. The second does not reject it.",
            None,
        ),
        ("What is the mean?", "The null hypothesis is rejected.", None),
    ],
)
def test_what_a_rejection_means(question: str, text: str, answer: str | None) -> None:
    assert extract(text, question, choices=("yes", "no"), parser="keyword").scalar == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("With p = 0.19, the null hypothesis is retained.", "accept"),
        ("Levene's test rejects equal variances; the mean was not tested.", None),
    ],
)
def test_accept_or_reject(text: str, answer: str | None) -> None:
    question = "Is the mean weight 500 g? Will you accept or reject the hypothesis?"
    assert extract(text, question, choices=("accept", "reject"), parser="keyword").scalar == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The null hypothesis of homoskedastic errors is rejected.", "heteroskedastic"),
        ("We reject the null hypothesis of homoskedastic errors.", "heteroskedastic"),
        ("We cannot reject the null hypothesis of homoskedastic errors.", "homoskedastic"),
        ("The null hypothesis of homoskedastic errors is not rejected.", "homoskedastic"),
        ("The null of constant variance is not rejected (p = 0.4).", "homoskedastic"),
        ("If p is below 0.05, the null hypothesis is rejected.", None),
    ],
)
def test_two_names_for_what_is_decided(text: str, answer: str | None) -> None:
    question, names = "Are the errors heteroskedastic?", ("heteroskedastic", "homoskedastic")
    assert extract(text, question, choices=names, parser="keyword").scalar == answer


@pytest.mark.parametrize(
    ("text", "options", "answer"),
    [
        ("Normality is rejected.", ("normal", "not normal"), "not normal"),
        ("Normality is hardly rejected.", ("normal", "not normal"), "normal"),
        ("Normality is rejected.", ("normal", "Poisson"), None),
        ("Homoskedasticity is rejected.", ("normal", "not normal"), None),
        ("The t-test rejects the null hypothesis.", ("normal", "not normal"), None),
        ("Normality is neither rejected nor accepted.", ("normal", "not normal"), None),
        (
            "The null hypothesis of equal means is rejected.",
            ("equal variances", "unequal variances"),
            None,
        ),
        (
            "The null hypothesis of equal variances is not rejected.",
            ("equal variances", "unequal variances"),
            "equal variances",
        ),
    ],
)
def test_what_is_rejected_must_be_what_an_option_names(
    text: str, options: tuple[str, str], answer: str | None
) -> None:
    assert extract(text, "What are they?", choices=options, parser="keyword").scalar == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("We reject the null hypothesis of no difference; treatment is better.", "treatment"),
        ("We reject the null hypothesis of no difference.", None),
        ("We fail to reject the null hypothesis of no difference.", "no difference"),
        ("We lack evidence to reject the null hypothesis of no difference.", "no difference"),
        ("We do not, at 5 %, reject the null hypothesis of no difference.", "no difference"),
        ("The null hypothesis of no difference cannot be rejected.", "no difference"),
    ],
)
def test_the_null_hypothesis_is_one_of_three_options(text: str, answer: str | None) -> None:
    options = ("treatment", "control", "no difference")
    found = extract(text, "Which group is better?", choices=options, parser="keyword")
    assert found.scalar == answer
