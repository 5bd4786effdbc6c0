"""The log of nudges, from the steps alone."""

from __future__ import annotations

from grader.records import Step, Task
from wrappers.nudges import DEFAULT_RULES, nudge_log

TASK = Task(task_id="t", question="What is the mean?", ground_truth="4.4")
NUDGE = Step(instruction_type="nudge_generic", scalar_found=True)


def test_a_nudge_has_the_reason_of_the_step_before_it() -> None:
    log = nudge_log([Step(), NUDGE], TASK, DEFAULT_RULES)
    assert [(entry["step"], entry["reason"]) for entry in log] == [(2, "no_scalar")]


def test_a_nudge_as_the_first_step_has_no_reason() -> None:
    """A damaged replay: the last step, which lacks a number, did not ask for it."""
    log = nudge_log([NUDGE, Step()], TASK, DEFAULT_RULES)
    assert [(entry["step"], entry["reason"]) for entry in log] == [(1, None)]


def test_a_nudge_recovers_by_the_last_step_before_the_next_nudge() -> None:
    silent, revision = Step(instruction_type="nudge_generic"), Step(scalar_found=True)
    log = nudge_log([Step(), silent, revision, silent, revision, Step()], TASK, DEFAULT_RULES)
    assert [(entry["step"], entry["recovered"]) for entry in log] == [(2, True), (4, False)]
