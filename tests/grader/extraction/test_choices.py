from __future__ import annotations

import pytest

from grader import grade
from grader.extraction.choices import find_options, infer_answer_kind, normalise_option, options
from grader.files.json_input import as_choices
from grader.records import Task
from grader.strict import STRICT_GRADERS
from tests.grader.transcripts import grade_strict, transcript

CAUSES = Task(
    task_id="c",
    question="Which is it?",
    ground_truth="A",
    answer_kind="choice",
    choices=("A. X causes Y", "B. Y causes X", "C. No causal relation"),
)
LETTERS = Task(
    task_id="t",
    question="Which is more likely?\nA. X causes Y\nB. Y causes X\n"
    "C. No causal relationship exists\nPlease answer with A, B, or C.",
    ground_truth="C",
    answer_kind="choice",
    choices=("a", "b", "c"),
)
GROUPS = Task(
    task_id="g",
    question='Which did better? Please answer with "treatment group" or "control group".',
    ground_truth="control group",
    answer_kind="choice",
    choices=("treatment group", "control group"),
)
YES_NO = Task(task_id="y", question="Is it? Answer yes or no.", ground_truth="no",
              answer_kind="choice")  # fmt: skip
DECISION = Task(
    task_id="d",
    question='Test it at 5%. What is your decision? Reply with "accept" or "reject".',
    ground_truth="reject",
    answer_kind="choice",
)


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
        ("[4, 6]", (), "", "number"),
        ('{"a": 5}', (), "", "number"),
        ("above average", (), "", "text"),
        ("Group 2", (), "", "text"),
        ("Under 18", (), "", "text"),
        ("more than 5", (), "", "text"),
        ("from 2000 to 2010", (), "", "text"),
        ("model_a: 2", (), "", "text"),
        ("k=3", (), "", "text"),
        ('["Group 2", "x1"]', (), "", "text"),
        ("ARIMA(1, 1)", (), "", "text"),
        ("18-25", (), 'Is it "18-25" or "26-40"?', "choice"),
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
    ("question", "truths", "expected"),
    [
        ("Which?", ("yes", "No"), ("yes", "no")),
        ("Which?", ("A", "d", "(b)"), tuple("abcdefgh")),
        ('Is it "cats" or "dogs"?', ("cats", "dogs"), ("cats", "dogs")),
        ("Which animal?", ("cats", "dogs", "", None), ()),
    ],
)
def test_any_of_the_same_options_may_be_published(
    question: str, truths: tuple[str | None, ...], expected: tuple[str, ...]
) -> None:
    for truth in truths:
        task = Task(task_id="t", question=question, ground_truth=truth, answer_kind="choice")
        assert tuple(options(task)) == expected


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


@pytest.mark.parametrize(
    ("text", "low"),
    [("B", True), ("Y causes X is more likely, so B", False), ("Neither.", True)],
)
def test_low_confidence_is_that_of_the_region(text: str, low: bool) -> None:
    evidence = grade_strict(transcript(text, LETTERS), "strict_keyword").evidence
    assert evidence["low_confidence"] is low
    assert (evidence["region_score"] <= 0.1) is low


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


REJECT = Task(
    task_id="t",
    question='Is the null hypothesis tenable? Please answer with "accept" or "reject".',
    ground_truth="reject",
    answer_kind="choice",
)


@pytest.mark.parametrize("grader", ["strict_keyword", "strict_blind"])
@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The p-value is 0.21. Therefore, we fail to reject the null hypothesis.", "no_answer"),
        ("We cannot reject it.", "no_answer"),
        ("We don't reject the null hypothesis.", "no_answer"),
        ("There is not enough evidence to reject the null.", "no_answer"),
        ("There is insufficient evidence to reject.", "no_answer"),
        ("We fail to reject the null, so we accept it.", "incorrect"),
        ("Not surprisingly, we reject the null hypothesis.", "correct"),
    ],
)
def test_what_is_denied_is_not_chosen(text: str, verdict: str, grader: str) -> None:
    assert grade(text, REJECT, grader=grader).verdict == verdict


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
