from __future__ import annotations

import ast
import doctest
import importlib
import json
import random
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from grader import Step, Task, Transcript, UserError, extract, grade, grade_column, verify
from grader.api import Cell
from grader.numbers import find_numbers
from grader.strict import STRICT_GRADERS
from tests.shared_data import FIXTURES, ROOT

SWAPS = 2  # numbers of an output that stand in turn as its published answer


EXAMPLES = [
    file
    for package in ("grader", "wrappers", "annotate", "reports")
    for file in sorted((ROOT / package).rglob("*.py"))
    if re.search(r"^ *>>> ", file.read_text(encoding="utf-8"), re.MULTILINE)
]


def module_of(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("file", EXAMPLES, ids=module_of)
def test_the_examples_in_the_docs_hold(file: Path) -> None:
    """Read from the source: doctest finds no functions in a compiled module."""
    module = importlib.import_module(module_of(file))
    reader, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            said = ast.get_docstring(node) or ""
            name = getattr(node, "name", module.__name__)
            runner.run(reader.get_doctest(said, vars(module).copy(), name, str(file), 0))
    assert runner.summarize().attempted > 0
    assert runner.summarize().failed == 0


def test_the_examples_are_found() -> None:
    assert {"grader", "grader.api", "grader.frames", "grader.criterion"} <= set(
        map(module_of, EXAMPLES)
    )


def test_extract_on_one_string() -> None:
    found = extract("Out of 91 days the median is **30**.", question="What is the median AQI?")
    assert (found.scalar, found.parser) == (30.0, "blind")
    assert found.confidence is not None
    assert found.confidence > 0.5


@pytest.mark.parametrize("parser", ["blind", "keyword", "heuristic"])
def test_extract_an_option(parser: str) -> None:
    said = "A is tempting. The answer is B."
    assert extract(said, "Which is it?", choices=("A", "B"), parser=parser).scalar == "b"
    found = extract("It is falling.", choices=("rising", "falling"), parser=parser)
    assert (found.scalar, found.candidates[0].text) == ("falling", "falling")


def test_options_may_be_given_by_letter_or_as_numbers() -> None:
    lettered = extract("The answer is dogs.", "Which?", choices={"A": "cats", "B": "dogs"})
    assert lettered.scalar == "b"
    assert extract("The answer is 2.", "Which?", choices=[1, 2]).scalar == "2"  # type: ignore[list-item]


def test_options_are_given_to_every_verb() -> None:
    options = {"A": "the mean", "B": "the median"}
    text = "So the median it is: B."
    assert grade(text, "B", "Which?", choices=options).verdict == "correct"
    assert grade(text, "A", "Which?", choices=("A", "B")).verdict == "incorrect"
    assert verify(text, "B", "Which?", choices=options) == 1.0
    assert verify(text, "A", "Which?", choices=("A", "B")) == 0.0
    verdicts = grade_column([text, "A.", None], "B", choices=iter(options))["verdict"]
    assert verdicts.tolist() == ["correct", "incorrect", "ungraded"]


def test_options_come_in_any_list_but_not_as_one_text() -> None:
    for options in (np.array(["A", "B"]), pd.Series(["A", "B"]), iter("AB")):
        assert verify("It is B.", "B", choices=options) == 1.0
    assert verify("It is 5.", "5", choices=None) == 1.0
    for wrong in ("red,blue", [["red", "blue"], ["a", "b"]]):
        for verb in (partial(grade, "It is red.", "red"), partial(verify, "It is red.", "red")):
            with pytest.raises(UserError, match=r"choices: a (text|list of lists)"):
                verb(choices=wrong)  # type: ignore[arg-type]
        with pytest.raises(UserError, match="choices"):
            grade_column(["It is red."], "red", choices=wrong)  # type: ignore[arg-type]


ASKED = Task(task_id="t", question="What is the mean?", ground_truth="5")
WHOLE = Transcript(transcript_id="a", task=ASKED, steps=(Step(raw_output="It is 7."),))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: grade(WHOLE, "7"), "a Transcript where a text"),
        (lambda: verify("It is 5.", ASKED), "a Task where a text"),
        (lambda: extract(WHOLE), "a Transcript where a text"),
        (lambda: grade("It is 5.", ASKED, "What is the median?"), "another question"),
        (lambda: grade("It is 5.", ASKED, choices=("5", "6")), "other choices"),
        (lambda: grade("It is 5.", {"ground_truth": "5"}), "a dict where a text"),
        (lambda: grade({"raw_output": "It is 5."}, "5"), "a dict where a text"),
        (lambda: extract(pd.Series(["It is 5."])), "a Series .*grade_column"),
        (lambda: verify(np.array(["It is 5."]), "5"), "a ndarray where a text"),
        (lambda: verify(["It is 5."], "5"), "a list where one output is wanted"),
        (lambda: verify(("It is 5.",), "5"), "a tuple where one text"),
        (lambda: verify("It is 5.", "5", ["What is it?"]), "a list where one text"),
        (lambda: verify("It is 5.", "5", choices=1), "choices: not a list"),
        (lambda: verify("It is B.", "B", choices=[{"label": "A"}]), "choices: a list of lists or"),
        (lambda: verify("It is a.", "a", choices=[None, "a"]), "choices: a gap"),
    ],
)
def test_what_is_no_output_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        call()


