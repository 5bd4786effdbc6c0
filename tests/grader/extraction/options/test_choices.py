from __future__ import annotations

import pytest

from grader import grade
from grader.extraction.answer_kind import infer_answer_kind
from grader.extraction.options.choices import (
    find_options,
    normalise_option,
    options,
)
from grader.files.json_input import as_choices
from grader.make_task import make_task
from grader.records import Task
from grader.strict import STRICT_GRADERS
from tests.grader.transcripts import grade_strict, transcript

from .choice_tasks import GROUPS, LETTERS, YES_NO


@pytest.mark.parametrize(
    ("truth", "choices", "question", "kind"),
    [
        ("0.20", (), "", "number"),
        ("5.36%", (), "", "percent"),
        ("B", (), "", "choice"),
        ("no", (), "", "choice"),
        ("control group", ("a", "b"), "", "choice"),
        ("control group", (), GROUPS.question, "choice"),
        ("linear model", (), "", "text"),
        (None, (), "", "number"),
        ("<NA>", (), "", "number"),
        ("12 days", (), "", "number"),
        ("about 5", (), "", "number"),
        ("Approx. $5", (), "", "number"),
        ("~5", (), "", "number"),
        ("[4, 6]", (), "", "text"),
        ('{"a": 5}', (), "", "number"),
        ("above average", (), "", "text"),
        ("Group 2", (), "", "text"),
        ("Under 18", (), "", "text"),
        ("more than 5", (), "", "text"),
        ("from 2000 to 2010", (), "", "text"),
        ("model_a: 2", (), "", "number"),
        ("k=3", (), "", "text"),
        ('["Group 2", "x1"]', (), "", "text"),
        ("ARIMA(1, 1)", (), "", "text"),
        ("18-25", (), 'Is it "18-25" or "26-40"?', "choice"),
        ("tall", (), 'Is "tall" in "a.csv" or "b.csv"?', "text"),
    ],
)
def test_infer_answer_kind(truth: str | None, choices: tuple, question: str, kind: str) -> None:
    assert infer_answer_kind(truth, choices, question) == kind


def test_lettered_options_carry_their_wording() -> None:
    assert options(LETTERS) == {
        "a": "X causes Y", "b": "Y causes X", "c": "No causal relationship exists"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "task", "expected"),
    [
        ("C", LETTERS, "c"),
        ("(c).", LETTERS, "c"),
        ("**C**", LETTERS, "c"),
        ("\\boxed{\\text{C}}", LETTERS, "c"),
        ("C. No causal relationship exists", LETTERS, "c"),
        ("no causal relationship exists.", LETTERS, "c"),
        ("Answer: C", LETTERS, "c"),
        ("D", LETTERS, None),
        ("A or B", LETTERS, None),
        ("Control Group", GROUPS, "control group"),
        ("No.", YES_NO, "no"),
        ("False", YES_NO, "no"),
    ],
)
def test_normalise_option(text: str, task: Task, expected: str | None) -> None:
    assert normalise_option(text, task) == expected


def test_a_letter_counts_only_as_an_answer() -> None:
    text = "A test was run. The final answer is B because A does not fit X."
    assert [c.value for c in find_options(text, LETTERS)] == ["b"]


def test_a_longer_option_hides_the_shorter_one_in_it() -> None:
    task = Task(task_id="t", question="q", ground_truth="not reject", answer_kind="choice")
    found = find_options("Reject or not reject? I reject it.", task)
    assert [(c.value, c.text) for c in found] == [
        ("reject", "Reject"), ("not reject", "not reject"), ("reject", "reject")
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["Answer:\nB", "** The answer is\n\n B", "-\n-\n*B*", "B\n."])
def test_a_letter_may_stand_on_a_line_of_its_own(text: str) -> None:
    assert [c.value for c in find_options(text, LETTERS)] == ["b"]


