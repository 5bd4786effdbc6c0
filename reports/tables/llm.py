"""Calls, tokens and cost of the LLM layer, by model and prompt."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median
from typing import Any

from annotate.shown_numbers import show_count, show_number
from grader.llm.calls import LlmCall
from grader.llm.usage import Usage

from ..frames import RunFrames
from ..table import Column, Table

COLUMNS = (
    Column("Model", "model", numeric=False),
    Column("Purpose", "purpose", numeric=False),
    Column("Prompt", "prompt", numeric=False),
    Column("Calls", "calls", show_count),
    Column("Paid for", "paid", show_count),
    Column("Reused", "reused", show_count, brief=False),
    Column("Failed", "failed", show_count),
    Column("Prompt tokens", "prompt_tokens", show_count),
    Column("Reply tokens", "completion_tokens", show_count),
    Column("Cost, US$", "cost", lambda v: show_number(v, 4)),
    Column("Without tokens", "uncounted", show_count, brief=False),
    Column("Without price", "unpriced", show_count, brief=False),
    Column("Median latency, s", "latency", show_number),
)
NOTE = (
    "Paid for = answered by a server; reused = from the cache or a replay. Tokens and cost cover "
    "the paid calls, except calls without tokens (the server reported none) or without a price "
    "(it is not known)."
)


def llm_table(frames: RunFrames) -> Table | None:
    """LLM use by model and prompt; None if the run recorded no call."""
    groups: dict[tuple[str, str, str], list[LlmCall]] = {}
    for call in frames.calls:
        prompt = call.prompt_name or "not recorded"
        groups.setdefault((call.model, call.purpose, prompt), []).append(call)
    if not groups:
        return None
    rows = [_row(*key, calls) for key, calls in sorted(groups.items())]
    if len(rows) > 1:
        rows.append(_row("All", "", "", frames.calls))
    return Table("llm", "LLM use", COLUMNS, tuple(rows), NOTE)


def _row(model: str, purpose: str, prompt: str, calls: Iterable[LlmCall]) -> dict[str, Any]:
    every = list(calls)
    use = Usage.of(every)
    latencies = [call.latency for call in every if call.is_paid and call.latency is not None]
    return {
        "model": model,
        "purpose": purpose,
        "prompt": prompt,
        "calls": len(every),
        "paid": use.calls,
        "reused": use.reused,
        "failed": use.failed,
        "prompt_tokens": use.prompt_tokens,
        "completion_tokens": use.completion_tokens,
        "uncounted": use.uncounted,
        "cost": use.cost,
        "unpriced": use.unpriced,
        "latency": median(latencies) if latencies else None,
    }