def test_a_task_may_come_with_its_own_question() -> None:
    assert grade("It is 5.", ASKED, ASKED.question).verdict == "correct"


def test_a_gap_holds_no_answer() -> None:
    found = pd.Series(["It is 5.", None, float("nan")], dtype=object).map(extract)
    assert [one.scalar for one in found] == [5.0, None, None]


def test_a_task_without_a_kind_of_answer_is_graded_by_what_it_holds() -> None:
    pets = Task(task_id="a", question="Which?", ground_truth="B", choices=("cats", "dogs"))
    assert grade("I pick B, dogs", pets).verdict == "correct"
    assert grade("It is red.", Task(task_id="a", ground_truth="red")).verdict == "correct"
    as_words = Task(task_id="a", ground_truth="2", answer_kind="text")
    assert grade("It is 2.", as_words).reason == "same_words"


def test_grade_a_choice_without_ceremony() -> None:
    question = "Which is it? A. one B. two. Please answer with A or B."
    assert grade("So the answer is B.", "B", question).verdict == "correct"


GAPS: list[Any] = [
    None,
    float("nan"),
    pd.NaT,
    pd.NA,
    "",
    " ",
    "nan",
    "NaN",
    "None",
    "null",
    "<NA>",
    "N/A",
]


@pytest.mark.parametrize("gap", GAPS, ids=repr)
@pytest.mark.parametrize("grader", STRICT_GRADERS)
def test_a_gap_among_the_truths_is_no_published_answer(grader: str, gap: Cell) -> None:
    for text in (f"The result is {gap}.", f"{gap}", "It is 2."):
        grade_ = grade(text, gap, grader=grader)
        assert (grade_.verdict, grade_.reason.split(":")[0]) == ("ungraded", "no_ground_truth")
        assert verify(text, gap) == 0.0


@pytest.mark.parametrize("truth", ["12 of 40", "$12 a day", "-3 or so", "about 12 or so"])
def test_a_truth_that_is_almost_a_number_is_ungraded(truth: str) -> None:
    for text in (f"The answer is {truth}.", "12", "No idea."):
        found = grade(text, truth)
        assert found.verdict == "ungraded"
        assert found.reason.startswith(f"unparseable_ground_truth: {truth!r} is not one number. ")
        assert verify(text, truth) == 0.0


def test_a_truth_with_its_scale_and_a_truth_in_words() -> None:
    for text in ("1,500,000", "It is 1.5 million."):
        assert grade(text, "1.5 million").verdict == "correct"
        assert verify(text, "1.5 million") == 1.0
    assert grade("So the effect is positive.", "positive").verdict == "correct"
    assert grade("The best fit is a linear model.", "linear model").verdict == "correct"


@pytest.mark.parametrize("truth", [1, 1.0, "1"])
def test_verify_takes_numbers(truth: float | str) -> None:
    assert verify("1", truth) == verify(1, truth) == 1.0


NO_FIVE: list[Any] = [
    10**5000,
    -(10**5000),
    Fraction(10**5000, 3),
    Fraction(1, 3),
    Decimal(10**5000),
    Decimal("1E+9999999"),
    Decimal("NaN"),
    Decimal("sNaN"),
    float("inf"),
    np.float32(0.1),
    np.datetime64("NaT"),
    np.True_,
    True,
    False,
    b"",
    b"\xff",
]


