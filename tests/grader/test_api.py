from __future__ import annotations

import ast
import doctest
import importlib
import json
import random
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grader import Task, extract, grade, grade_column, verify
from grader.numbers import find_numbers
from tests.shared_data import FIXTURES, ROOT

MOST_TRANSCRIPTS = 400  # of a folder
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


def test_a_task_without_a_kind_of_answer_is_graded_by_what_it_holds() -> None:
    pets = Task(task_id="a", question="Which?", ground_truth="B", choices=("cats", "dogs"))
    assert grade("I pick B, dogs", pets).verdict == "correct"
    assert grade("It is red.", Task(task_id="a", ground_truth="red")).verdict == "correct"
    as_words = Task(task_id="a", ground_truth="2", answer_kind="text")
    assert grade("It is 2.", as_words).reason == "same_words"


def test_grade_a_choice_without_ceremony() -> None:
    question = "Which is it? A. one B. two. Please answer with A or B."
    assert grade("So the answer is B.", "B", question).verdict == "correct"


def test_verify_is_a_reward() -> None:
    assert verify("The answer is 0.20", "0.2") == 1.0
    assert verify("0.1 0.15 0.2 0.25 0.3 are all possible", "0.2") == 0.0
    assert verify("", "0.2") == 0.0


@pytest.mark.parametrize("folder", ["", "styles", "unseen", "held_out", "families"])
def test_verify_decides_as_strict_blind(folder: str) -> None:
    """Whatever the published answer: its own, with another sign, or a number of the output."""
    rng = random.Random(1)
    lines = (FIXTURES / folder / "transcripts.jsonl").read_text("utf-8").splitlines()
    for line in rng.sample(lines, min(MOST_TRANSCRIPTS, len(lines))):
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
