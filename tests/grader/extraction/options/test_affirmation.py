from __future__ import annotations

import pytest

from grader import grade

QUESTION = "The file has prices. Does the new tax raise the price of bread? Answer yes or no."


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("I fitted a model. The new tax raises the price of bread.", "yes"),
        ("Therefore, the new tax does not raise the price of bread.", "no"),
        ("So the new tax doesn't raise the price of bread in these data.", "no"),
        ("The new tax does not raise the price of bread, as most of it is made of rice.", "no"),
        ("The new tax raises the price of bread because it is not made of rice.", "yes"),
        ("The new tax raises the price of bread. The p-value is 0.03.", "yes"),
        # not all that was asked, or taken back
        ("The new tax lowers the price of bread.", None),
        ("The tax raises the price of bread.", None),
        ("The new tax raises the price of bread. But the p-value is 0.3.", None),
        ("The new tax raises the price of bread. This is not significant.", None),
        # open, or asked back
        ("The new tax may raise the price of bread.", None),
        ("The new tax raises the price of bread only in cities.", None),
        ("If wages rise, the new tax raises the price of bread.", None),
        ("There is no evidence that the new tax raises the price of bread.", None),
        ("Does the new tax raise the price of bread?", None),
        ("It is not so that the new tax does not raise the price of bread.", None),
    ],
)
def test_a_sentence_that_says_all_that_is_asked(text: str, answer: str | None) -> None:
    for truth in ("yes", "no"):
        expected = "no_answer" if answer is None else "correct" if answer == truth else "incorrect"
        assert grade(text, truth, QUESTION).verdict == expected


@pytest.mark.parametrize(
    "question",
    [
        "What is the price of bread?",
        "Isn't the price of bread high?",
        "Is it so?",
    ],
)
def test_other_questions_are_not_answered_so(question: str) -> None:
    sentence = question.replace("?", ".").replace("Is ", "It is ").replace("Isn't", "Is")
    assert grade(sentence, "yes", question).verdict == "no_answer"


def test_the_order_of_what_is_compared_decides() -> None:
    question = "Is bread more expensive than rice?"
    assert grade("So bread is more expensive than rice.", "yes", question).verdict == "correct"
    assert grade("Bread isn't more expensive than rice.", "no", question).verdict == "correct"
    assert grade("Rice is more expensive than bread.", "yes", question).verdict == "no_answer"
