"""Which option an output settles on, as the graders see it."""

from __future__ import annotations

import pytest

from grader import grade
from grader.records import Task
from tests.grader.transcripts import grade_strict, transcript

from .choice_tasks import GROUPS, LETTERS, YES_NO

CAUSES = Task(
    task_id="c",
    question="Which is it?",
    ground_truth="A",
    answer_kind="choice",
    choices=("A. X causes Y", "B. Y causes X", "C. No causal relation"),
)


DECISION = Task(
    task_id="d",
    question='Test it at 5%. What is your decision? Reply with "accept" or "reject".',
    ground_truth="reject",
    answer_kind="choice",
)


def test_of_many_mentions_the_last_ones_count() -> None:
    text = "yes or no, " * 2000 + "so the answer is no."
    assert grade_strict(transcript(text, YES_NO), "strict_keyword").verdict == "correct"


@pytest.mark.parametrize(
    ("text", "task", "verdict"),
    [
        ("The data show no link.\n\nAnswer: **C**", LETTERS, "correct"),
        ("We compared A and B. Therefore the answer is A.", LETTERS, "incorrect"),
        ("The control group did better than the treatment group. So the answer is "
         '"control group".', GROUPS, "correct"),
        ("<reasoning>maybe the treatment group</reasoning><answer>control group</answer>",
         GROUPS, "correct"),
        ("No, it is not significant.", YES_NO, "correct"),
        ("I cannot tell.", GROUPS, "no_answer"),
        ("With p = 0.001, we reject the null hypothesis.", DECISION, "correct"),
        ("With p = 0.3 we cannot reject it, so the decision is: accept.", DECISION, "incorrect"),
        ('If p is below 0.05, one would choose "reject", otherwise "accept". The test has yet to be'
         " carried out.", DECISION, "no_answer"),
    ],
)  # fmt: skip
def test_choice_tasks_go_through_the_same_graders(text: str, task: Task, verdict: str) -> None:
    for grader in ("strict_keyword", "strict_blind"):
        assert grade_strict(transcript(text, task), grader).verdict == verdict


@pytest.mark.parametrize(
    "text",
    [
        "The answer is A and B.",
        "<answer>A, B, C</answer>",
        "Answer: A/B",
        r"\boxed{A, B}",
        "**A** and **B**",
        "Answer: (A) or (B)",
        "I conclude: X causes Y and Y causes X.",
    ],
)
@pytest.mark.parametrize("truth", ["A", "B", "C"])
def test_a_list_of_options_is_no_answer(text: str, truth: str) -> None:
    for grader in ("strict_keyword", "strict_blind"):
        graded = grade(text, CAUSES.model_copy(update={"ground_truth": truth}), grader=grader)
        assert (graded.verdict, graded.reason) == ("no_answer", "ambiguous")


@pytest.mark.parametrize(
    "text",
    [
        "Options A, B and C were weighed. The answer is A.",
        "I rule out B and C. The answer is A.",
        "A, because X moves first.",
        "The answer is A, not B.",
        "The answer is A, and B is clearly wrong.",
        "Answer: **A**, B was rejected.",
        "The answer is A, B and C are wrong.",
        "I choose A and C is excluded.",
    ],
)
def test_a_list_of_options_beside_an_answer_is_none(text: str) -> None:
    assert grade(text, CAUSES).verdict == "correct"


def test_several_options_left_are_ambiguous() -> None:
    text = "The treatment group and the control group were both large."
    grade = grade_strict(transcript(text, GROUPS), "strict_keyword")
    assert (grade.verdict, grade.reason) == ("no_answer", "ambiguous")
    assert grade.value == "control group"  # the last


@pytest.mark.parametrize(
    ("text", "low"),
    [("B", True), ("Y causes X is more likely, so B", False), ("Neither.", True)],
)
def test_low_confidence_is_that_of_the_region(text: str, low: bool) -> None:
    evidence = grade_strict(transcript(text, LETTERS), "strict_keyword").evidence
    assert evidence["low_confidence"] is low
    assert (evidence["region_score"] <= 0.1) is low


REJECT = Task(
    task_id="t",
    question='Is the null hypothesis tenable? Please answer with "accept" or "reject".',
    ground_truth="reject",
    answer_kind="choice",
)


@pytest.mark.parametrize("grader", ["strict_keyword", "strict_blind"])
@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("The p-value is 0.21. Therefore, we fail to reject the null hypothesis.", "accept"),
        ("We cannot reject it.", "accept"),
        ("We don't reject the null hypothesis.", "accept"),
        ("There is not enough evidence to reject the null.", "accept"),
        ("There is insufficient evidence to reject.", "accept"),
        ("We fail to reject the null, so we accept it.", "accept"),
        ("Not surprisingly, we reject the null hypothesis.", "reject"),
        ("The null hypothesis cannot be true; we do not accept it.", "reject"),
    ],
)
def test_of_accept_and_reject_one_denied_is_the_other(text: str, option: str, grader: str) -> None:
    for truth in ("accept", "reject"):
        task = REJECT.model_copy(update={"ground_truth": truth})
        verdict = "correct" if option == truth else "incorrect"
        assert grade(text, task, grader=grader).verdict == verdict