@pytest.mark.parametrize(
    ("question", "truths", "expected"),
    [
        ("Which?", ("yes", "No"), ("yes", "no")),
        ("Which?", ("A", "d", "(b)"), tuple("abcdefghij")),
        ('Is it "cats" or "dogs"?', ("cats", "dogs"), ("cats", "dogs")),
        ("Which animal?", ("cats", "dogs", "", None), ()),
        ("Given the 'age' column, is it high? Say 'Yes' or 'No'.", ("yes", "NO"), ("yes", "no")),
        ("Is 'ab' above 'cd'? Say 'ab', 'cd', or 'tie'.", ("ab", "tie"), ("ab", "cd", "tie")),
        ('Answer "up" if the test rejects, otherwise "down".', ("up", "down"), ("up", "down")),
        ("Options:\n1. 'up'\n2. 'down'\n3. 'no change'", ("down",), ("up", "down", "no change")),
        ("Of 'Ridge' and the 'Lasso', which errs less on 'x.csv'?", ("Lasso",), ("ridge", "lasso")),
        ("Does the 'age' column or the 'sex' column have gaps?", ("age", "sex"), ("age", "sex")),
        ("Which of these on 'x.csv'?\n- 'cats'\n- 'dogs'", ("cats", "dogs"), ("cats", "dogs")),
        ('By Welch\'s test, do you "accept" or "reject" it?', ("reject",), ("accept", "reject")),
        ("Which animal is 'big' in 'x.csv' or 'y.csv'?", ("big",), ()),
    ],
)
def test_any_of_the_same_options_may_be_published(
    question: str, truths: tuple[str | None, ...], expected: tuple[str, ...]
) -> None:
    for truth in truths:
        task = Task(task_id="t", question=question, ground_truth=truth, answer_kind="choice")
        assert tuple(options(task)) == expected


def test_quoted_words_far_apart_are_read_in_bounded_time() -> None:
    """Numbered lines between the words once took time that doubled with each."""
    question = 'Is "up"' + "\n\n1." * 60 + ' x "down"?'
    task = Task(task_id="t", question=question, ground_truth="up", answer_kind="choice")
    assert tuple(options(task)) == ()


@pytest.mark.parametrize("grader", STRICT_GRADERS)
def test_a_truth_that_is_no_option_is_ungraded(grader: str) -> None:
    task = LETTERS.model_copy(update={"ground_truth": "Z"})
    assert grade_strict(transcript("Answer: C", task), grader).verdict == "ungraded"


@pytest.mark.parametrize(
    "choices",
    [
        ("A. cats", "B. dogs", "C. birds"),
        ("A: cats", "B: dogs", "C: birds"),
        ("(a) cats", "(b) dogs", "(c) birds"),
        ("cats", "dogs", "birds"),
        ("A", "B", "C"),
    ],
)
@pytest.mark.parametrize("question", ["Which?", "Which? A. cats B. dogs C. birds."])
@pytest.mark.parametrize("truth", ["B", "b.", "(B)", "B. dogs"])
def test_forms_of_options_and_published_answers(
    choices: tuple[str, ...], question: str, truth: str
) -> None:
    if truth == "B. dogs" and choices[0] == "A" and question == "Which?":
        pytest.skip("what B stands for is not said")
    task = Task(
        task_id="t", question=question, ground_truth=truth, answer_kind="choice", choices=choices
    )
    said = {"The answer is B.": "correct", "Answer: (B)": "correct", "B. dogs": "correct",
            "The answer is C.": "incorrect"}  # fmt: skip
    if choices[0] != "A":
        said |= {"So it is dogs.": "correct", "The answer is birds.": "incorrect"}
    for text, verdict in said.items():
        assert grade_strict(transcript(text, task), "strict_keyword").verdict == verdict, text


