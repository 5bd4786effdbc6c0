"""The table of LLM use."""

from __future__ import annotations

import pytest

from reports.frame_rows import build_frames
from reports.tables.llm import llm_table

from .published import call


@pytest.mark.parametrize(
    ("latencies", "median"),
    [((), None), ((1.0,), 1.0), ((9.0, 1.0), 5.0), ((9.0, 1.0, 2.0, None), 2.0)],
)
def test_latency_is_the_median_of_what_is_known(
    latencies: tuple[float | None, ...], median: float | None
) -> None:
    calls = [call(i).model_copy(update={"latency": one}) for i, one in enumerate(latencies)]
    failed = call(99).model_copy(update={"reply": None, "latency": 60.0})
    table = llm_table(build_frames("r", [], [], calls=[*calls, failed]))
    assert table is not None
    (row,) = table.rows
    assert (row["calls"], row["paid"], row["failed"]) == (len(calls) + 1, len(calls), 1)
    assert row["latency"] == median
    assert row["cost"] == (pytest.approx(0.001 * len(calls)) if calls else None)


def test_a_prompt_that_no_replay_records_is_named_so() -> None:
    unnamed = call(0).model_copy(update={"prompt_id": "", "prompt_hash": ""})
    table = llm_table(build_frames("r", [], [], calls=[unnamed]))
    assert table is not None
    assert table.rows[0]["prompt"] == "not recorded"


def test_calls_of_unknown_price_are_counted_beside_the_sum() -> None:
    table = llm_table(build_frames("r", [], [], calls=[call(0), call(1, cost=None)]))
    assert table is not None
    assert (table.rows[0]["cost"], table.rows[0]["unpriced"]) == (pytest.approx(0.001), 1)
    unpriced = llm_table(build_frames("r", [], [], calls=[call(1, cost=None)]))
    assert unpriced is not None
    assert (unpriced.rows[0]["cost"], unpriced.rows[0]["unpriced"]) == (None, 1)
    assert llm_table(build_frames("r", [], [])) is None
