"""What speaks for and against an option: how others talk of it, and how the answer is given."""

from __future__ import annotations

import pytest

from grader import grade
from grader.extraction.options.choices import options
from grader.records import Task

from ..options.choice_tasks import LETTERS, YES_NO

TRUE_FALSE = Task(
    task_id="s", question="Is the statement true or false?", ground_truth="true",
    answer_kind="choice",
)  # fmt: skip
CHANGE = Task(
    task_id="c", question="How did clicks change?", ground_truth="decrease", answer_kind="choice",
    choices=("increase", "decrease", "no change"),
)  # fmt: skip
TEST = Task(
    task_id="m", question="Which test?", ground_truth="paired t-test", answer_kind="choice",
    choices=("paired t-test", "z-test", "sign test"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "task", "answer"),
    [
        # what would be, or others would say
        ("If the error were random, the answer would be B. It is not: I choose A.", LETTERS, "a"),
        ("Most textbooks would answer that A holds. Here the answer is C.", LETTERS, "c"),
        ("Rule: if p < 0.05, the answer is yes. As p = 0.3, the answer is no.", YES_NO, "no"),
        # a statement judged in other words
        ("One may suspect that it is false, but the statement is correct.", TRUE_FALSE, "true"),
        ("In small samples it is true, yet the claim as a whole fails.", TRUE_FALSE, "false"),
        ("The statement is not true.", TRUE_FALSE, "false"),
        # a list that only offers the options
        ("The answer (yes or no) is no.", YES_NO, "no"),
        ("The answer (yes or no) is open.", YES_NO, None),
        # words that are no answers
        ("No. of weeks = 104.\n\nResult: yes", YES_NO, "yes"),
        ("Do the values vary? Yes. Is it normal? We cannot tell.", YES_NO, None),
        ("There is no definitive answer to this, as it depends on the data.", YES_NO, None),
        ("No strong deviation can be seen.\n\nSo the answer is yes.", YES_NO, "yes"),
        ("The decrease of 7.2 clicks is not significant, so there is no change.", CHANGE,
         "no change"),
        ('The result "no change" would be wrong. The answer is: decrease.', CHANGE, "decrease"),
        ("I see no grounds on which one could call it a z-test.", TEST, None),
        ("The code fitted it. A z-test would need more data.", TEST, None),
        # how an answer is given
        ("A ✗\nB ✗\nC ✓", LETTERS, "c"),
        ("I compared the three.\n\nMost probable: C", LETTERS, "c"),
        ("Alternative: z-test\n\nI choose the sign test.", TEST, "sign test"),
        ("That leaves B.", LETTERS, "b"),
        ("Best test: sign test", TEST, "sign test"),
        ("Subgroup winner: sign test\n\nThe z-test was run last.", TEST, "sign test"),
        ("Since p is 0.004, we keep the z-test. There is more to say.", TEST, "z-test"),
        ("Now to the question whether we can take the z-test.", TEST, None),
        ("P(A) = 0.93, P(B) = 0.05.\n\nMost probable: B", LETTERS, "b"),
        ("The answer is the paired t‑test.", TEST, "paired t-test"),
    ],
)  # fmt: skip
def test_the_option_that_is_settled_on(text: str, task: Task, answer: str | None) -> None:
    for option in options(task):
        accepted = grade(text, task.model_copy(update={"ground_truth": option})).verdict
        assert (option, accepted == "correct") == (option, option.lower() == answer)


def test_more_options_than_can_be_looked_for() -> None:
    task = CHANGE.model_copy(update={"choices": tuple(f"option {n}" for n in range(201))})
    assert grade("option 7", task).reason.startswith("too_many_choices: 201")
