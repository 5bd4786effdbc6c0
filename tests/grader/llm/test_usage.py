"""What recorded calls took."""

from __future__ import annotations

from typing import Any

from grader.llm.usage import Tally, Usage
from tests.reports.published import call


def usage(*changes: dict[str, Any]) -> Usage:
    return Usage.of(call(n).model_copy(update=change) for n, change in enumerate(changes))


def test_sums_are_of_paid_calls_that_state_a_number() -> None:
    tokens = {"prompt_tokens": 10, "completion_tokens": 2, "cost": 0.5}
    found = usage(
        tokens,
        tokens | {"cost": None},
        tokens | {"prompt_tokens": None, "completion_tokens": None},
        tokens | {"source": "cache"},
        tokens | {"reply": None},
    )
    assert (found.calls, found.reused, found.failed) == (3, 1, 1)
    assert (found.prompt_tokens, found.completion_tokens, found.uncounted) == (20, 4, 1)
    assert (found.cost, found.unpriced) == (1.0, 1)


def test_what_no_call_states_is_not_known() -> None:
    found = usage({"prompt_tokens": None, "completion_tokens": None, "cost": None})
    assert (found.prompt_tokens, found.completion_tokens, found.cost) == (None, None, None)
    assert (found.uncounted, found.unpriced) == (1, 1)
    assert usage() == Usage()


def test_a_pass_counts_as_its_record_does() -> None:
    calls = [call(n).model_copy(update={"cost": 0.5 * n or None}) for n in range(3)]
    tally = Tally()
    for one in calls:
        tally.count(one)
    assert tally.usage == Usage.of(calls)
    assert (tally.usage.cost, tally.usage.unpriced) == (1.5, 1)


def test_attempts_in_vain_are_counted_with_and_without_a_reply() -> None:
    found = usage({"failed_attempts": ("a", "b")}, {"reply": None, "failed_attempts": ("c",)})
    assert (found.calls, found.failed, found.failed_attempts) == (1, 1, 3)
