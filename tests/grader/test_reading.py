"""One transcript read for several published answers, or up to a nudge; options."""

from __future__ import annotations

import pytest

from grader.extraction.options.choices import MOST_OPTIONS
from grader.readers import read
from grader.reading import Reading
from grader.records import Task
from grader.strict import STRICT_GRADERS, grade_reading
from tests.grader.transcripts import transcript
from tests.shared_data import FIXTURES


@pytest.mark.parametrize("grader", list(STRICT_GRADERS))
def test_another_published_answer_is_graded_as_if_it_were_read_anew(grader: str) -> None:
    for one in read(FIXTURES / "transcripts.jsonl"):
        reading = Reading(one)
        for truth in ("0.31", "12%", "-4", "(0.2, 0.4)"):
            task = one.task.model_copy(update={"ground_truth": truth})
            anew = Reading(one.model_copy(update={"task": task}))
            shared = reading.with_truth(truth)
            assert grade_reading(shared, grader) == grade_reading(anew, grader)


FIRST, REVISED, NUDGE = "original_prompt", "inspector_revision", "nudge_generic"


@pytest.mark.parametrize(
    ("kinds", "left", "verdict"),
    [
        ((FIRST, REVISED, FIRST), 3, "correct"),
        ((FIRST, REVISED, NUDGE), 2, "incorrect"),
        ((FIRST, NUDGE, NUDGE), 1, "incorrect"),
        ((FIRST, NUDGE, FIRST), 1, "incorrect"),
        ((NUDGE, FIRST, FIRST), 0, "no_answer"),
    ],
)
def test_what_comes_with_the_first_nudge_or_later_is_not_read(
    kinds: tuple[str, ...], left: int, verdict: str
) -> None:
    nudged = transcript(["It is 0.1.", "It is 0.2.", "It is 0.25."], kinds=kinds)
    reading = Reading(nudged, before_nudge=True)
    assert (reading.steps, reading.problem) == (nudged.steps[:left], None)
    assert grade_reading(reading, "strict_keyword").verdict == verdict


@pytest.mark.parametrize("more", [0, 1])
def test_options_beyond_the_most_are_a_problem(more: int) -> None:
    options = tuple(f"gene {number:03}" for number in range(MOST_OPTIONS + more))
    task = Task(task_id="t", choices=options, ground_truth=options[-1], answer_kind="choice")
    problem = Reading(transcript("It is gene 007.", task)).problem
    assert problem == (
        f"too_many_choices: {len(options)}, more than {MOST_OPTIONS}" if more else None
    )


@pytest.mark.parametrize(
    ("output", "option"),
    [("Not red: blue.", "b"), ("<pre>red\nblue</pre>", "b"), ("<pre>blue</pre>It is red.", "a")],
)
def test_the_baseline_takes_the_last_option_said_or_else_printed(output: str, option: str) -> None:
    choices = ("A. red", "B. blue")
    task = Task(task_id="t", choices=choices, ground_truth="A", answer_kind="choice")
    assert Reading(transcript(output, task)).heuristic().scalar == option
