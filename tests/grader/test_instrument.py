from __future__ import annotations

import pytest

from grader.instrument import halves_agree, instrument
from grader.records import Step, Task
from grader.text.keywords import anchoring_score, content_words

TASK = Task(task_id="t", question="What is the median age of the voters?", ground_truth="47")


def test_every_field_of_a_step() -> None:
    raw = "```python\nprint(m)\n```\n<pre>47.0</pre>The median age is 47."
    step = instrument(Step(raw_output=raw), TASK)
    assert step.execution_output == "47.0"
    assert step.execution_error is False
    assert step.scalar_found is True
    # content words: median, age, voters; two of them occur
    assert step.anchoring_score == pytest.approx(2 / 3)
    assert (step.execution_scalar, step.verbal_scalar) == (47.0, 47.0)
    assert step.answer_region_text == "The median age is 47."
    assert step.answer_region_score == pytest.approx(2 / 3)
    assert (step.candidate_numbers, step.n_candidates) == ((47.0,), 1)
    assert step.ambiguous_answer is False
    assert step.token_count is not None
    assert step.token_count > 5
    assert step.token_counter in ("cl100k_base", "whitespace")


def test_recorded_fields_are_kept() -> None:
    step = instrument(Step(raw_output="It is 47.", verbal_scalar=3.0, token_count=9), TASK)
    assert (step.verbal_scalar, step.token_count, step.token_counter) == (3.0, 9, None)


def test_a_trailing_traceback_is_an_execution_error() -> None:
    raw = "<pre>Traceback (most recent call last):\n  line 3\nKeyError: 'x'</pre>"
    assert instrument(Step(raw_output=raw), TASK).execution_error is True
    assert instrument(Step(raw_output=raw + "<pre>47</pre>"), TASK).execution_error is False


def test_ambiguous_is_not_found() -> None:
    step = instrument(Step(raw_output="median ages 41, 42.5, 43.5 and 44.5"), TASK)
    assert (step.ambiguous_answer, step.scalar_found, step.n_candidates) == (True, False, 4)


@pytest.mark.parametrize(
    ("said", "printed", "expected"),
    [
        ("0.61", "0.6112", True),
        ("61%", "0.61", True),
        ("61%", "61.12", True),
        ("61", "0.61", False),
        ("2.0", "0.61", False),
        ("$3.4 million", "3400000", True),
        ("$3.4 million", "3.4", True),
        ("$3.4 billion", "3400000", False),
        ("unknown", "0.61", None),
        ("0.61", "nothing", None),
    ],
)
def test_halves_agree(said: str, printed: str, expected: bool | None) -> None:
    raw = f"```python\nprint(m)\n```\n<pre>{printed}</pre>The median age is {said}."
    assert halves_agree(instrument(Step(raw_output=raw), TASK), TASK) is expected


def test_anchoring_is_zero_without_content_words() -> None:
    assert anchoring_score("What is it?", "anything") == 0.0
    assert content_words("What is the Median of 12 Voters?") == {"median", "voters"}
