"""Which ends of a task's time say nothing about the agent."""

from __future__ import annotations

from typing import Any

import pytest

from wrappers.task_run import TaskRun

ASKED, REPLIED = {"event": "asked", "limit": 120.0}, {"event": "replied"}


@pytest.mark.parametrize(
    ("events", "silence", "is_outage"),
    [
        ([], 300, False),
        ([ASKED], 10, True),
        ([ASKED, REPLIED], 290, False),
        ([ASKED, REPLIED, ASKED], 119, False),
        ([ASKED, REPLIED, ASKED], 120, True),
        ([ASKED, REPLIED, ASKED], 121, True),
        ([ASKED, REPLIED, ASKED, ASKED], 121, True),
    ],
)
def test_a_silent_model_is_no_slow_agent(
    monkeypatch: pytest.MonkeyPatch, events: list[dict[str, Any]], silence: float, is_outage: bool
) -> None:
    """A request that failed and was followed by another had no reply."""
    monkeypatch.setattr("wrappers.task_run.time.monotonic", lambda: 1000.0)
    run = TaskRun()
    for event in events:
        run.note(event)
    run.ended_at = 1000.0 + silence
    assert (run.outage() is not None) == is_outage


def test_a_silence_begins_with_the_first_request_that_had_no_reply(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = TaskRun()
    for now, event in ((0.0, ASKED), (1.0, REPLIED), (2.0, ASKED), (102.0, ASKED)):
        monkeypatch.setattr("wrappers.task_run.time.monotonic", lambda now=now: now)
        run.note(event)
    run.ended_at = 202.0
    assert run.outage() == "the model is out of reach: no reply for 200 s"