def test_with_a_third_option_a_denied_one_is_no_other() -> None:
    task = Task(
        task_id="t", ground_truth="accept", choices=("accept", "reject", "undecided"),
        answer_kind="choice",
    )  # fmt: skip
    assert grade("We cannot reject it.", task).verdict == "no_answer"


RAIN = ("rain causes harvest", "harvest causes rain", "no causal relationship")
CHANGES = ("increase", "decrease", "no change")


@pytest.mark.parametrize("grader", ["strict_keyword", "strict_blind"])
@pytest.mark.parametrize(
    ("text", "choices", "option"),
    [
        ("The direction is: rain → harvest", RAIN, RAIN[0]),
        ("rain -> harvest fits best", RAIN, RAIN[0]),
        ("By all tests, harvest is caused by rain.", RAIN, RAIN[0]),
        ("So rain is the likely cause of harvest.", RAIN, RAIN[0]),
        ("Score(rain → harvest) = 0.2, Score(harvest → rain) = 0.7\n\nResult: harvest → rain",
         RAIN, RAIN[1]),
        ("We found no evidence of a causal relationship.", RAIN, RAIN[2]),
        ("Visits decreased after the change.", CHANGES, "decrease"),
        ("Visits increased from 3 to 5 (p = 0.01).", CHANGES, "increase"),
        ("There is no significant change in visits.", CHANGES, "no change"),
        ("Visits increased by 0.1, which is not significant.", CHANGES, None),
        ("The p-value is 0.3. No change.", CHANGES, "no change"),
        ("That leaves the last option. C", ("A", "B", "C"), "C"),
        ("Is it normal? No.\n\nWe compared the medians.", ("yes", "no"), None),
        ("Is it normal?\nno", ("yes", "no"), None),
        ("The interval excludes 0. Yes.", ("yes", "no"), "yes"),
        ("<pre>p = 0.2\nno</pre>", ("yes", "no"), "no"),
        ("It is not a trial but rather a survey.", ("trial", "survey"), "survey"),
        ("Matching is the right tool. A fit gives 0.2.", ("matching", "regression"), "matching"),
        ("Some say no, but by the rule we accept it. It is 0.", ("accept", "reject"), "accept"),
        ("So there is a gap.", ("There's a gap", "There isn't"), "There's a gap"),
        ("It isn't normal, I think.", ("It is normal", "It is not normal"), "It is not normal"),
    ],
)  # fmt: skip
def test_plain_ways_to_give_an_option(
    text: str, choices: tuple[str, ...], option: str | None, grader: str
) -> None:
    for truth in choices:
        task = Task(task_id="t", ground_truth=truth, choices=choices, answer_kind="choice")
        passes = grade(text, task, grader=grader).verdict == "correct"
        assert passes == (truth == option)


@pytest.mark.parametrize("grader", ["strict_keyword", "strict_blind"])
@pytest.mark.parametrize(
    "denial",
    ["not statistically significant", "n't significant", "far from significant", "non-significant"],
)
def test_a_denial_chooses_the_opposite_where_it_is_an_option(denial: str, grader: str) -> None:
    options = ("significant", "not significant")
    task = Task(task_id="t", ground_truth="not significant", choices=options, answer_kind="choice")
    graded = grade(f"The effect is {denial}.", task, grader=grader)
    assert (graded.verdict, graded.value) == ("correct", denial)


def test_an_option_called_wrong_is_not_chosen() -> None:
    task = Task(task_id="t", ground_truth="B", choices=("A", "B", "C"), answer_kind="choice")
    assert grade("Option B is incorrect. The answer is C.", task).value == "C"
    assert grade("The answer: it can't be B.", task).verdict == "no_answer"


@pytest.mark.parametrize("grader", ["strict_keyword", "strict_blind"])
@pytest.mark.parametrize(
    ("text", "question", "truth", "verdict"),
    [
        ("The answer is Yes.", "Is it regular?", "True", "correct"),
        ("The answer is Yes.", "Is it regular?", "False", "incorrect"),
        ("No, it is not.", "Is it true that it is regular?", "False", "correct"),
        ("It has a zero.\n\n**Answer:** no", "Is it true or false?", "True", "incorrect"),
        (r"\boxed{\text{True}}", "Is it regular? Answer yes or no.", "yes", "correct"),
        ("False, since a row is zero.", "Is it regular?", "yes", "incorrect"),
        ("Thus the true rank is 3. The answer is no.", "Is it regular?", "True", "incorrect"),
        ("It was not fitted.\n<pre>True</pre>", "Is it regular?", "yes", "no_answer"),
        ("Therefore the null hypothesis is false.", "Is it stationary?", "no", "no_answer"),
        ("True positives: 5\nFalse positives: 4", "Is it good?", "yes", "no_answer"),
        ("True: 5\nFalse: 4", "Is it good?", "yes", "no_answer"),
        ("False.", "Is it false that it is regular?", "no", "no_answer"),
        ("No, there is none.", "Is there no zero row?", "False", "no_answer"),
        ("No.", "True or false? Say no if you abstain, else yes.", "False", "no_answer"),
        ("No, it is not.", "The effect is not significant. True or false?", "False", "no_answer"),
        ("Yes, they differ.", "The groups don't differ.", "True", "no_answer"),
    ],
)
def test_yes_is_true_and_no_is_false(
    text: str, question: str, truth: str, verdict: str, grader: str
) -> None:
    assert grade(text, truth, question, grader=grader).verdict == verdict
