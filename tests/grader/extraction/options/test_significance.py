from __future__ import annotations

import pytest

from grader import extract
from grader.make_task import make_task
from tests.grader.transcripts import grade_strict, transcript

QUESTION = "Is the difference significant at the 5% level?"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The difference is not significant (p = 0.3).", "no"),
        ("The difference is statistically significant at the 5% level.", "yes"),
        ("There is no significant difference.", "no"),
        ("The groups differ significantly (p = 0.003).", "yes"),
        ("The difference is insignificant.", "no"),
        ("The difference isn't significant. So it is not significant in either test.", "no"),
        ("It is significant for men but not for women.", None),
        ("It would be significant with more data.", None),
        ("The first is significant. The second is not significant.", None),
        ("The p-value is 0.3 at a significance level of 5%.", None),
        ("We test for significant differences.", None),
    ],
)
def test_what_is_said_of_significance(text: str, answer: str | None) -> None:
    for truth in ("yes", "no"):
        said = transcript(text, make_task("t", QUESTION, truth))
        expected = "no_answer" if answer is None else "correct" if answer == truth else "incorrect"
        assert grade_strict(said, "strict_keyword").verdict == expected


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("We do have convincing evidence, if not overwhelming, that they are not equal.", "yes"),
        ("There is no convincing evidence that the means differ.", "no"),
        ("There is insufficient evidence.", "no"),
        ("It is not enough evidence to say so.", "no"),
        ("Whether there is enough evidence depends on the test.", None),
    ],
)
def test_what_is_said_of_evidence(text: str, answer: str | None) -> None:
    question = "Is there convincing evidence that the means differ? Answer yes, no or unclear."
    choices = ("yes", "no", "unclear")
    assert extract(text, question, choices=choices).scalar == answer


def test_other_questions_are_not_answered_so() -> None:
    for question in ("Is the mean positive?", "Is the difference not significant?"):
        said = transcript("The difference is significant.", make_task("t", question, "yes"))
        assert grade_strict(said, "strict_keyword").verdict == "no_answer"
