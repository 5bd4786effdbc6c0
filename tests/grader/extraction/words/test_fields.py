"""Answers in named fields, as DAEval publishes and asks for them."""

from __future__ import annotations

import pytest

from grader import grade
from grader.extraction.answer_kind import infer_answer_kind
from grader.extraction.words.fields import published_fields

BOTH = "[['trend', 'linear'], ['mean', '4.25']]"
QUESTION = "What is the trend? Give @trend[trend] and @mean[mean]."


@pytest.mark.parametrize(
    ("truth", "names"),
    [
        (BOTH, ["trend", "mean"]),
        ('[["trend", "linear"], ["mean", 4.25]]', ["trend", "mean"]),
        ("@trend[linear], @mean[4.25]", ["trend", "mean"]),
        ("@both[[3, 4]]\n@none[]", ["both", "none"]),
        ("[['a', '']]", ["a"]),
        ("[[1, 2], [3, 4]]", []),
        ("['a', 'b']", []),
        ("write to a@b[c] or @d", []),
        ("linear", []),
        ("[]", []),
        ("", []),
    ],
)
def test_the_names_of_published_fields(truth: str, names: list[str]) -> None:
    assert [field.name for field in published_fields(truth)] == names


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("@trend[linear]\n@mean[4.25]", "correct"),
        ("Final Answer: @mean[4.25] @trend[Linear]", "correct"),
        ("@Trend[linear], @MEAN[4.26]", "correct"),
        ("@trend[none] @mean[4.25]\n\nCorrected:\n@trend[linear] @mean[4.25]", "correct"),
        ("@trend[linear] @mean[4.25]\n\nCorrected:\n@trend[none] @mean[4.25]", "incorrect"),
        ("@trend[nonlinear] @mean[4.25]", "incorrect"),
        ("@trend[linear] @mean[5.25]", "incorrect"),
        ("@trend[linear] @mean[]", "incorrect"),
        ("@mean[4.25]", "incorrect"),
        ("@trend[linear] @median[4.25]", "incorrect"),
    ],
)
@pytest.mark.parametrize("truth", [BOTH, "@trend[linear] @mean[4.25]"])
@pytest.mark.parametrize("grader", ["strict_keyword", "strict_blind"])
def test_every_field_must_be_given(text: str, verdict: str, truth: str, grader: str) -> None:
    said = f"The trend was found.\n\n{text}"
    assert grade(said, truth, QUESTION, grader=grader).verdict == verdict


@pytest.mark.parametrize(
    ("truth", "text", "verdict"),
    [
        ("[['mean_fare', '34.65']]", "@mean_fare[34.65]", "correct"),
        ("@mean_fare[34.65]", "The mean fare is 34.65.", "correct"),
        ("@mean_fare[34.65]", "@mean_fare[44.65]", "incorrect"),
        ("[['trend', 'none']]", "@trend[none]", "correct"),
        ("[['trend', 'none']]", "@trend[linear]", "incorrect"),
        ("[['top', '3, 4'], ['n', '2']]", "@top[4, 5] @n[2]", "incorrect"),
        ("[['top', '3, 4'], ['n', '2']]", "@n[2] @top[3, 4]", "correct"),
        ("[['p', '0.1'], ['p', '0.2']]", "@p[0.1]\n@p[0.2]", "correct"),
        ("[['p', '0.1'], ['p', '0.2']]", "@p[0.2]\n@p[0.1]", "incorrect"),
        ("[['p', '0.1'], ['p', '0.2']]", "@p[0.2]", "incorrect"),
        ("[['n', '140'], ['mean', '4.2']]", "@n[140.0] @mean[4.2]", "correct"),
        ("[['n', '140'], ['mean', '4.2']]", "@n[139] @mean[4.2]", "incorrect"),
        ("[['mean', '4500'], ['sd', '1200']]", "@mean[4510.0] @sd[1200.0]", "correct"),
    ],
)
def test_one_field_lists_and_repeated_names(truth: str, text: str, verdict: str) -> None:
    asked = "What is the mean fare? Answer as @mean_fare[mean]."
    assert grade(text, truth, asked).verdict == verdict


def test_the_kind_of_answer() -> None:
    assert infer_answer_kind(BOTH) == "text"
    assert infer_answer_kind("[['trend', 'linear']]") == "text"