@pytest.mark.parametrize(
    "choices",
    [("A. thaliana", "C. elegans"), ("B. one", "A. two"), tuple(f"word {n}" for n in range(30))],
)
def test_options_without_letters_of_their_place_are_their_wording(choices: tuple) -> None:
    task = Task(task_id="t", ground_truth=choices[1], answer_kind="choice", choices=choices)
    assert options(task) == {choice.lower(): choice for choice in choices}


@pytest.mark.parametrize("option", ["\\", ".", "^", "(", "*", "[", "|"])
def test_an_option_that_is_a_sign_is_no_pattern(option: str) -> None:
    task = Task(task_id="t", question="q", ground_truth=option, answer_kind="choice")
    assert find_options("So the answer is x.", task) == []
    assert grade_strict(transcript("x", task), "strict_keyword").verdict != "correct"


@pytest.mark.parametrize(
    ("choices", "truth", "right", "wrong"),
    [
        ({"1": "cats", "2": "dogs", "3": "birds"}, "2", "2", "3"),
        ({"0": "cats", "1": "dogs", "2": "birds"}, "1", "1", "0"),
        (["1) cats", "2) dogs"], "2. dogs", "2", "1"),
        ([{"label": "1", "text": "cats"}, {"text": "dogs", "label": "2"}], "2", "2", "1"),
        ({str(n): "dogs" if n == 11 else f"breed {n}" for n in range(1, 13)}, "11", "11", "12"),
    ],
)
def test_options_may_be_numbered(choices: object, truth: str, right: str, wrong: str) -> None:
    task = Task(
        task_id="t", question="Which?", ground_truth=truth, answer_kind="choice",
        choices=as_choices(choices),
    )  # fmt: skip
    said = {f"The answer is {right}.": "correct", f"Answer: ({right})": "correct",
            "So it is dogs.": "correct", f"The answer is {wrong}.": "incorrect",
            f"The answer is {right}.5.": "no_answer"}  # fmt: skip
    for text, verdict in said.items():
        assert grade_strict(transcript(text, task), "strict_keyword").verdict == verdict, text


def test_numbers_with_decimals_are_no_numbered_options() -> None:
    task = Task(task_id="t", ground_truth="2.5", answer_kind="choice", choices=("1.5", "2.5"))
    assert options(task) == {"1.5": "1.5", "2.5": "2.5"}


@pytest.mark.parametrize(
    ("choices", "truth", "text", "verdict"),
    [
        (("red", "green", "blue"), "blue", "The answer is C.", "correct"),
        (("red", "green", "blue"), "blue", "(C)", "correct"),
        (("red", "green", "blue"), "blue", "(C) blue", "correct"),
        (("red", "green", "blue"), "blue", "The answer is A.", "incorrect"),
        (("red", "green", "blue"), "blue", "Vitamin C matters. The answer is red.", "incorrect"),
        (("yes", "no"), "no", "(B) no", "correct"),
        (("yes", "no"), "no", "The answer is (B).", "correct"),
        # the letters are names already
        (("group B", "group A"), "group A", "The answer is B.", "no_answer"),
    ],
)
def test_options_without_letters_are_chosen_by_place(
    choices: tuple[str, ...], truth: str, text: str, verdict: str
) -> None:
    assert grade(text, make_task("t", "Which one?", truth, choices=choices)).verdict == verdict


def test_more_letters_than_eight() -> None:
    listed = "\n".join(f"({chr(65 + place)}) colour {place}" for place in range(18))
    task = make_task("t", f"What is its colour?\nOptions:\n{listed}", "Q")
    assert options(task)["r"] == "colour 17"
    assert grade("So the answer is (Q).", task).verdict == "correct"
    assert grade("So I think that the answer is (I).", task).verdict == "incorrect"
    assert grade("So I think that it is colour 8.", task).verdict == "incorrect"


def test_initials_are_no_letters_of_options() -> None:
    task = make_task("t", "Who wrote it? A. by J. Smith B. by K. Lee C. nobody", "B")
    assert set(options(task)) == {"a", "b", "c"}
