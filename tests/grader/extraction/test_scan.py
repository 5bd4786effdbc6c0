from __future__ import annotations

import pytest

from grader import extract
from grader.extraction.question import read_question
from grader.extraction.scan import LONGEST_BLOCK, MOST_BLOCKS, MOST_NUMBERS, Scan
from grader.instrument import instrument
from grader.make_task import make_task
from grader.records import Step
from grader.text import split_output

QUESTION = "What is the median age?"


@pytest.mark.parametrize("unit", ["- x: 5\n", "|a|5|\n", "5\n", "5\n\n", "It is 5. ", "5 5 5 "])
def test_of_a_long_output_only_the_end_is_read(unit: str) -> None:
    """However it is made; its end is read as that of a short one."""
    text = unit * (200_000 // len(unit))
    scan = Scan(split_output(text), read_question(QUESTION))
    assert len(scan.output.blocks) <= MOST_BLOCKS
    assert max(len(block.text) for block in scan.output.blocks) <= LONGEST_BLOCK
    assert max(len(scan.numbers(block)) for block in scan.output.blocks) <= MOST_NUMBERS
    assert extract(f"{text}\n\nThe median age is 41.", question=QUESTION).scalar == 41


def test_no_number_is_cut_in_two() -> None:
    text = "1234567 " * 20_000
    scan = Scan(split_output(text), read_question(QUESTION))
    (block,) = scan.output.blocks
    assert block.text.startswith("1234567 ")


def test_what_a_step_records_is_whole() -> None:
    text = "- x: 5\n" * 20_000
    step = instrument(Step(raw_output=text), make_task("t", QUESTION, "5"))
    assert step.verbal_text == text.strip()
