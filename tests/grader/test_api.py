from __future__ import annotations

import doctest
import json
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest

import grader
import grader.api
from grader import extract, grade, grade_column, verify
from tests.shared_data import FIXTURES


def test_the_examples_in_the_docs_hold() -> None:
    for module in (grader, grader.api):
        assert doctest.testmod(module).failed == 0


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


def test_grade_a_pandas_column() -> None:
    frame = pd.DataFrame({"answer": ["It is 20%.", "No idea"], "truth": ["0.2", "1"]}, index=[7, 8])
    graded = grade_column(frame["answer"], frame["truth"])
    assert graded["verdict"].to_dict() == {7: "correct", 8: "no_answer"}


def test_columns_of_unequal_length() -> None:
    with pytest.raises(ValueError, match="shorter"):
        grade_column(["1", "2"], ["1"])


def test_grade_a_choice_without_ceremony() -> None:
    question = "Which is it? A. one B. two. Please answer with A or B."
    assert grade("So the answer is B.", "B", question).verdict == "correct"


def test_verify_is_a_reward() -> None:
    assert verify("The answer is 0.20", "0.2") == 1.0
    assert verify("0.1 0.15 0.2 0.25 0.3 are all possible", "0.2") == 0.0
    assert verify("", "0.2") == 0.0


@pytest.mark.parametrize("folder", ["", "styles", "unseen", "held_out"])
def test_verify_decides_as_strict_blind(folder: str) -> None:
    for line in (FIXTURES / folder / "transcripts.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        text, truth = record["steps"][-1]["raw_output"], record["ground_truth"]
        verdict = grade(text, truth, record["question"], grader="strict_blind").verdict
        reward = verify(text, truth, record["question"])
        assert reward == float(verdict == "correct"), record["transcript_id"]


def test_verify_gives_the_same_in_threads() -> None:
    texts = [f"The rate is 0.{n}." for n in range(10, 60)] * 4
    with ThreadPoolExecutor(8) as pool:
        threaded = list(pool.map(lambda text: verify(text, "0.3", "What is the rate?"), texts))
    assert threaded == [verify(text, "0.3", "What is the rate?") for text in texts]
