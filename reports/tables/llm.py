"""What the LLM layer used: calls, tokens and cost by model and prompt."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median
from typing import Any

from grader.llm.calls import LlmCall

from ..frames import RunFrames
from ..table import Column, Table, show_count, show_number

COLUMNS = (
    Column("Model", "model", numeric=False),
    Column("Purpose", "purpose", numeric=False),
    Column("Prompt", "prompt", numeric=False),
    Column("Calls", "calls", show_count),
    Column("Paid for", "paid", show_count),
    Column("Failed", "failed", show_count),
    Column("Prompt tokens", "prompt_tokens", show_count),
    Column("Reply tokens", "completion_tokens", show_count),
    Column("Cost, US$", "cost", lambda v: show_number(v, 4)),
    Column("Median latency, s", "latency", show_number),
)
NOTE = (
    "Paid for = answered by a server; the rest came from the cache or a replay. Tokens and cost "
    "are of paid calls; n/a where the server reported no tokens or the model's price is not known."
)


def llm_table(frames: RunFrames) -> Table | None:
    """LLM use by model and prompt; None if the run recorded no call."""
    groups: dict[tuple[str, str, str], list[LlmCall]] = {}
    for call in frames.calls:
        prompt = f"{call.prompt_id} ({call.prompt_hash[:8]})" if call.prompt_id else "not recorded"
        groups.setdefault((call.model, call.purpose, prompt), []).append(call)
    if not groups:
        return None
    rows = [_row(*key, calls) for key, calls in sorted(groups.items())]
    if len(rows) > 1:
        rows.append(_row("All", "", "", frames.calls))
    return Table("llm", "LLM use", COLUMNS, tuple(rows), NOTE)


def _row(model: str, purpose: str, prompt: str, calls: Iterable[LlmCall]) -> dict[str, Any]:
    every = list(calls)
    paid = [call for call in every if call.source == "server" and call.reply is not None]
    latencies = [call.latency for call in paid if call.latency is not None]
    return {
        "model": model,
        "purpose": purpose,
        "prompt": prompt,
        "calls": len(every),
        "paid": len(paid),
        "failed": sum(call.reply is None for call in every),
        "prompt_tokens": _sum(call.prompt_tokens for call in paid),
        "completion_tokens": _sum(call.completion_tokens for call in paid),
        "cost": _sum(call.cost for call in paid),
        "latency": median(latencies) if latencies else None,
    }


def _sum(values: Iterable[Any]) -> Any:
    """The sum, or None if any value is unknown or there is none."""
    known = list(values)
    return sum(known) if known and all(value is not None for value in known) else None
