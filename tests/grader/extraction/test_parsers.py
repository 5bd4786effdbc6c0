from __future__ import annotations

import pytest

from grader.errors import UserError
from grader.extraction.parsers import Source
from grader.records import Extraction, Task
from grader.settings import GradeSettings
from grader.text import split_output

QUESTION = "What proportion of the loans is for someone who owns a home? Round to two decimals."


def keyword(text: str, question: str = QUESTION, **settings: float) -> Extraction:
    task = Task(task_id="t", question=question, ground_truth="0.61")
    source = Source(split_output(text), task, GradeSettings(**settings))
    return source.half("keyword", "verbal")


def texts(extraction: Extraction) -> list[str]:
    return [candidate.text for candidate in extraction.candidates]


def test_code_does_not_outscore_prose() -> None:
    text = (
        "```python\n# proportion of the loans for someone who owns a home\n"
        "round(proportion, 2)\n```\n\nIt comes to 0.61."
    )
    assert texts(keyword(text)) == ["0.61"]


def test_suggestions_are_no_answer() -> None:
    text = (
        "The proportion of loans is 0.61 (61%).\n\n"
        "Next, you can:\n1. Visualize homes\n2. Test at 5%"
    )
    assert texts(keyword(text)) == ["0.61"]


def test_equal_values_and_percent_forms_count_once() -> None:
    assert texts(keyword("The proportion is 0.61, or 61%, that is 0.61.")) == ["0.61"]


def test_more_than_three_candidates_are_ambiguous() -> None:
    found = keyword("The proportion may be 0.1, 0.2, 0.3 and 0.4 here")
    assert found.ambiguous
    assert found.scalar is None
    assert len(found.candidates) == 4
    assert not keyword("The proportion may be 0.1, 0.2, 0.3 and 0.4", max_candidates=4).ambiguous


def test_best_block_is_the_region_with_its_score() -> None:
    text = "Loans came from 50 states.\n\nThe proportion of loans is 0.61.\n\nRates rose by 3.1."
    found = keyword(text)
    assert found.region_text == "The proportion of loans is 0.61."
    # proportion, loans: 2 of the 8 content words, no answer phrase
    assert found.region_score == pytest.approx(2 / 8)
    assert not found.low_confidence


def test_last_block_with_low_confidence_when_nothing_overlaps() -> None:
    found = keyword("Blue came in at 1.5 yesterday.\n\nGreen came in at 2.5 today.")
    assert found.low_confidence
    assert texts(found) == ["2.5"]


def test_an_answer_phrase_adds_to_the_score() -> None:
    assert keyword("The proportion is 0.61.").region_score == pytest.approx(1 / 8)
    weak = "The answer is a proportion of 0.61. Such"
    assert keyword(f"{weak} is the case.\n\nGoodbye.").region_score == pytest.approx(1 / 8 + 0.5)
    assert keyword("Proportion:\nThe answer is 0.61.").region_score == pytest.approx(1.0)
    assert keyword("Final answer: 0.61").region_score == pytest.approx(1.0)


def test_a_number_alone_states_the_answer_and_a_labelled_one_does_not() -> None:
    assert keyword("0.61 %").region_score == pytest.approx(1.0)
    assert keyword("Rows read: 150").region_score == 0.0
    assert texts(keyword("Sample size: 40\n\nSo the answer is 0.25.")) == ["0.25"]


def test_rejected_numbers_name_their_rule() -> None:
    found = keyword("The proportion is 0.61 with p = 0.03.")
    assert [(c.text, c.rule) for c in found.rejected] == [("0.03", "other_statistic")]


def test_soft_rejections_come_back_when_alone() -> None:
    assert texts(keyword("The proportion of home loans is 61 today")) == ["61"]


def test_spans_point_into_the_region() -> None:
    found = keyword("First, some words.\n\nSo the proportion is **0.61** here. And more.")
    start, end = found.candidates[0].span
    assert found.region_text[start:end] == "0.61"


def test_heuristic_takes_the_last_number() -> None:
    task = Task(task_id="t", question=QUESTION)
    source = Source(split_output("It is 0.61.\n\n1. Visualize 7 bins"), task)
    assert source.half("heuristic", "verbal").scalar == 7
    assert source.half("heuristic", "execution").scalar is None


def test_a_region_at_or_below_the_threshold_has_low_confidence() -> None:
    text = "Rates rose by 3.1.\n\nThe proportion of loans is 0.61."
    assert keyword(text, region_threshold=0.2).low_confidence is False
    assert keyword(text, region_threshold=0.25).low_confidence is True
    nothing = keyword("No idea.")
    assert (nothing.region_score, nothing.low_confidence) == (0.0, True)


def test_unknown_parser_lists_the_valid_ones() -> None:
    source = Source(split_output("1"), Task(task_id="t"))
    with pytest.raises(UserError, match=r"Did you mean 'keyword'.*heuristic"):
        source.half("keywords", "verbal")
