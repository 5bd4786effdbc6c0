"""Results of calculations told in words, and cells of tables that are differences."""

from __future__ import annotations

import pytest

from grader import extract
from grader.extraction.evidence.derivations import derived
from grader.extraction.question import read_question
from grader.extraction.scan import Scan
from grader.text import split_output


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("Dividing the one (1.23) by the other gives a LATE of -3.67.", ["-3.67"]),
        ("Subtracting 1.42 from 1.88 yields 0.46.", ["0.46"]),
        ("Multiplying the two, the course lowers stress by 0.37 points.", ["0.37"]),
        ("They wait 14.81 and 0.35 minutes, which makes a difference of 14.46.", ["14.46"]),
        ("Extending the line by a year, we expect 24,446 visits.", ["24,446"]),
        ("The ratio of the two gives 0.0642.", ["0.0642"]),
        ("The ratio of the two is 1.91.", []),
        ("Extending the sample to ten years gives 0.31.", []),
        ("Adding age to the model gives 0.28.", []),
        ("Dividing by 2.54 is needed.", []),
        ("The ratio, which is large, is 3.5.", []),
        ("Dividing them gives the rate. The mean is 3.5.", []),
    ],
)
def test_results_of_calculations(text: str, results: list[str]) -> None:
    scan = Scan(split_output(text), read_question("What is the effect?"))
    (block,) = scan.output.blocks
    found = {start for part in scan.parts(block) for start in derived(part, block.text)}
    assert [n.text for n in scan.numbers(block) if n.start in found] == results


@pytest.mark.parametrize(
    ("text", "question", "value"),
    [
        ("The draft lowers income by 1.10 thousand dollars and raises service by 0.299; dividing "
         "the former by the latter gives -3.68.",
         "What is the local average treatment effect of service on income? Two decimals.", -3.68),
        ("| sex | n | mean | 95% CI lower | 95% CI upper |\n|---|---|---|---|---|\n"
         "| women | 150 | 205.83 | 200.21 | 211.45 |",
         "What is the upper limit of the 95% confidence interval of the mean of women?", 211.45),
        ("| | before | after | change |\n|---|---|---|---|\n| control | 97.59 | 103.68 | 6.09 |\n"
         "| treated | 109.92 | 124.57 | 14.65 |\n| difference | 12.33 | 20.89 | 8.56 |",
         "What is the difference-in-differences estimate of the effect on sales?", 8.56),
        ("In summary, the relation is: change in unemployment = 0.23 - 0.27 * growth.",
         "What is the slope of the change in unemployment on growth?", -0.27),
        ("175 ponds were surveyed. **24** of them had more than 12 species; with those that have "
         "exactly 12 it would be 36.", "How many ponds had more than 12 species?", 24),
        ("Those who fly had a mean income of 41.7 thousand, those on the train 23.1 thousand. The "
         "former are thus some 1.81 times as rich.",
         "What is the ratio of the mean income of those who fly to that on the train?", 1.81),
        ("The share rose from 0.501 in 2021 to 0.571 in 2022. Nuclear power has 8.1%.",
         "What share of the total came from renewable sources in 2022?", 0.571),
    ],
)  # fmt: skip
def test_the_result_is_the_answer(text: str, question: str, value: float) -> None:
    assert extract(text, question).scalar == value
