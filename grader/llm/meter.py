"""What a call takes from the budget: an estimate before it is made, and what it came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .budget import Spending
from .prices import cost_of
from .request import ChatRequest, Reply


@dataclass(frozen=True)
class Meter:
    """Meters the calls to one endpoint. `price` is in dollars per million prompt and completion
    tokens, None if unknown; `share` of it is really paid."""

    price: tuple[float, float] | None
    share: float = 1.0

    def estimate(self, request: ChatRequest, body: Mapping[str, Any]) -> Spending:
        """What the call may take, on the high side, if `body` is posted for the request."""
        prompt = request.size
        completion = body.get("max_tokens") or body["max_completion_tokens"]
        return Spending(1, prompt + completion, self._cost(prompt, completion) or 0.0)

    def priced(self, reply: Reply) -> Reply:
        """The reply with its cost, None if the price or the usage is unknown."""
        return replace(reply, cost=self._cost(reply.prompt_tokens, reply.completion_tokens))

    def spent(self, reply: Reply, estimate: Spending) -> Spending:
        """What a priced reply took; the estimate where the server reports no usage."""
        if reply.prompt_tokens is None or reply.completion_tokens is None:
            return estimate
        return Spending(1, reply.prompt_tokens + reply.completion_tokens, reply.cost or 0.0)

    def _cost(self, prompt: int | None, completion: int | None) -> float | None:
        cost = cost_of(self.price, prompt, completion)
        return None if cost is None else cost * self.share
