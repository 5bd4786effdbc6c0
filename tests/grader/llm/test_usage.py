"""What recorded calls took."""

from __future__ import annotations

from typing import Any

from grader.llm.usage import Usage
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
    assert usage() == Usage(0, 0, 0, None, None, None, 0, 0)
