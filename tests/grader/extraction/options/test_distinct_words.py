from __future__ import annotations

import pytest

from grader import extract

TESTS = ("two-sample t-test", "paired t-test", "chi-square test of independence")


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("I would go with the t-test on the differences, i.e. the paired one.", "paired t-test"),
        ("The paired version is the right one here.", "paired t-test"),
        ("I recommend the paired version.\n\n**Suggestions:**", "paired t-test"),
        ("The paired version has more power.", None),
        ("I would not go with the paired version.", None),
        ("I recommend the paired version, unless independence is of interest.", None),
        ("I prefer the paired one to the chi-square.", None),
        ("Is the paired version the right one?", None),
        ("I recommend more data.", None),
    ],
)
def test_an_option_chosen_by_a_word_of_its_own(text: str, option: str | None) -> None:
    assert extract(text, "Which test is appropriate?", choices=TESTS).scalar == option


def test_other_forms_of_a_word() -> None:
    question = "Which clinic is better?"
    said = extract("I'd choose the northern one.", question, choices=("North", "South"))
    assert said.scalar == "north"
