from __future__ import annotations

import pytest

from grader import extract

QUESTION = "What was the effect of the charge on traffic?"
OPTIONS = ("increase", "decrease", "no change")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The charge brought traffic down, by roughly 13%.", "decrease"),
        ("Traffic rose by 4 cars an hour.", "increase"),
        ("Traffic fell by 0.4 cars (p = 0.61).", None),
        ("Traffic fell by 0.4 cars, which is indistinguishable from zero.", None),
        ("Traffic may have fallen.", None),
        ("Traffic rose first and fell later.", None),
        ("Prices fell.", None),
    ],
)
def test_a_change_in_other_words(text: str, answer: str | None) -> None:
    assert extract(text, QUESTION, choices=OPTIONS, parser="keyword").scalar == answer


def test_other_options() -> None:
    said = extract("Traffic fell.", QUESTION, choices=("up", "sideways"), parser="keyword")
    assert said.scalar is None
