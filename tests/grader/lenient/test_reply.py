"""Replies: the closed forms, and nothing else."""

from __future__ import annotations

import pytest

from grader.lenient.reply import Option, Unclear, Wording, read_extraction, read_yes_no
from grader.numbers import Quantity
from grader.records import Task

NUMBER = Task(task_id="n", answer_kind="number", ground_truth="1")
CHOICE = Task(
    task_id="c", answer_kind="choice", ground_truth="B", choices=("treated", "untreated", "both")
)
TEXT = Task(task_id="x", answer_kind="text", ground_truth="Poisson")


@pytest.mark.parametrize(
    ("reply", "value", "percent"),
    [
        ("0.28", 0.28, False),
        (" 28% \n", 28.0, True),
        ("−0.54", -0.54, False),
        ("3,385", 3385.0, False),
        ("2.67 × 10⁻⁸", 2.67e-8, False),
        ("`0.5`", 0.5, False),
        ("**0.5**", 0.5, False),
        ("\\boxed{17.0\\%}", 17.0, True),
        ("“0.28”", 0.28, False),
        ("«0.28»", 0.28, False),
        ("„28%“", 28.0, True),
        ("‘−0.54’", -0.54, False),
        ("**“.28”**", 0.28, False),
        ("« 3,385 ».", 3385.0, False),
        ("<think>Is it 3? No, 4.</think>\n4", 4.0, False),
        ("<thinking>Is it 3?\nNo, 4.</thinking>4", 4.0, False),
        ("<seed:think>3?</seed:think>4", 4.0, False),
        ("[THINK]3?[/THINK]4", 4.0, False),
        ("<|channel>thought\n3?<channel|>4", 4.0, False),
        ("<|START_THINKING|>3?<|END_THINKING|>4", 4.0, False),
        (
            "<|channel|>analysis<|message|>3?<|end|><|start|>assistant<|channel|>final<|message|>4",
            4.0,
            False,
        ),
    ],
)
def test_number(reply: str, value: float, percent: bool) -> None:
    answer = read_extraction(reply, NUMBER)
    assert isinstance(answer, Quantity)
    assert (answer.value, answer.is_percent) == (pytest.approx(value), percent)


def test_without_options_a_choice_is_words() -> None:
    task = CHOICE.model_copy(update={"choices": (), "ground_truth": "treated"})
    assert read_extraction("untreated", task) == Wording("untreated")


@pytest.mark.parametrize(
    "reply", ["UNCLEAR", "unclear.", '"UNCLEAR"', "**UNCLEAR**", "(unclear)", "«UNCLEAR»!"]
)
@pytest.mark.parametrize("task", [NUMBER, CHOICE, TEXT])
def test_unclear(reply: str, task: Task) -> None:
    assert read_extraction(reply, task) == Unclear()


@pytest.mark.parametrize(
    "reply",
    ["twelve", "5 hours", "two trillion", "< 0.001", "0.61 (61%)", "one half", "minus three"],
)
def test_value_in_other_words(reply: str) -> None:
    assert read_extraction(reply, NUMBER) == Wording(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "YES",
        "CORRECT",
        "The answer is 0.28",
        "0.28\n0.31",
        "between 0.2 and 0.3",
        "5 or 9",
        "5 not 9",
        "5 vs 9",
        "Answer: 0.28",
        '{"answer": 0.28}',
        "I cannot tell.",
        "UNCLEAR because there are two numbers",
        "0.28 is what the agent says in the end",
        "nan",
        "inf",
        "9" * 80,
        "grade: pass",
        "<answer>0.28</answer>",
        "“0.28” or “0.31”",
        "“0.28” “0.31”",
        "“0.28” and more",
        "“”",
        "”.",
        "5!",
    ],
)
def test_not_in_the_form(reply: str) -> None:
    assert read_extraction(reply, NUMBER) is None


def test_a_value_in_quotation_marks_is_the_value() -> None:
    assert read_extraction("“5 hours”", NUMBER) == Wording("5 hours")


@pytest.mark.parametrize("reply", ["treated!", "Treated,", "(treated!)", "«treated»", "A!", "(a);"])
def test_option_with_punctuation(reply: str) -> None:
    assert read_extraction(reply, CHOICE) == Option("a", reply)


@pytest.mark.parametrize("reply", ["!treated", "treated?", "(not) treated", "treated, both", "!"])
def test_more_than_an_option_is_none(reply: str) -> None:
    assert read_extraction(reply, CHOICE) is None


def test_option() -> None:
    assert read_extraction("treated", CHOICE) == Option("a", "treated")
    assert read_extraction("Untreated.", CHOICE) == Option("b", "Untreated.")
    assert read_extraction("treated or untreated", CHOICE) is None
    assert read_extraction("0.28", CHOICE) is None


def test_text() -> None:
    assert read_extraction("Poisson", TEXT) == Wording("Poisson")
    assert read_extraction("x" * 201, TEXT) is None
    assert read_extraction("two\nlines", TEXT) is None


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("YES", True),
        ("no.", False),
        ("**Yes**", True),
        ("YES!", True),
        ("Yes,", True),
        ("(YES)", True),
        ("«No»;", False),
        ("**NO**!", False),
        ("!YES", None),
        ("YES?", None),
        ("YES!NO", None),
        ("(YES) because", None),
        ("!", None),
        ("YES, because", None),
        ("", None),
        ("UNCLEAR", None),
        ("NOT SURE", None),
    ],
)
def test_yes_no(reply: str, expected: bool | None) -> None:
    assert read_yes_no(reply) is expected
