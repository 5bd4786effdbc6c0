"""What recorded calls of language models took."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .calls import LlmCall


@dataclass(frozen=True)
class Usage:
    """Counts and sums over recorded calls.

    `calls` were answered by a server and paid for; `reused` replies came from the cache or a
    recording; `failed` calls got no reply. Tokens and `cost` (US dollars) are of the paid calls
    that state them, None if none does: `uncounted` ones state no tokens, `unpriced` ones have no
    known price.
    """

    calls: int
    reused: int
    failed: int
    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None
    uncounted: int
    unpriced: int

    @classmethod
    def of(cls, calls: Iterable[LlmCall]) -> Usage:
        """The use that some calls made of their models."""
        every = list(calls)
        paid = [call for call in every if call.is_paid]
        prompts = [call.prompt_tokens for call in paid if call.prompt_tokens is not None]
        replies = [call.completion_tokens for call in paid if call.completion_tokens is not None]
        costs = [call.cost for call in paid if call.cost is not None]
        return cls(
            calls=len(paid),
            reused=sum(call.source != "server" for call in every),
            failed=sum(call.reply is None for call in every),
            prompt_tokens=sum(prompts) if prompts else None,
            completion_tokens=sum(replies) if replies else None,
            cost=sum(costs) if costs else None,
            uncounted=len(paid) - min(len(prompts), len(replies)),
            unpriced=len(paid) - len(costs),
        )
