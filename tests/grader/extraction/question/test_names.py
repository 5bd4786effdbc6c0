from __future__ import annotations

import pytest

from grader.extraction.question.names import (
    abbreviations_in,
    acronyms_of,
    name_asked,
    only_held_fixed,
)


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("what is the partial correlation between x and y?", "partial correlation"),
        ("how many rows are missing?", "rows"),
        ("by how much did sales rise in may?", "sales rise in may"),
        ("which city is it?", ""),
    ],
)
def test_name_asked(asked: str, name: str) -> None:
    assert name_asked(asked) == name


def test_acronyms() -> None:
    assert acronyms_of("compound annual growth rate of sales", "") >= {"CAGR"}
    assert acronyms_of("effect", "the effect on the treated") == {"ATT", "ATET", "TOT"}


def test_abbreviations_stand_for_words_in_a_row() -> None:
    found = abbreviations_in("by inverse probability weighting, and the value at risk", frozenset())
    assert found == {
        "ipw": ("inverse", "probability", "weighting"),
        "var": ("value", "at", "risk"),
    }
    assert abbreviations_in("by inverse probability weighting", frozenset({"IPW"})) == {}
    assert abbreviations_in("the mean of it", frozenset()) == {}
    assert "chance" in abbreviations_in("the probability of it", frozenset())


@pytest.mark.parametrize(
    ("asked", "held"),
    [
        ("what is the odds ratio for smokers, adjusted for age, sex and bmi?",
         {"age", "sex", "bmi"}),
        ("controlling for income in a logit, what is the effect of income?", set()),
        ("controlling for income using a logit, what is the effect of age?", {"income"}),
        ("what is the rate for men?", set()),
    ],
)  # fmt: skip
def test_what_is_only_adjusted_for(asked: str, held: set[str]) -> None:
    assert only_held_fixed(asked) == held