@pytest.mark.parametrize("value", NO_FIVE, ids=lambda value: type(value).__name__)
def test_a_cell_of_any_type_is_graded(value: Any) -> None:
    assert verify("The answer is 5.", value) == verify(value, "5") == 0.0
    assert verify("The answer is 5.", "5", value) == 1.0
    assert grade("The answer is 5.", value).verdict != "correct"
    assert grade(value, "5").verdict != "correct"
    assert grade("The answer is 5.", "5", value).verdict == "correct"
    assert grade_column(["The answer is 5."], [value], [value])["verdict"][0] != "correct"


def test_an_integer_too_long_to_be_written_is_no_published_answer() -> None:
    for truth in (10**5000, -(10**5000), Fraction(10**5000, 3)):
        found = grade("The answer is 5.", truth)  # type: ignore[arg-type]
        assert found.verdict == "ungraded"
        assert found.reason.startswith("unparseable_ground_truth: 'inf' is not one number. ")


@pytest.mark.parametrize(
    "five",
    [b"5", np.bytes_(b"5"), np.str_("5"), np.int8(5), np.float32(5), Decimal(5), Fraction(5)],
)
def test_a_number_of_any_type_is_graded(five: Any) -> None:
    assert verify("The answer is 5.", five) == verify(five, "5") == 1.0
    assert grade("The answer is 5.", five).verdict == grade(five, five).verdict == "correct"
    texts = ["The answer is 5.", "The answer is 6."]
    assert grade_column(texts, five)["verdict"].tolist() == ["correct", "incorrect"]


def test_a_chat_is_graded_by_what_the_agent_says() -> None:
    """As trainers give completions; what the user says is no answer."""
    hint = {"role": "user", "content": "Hint: the answer is 5."}
    for said, reward in (("The answer is 5.", 1.0), ("I cannot tell.", 0.0)):
        chat = [hint, {"role": "assistant", "content": said}]
        assert verify(chat, "5") == verify(chat[1:], "5") == reward
        assert (grade(chat, "5").verdict == "correct") == (reward == 1.0)
        assert extract(chat).scalar == (5.0 if reward else None)
    assert verify([hint], "5") == verify([], "5") == 0.0
    assert grade([hint], "5").verdict == "ungraded"


def test_verify_is_a_reward() -> None:
    assert verify("The answer is 0.20", "0.2") == 1.0
    assert verify("0.1 0.15 0.2 0.25 0.3 are all possible", "0.2") == 0.0
    assert verify("", "0.2") == 0.0


@pytest.mark.parametrize("folder", ["", "styles", "unseen", "held_out", "families"])
def test_verify_decides_as_strict_blind(folder: str) -> None:
    """Whatever the published answer: its own, with another sign, or a number of the output."""
    rng = random.Random(1)
    for line in (FIXTURES / folder / "transcripts.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        text, truth = record["steps"][-1]["raw_output"], record["ground_truth"]
        given = sorted({number.written for number in find_numbers(text)})
        swapped = rng.sample(given, min(SWAPS, len(given)))
        for published in (truth, truth.removeprefix("-"), f"-{truth}", *swapped):
            verdict = grade(text, published, record["question"], grader="strict_blind").verdict
            reward = verify(text, published, record["question"])
            assert reward == float(verdict == "correct"), (record["transcript_id"], published)


def test_verify_decides_as_strict_blind_on_the_size_of_a_fall() -> None:
    text = "The program lowers the stay by about 1.7 days (effect -1.66)."
    question = "What is the average effect of the program?"
    assert grade(text, "-1.74", question, grader="strict_blind").verdict == "correct"
    assert verify(text, "-1.74", question) == 1.0


def test_verify_gives_the_same_in_threads() -> None:
    texts = [f"The rate is 0.{n}." for n in range(10, 60)] * 4
    with ThreadPoolExecutor(8) as pool:
        threaded = list(pool.map(lambda text: verify(text, "0.3", "What is the rate?"), texts))
    assert threaded == [verify(text, "0.3", "What is the rate?") for text in texts]


@pytest.mark.parametrize(
    ("question", "text", "verdict"),
    [
        ("In which year were sales highest?", "Sales were highest in 2011.", "incorrect"),
        ("In which year were sales highest?", "Sales were highest in 2010.", "correct"),
        ("How many were sold?", "2011 were sold.", "correct"),
    ],
)
def test_a_year_that_is_asked_for_must_be_the_same(question: str, text: str, verdict: str) -> None:
    for name in ("strict_keyword", "strict_blind"):
        assert grade(text, "2010", question, grader=name).verdict == verdict
    assert verify(text, "2010", question) == (verdict == "correct")
