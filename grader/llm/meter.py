"""Charges calls to the budget: an estimate before one is made, then what it really took."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from .budget import NOTHING, Budget, Spending
from .client import Fault
from .prices import cost_of
from .request import ChatRequest, Failure, Reply


class Meter:
    """Meters the calls to one endpoint. `price` is in dollars per million prompt and completion
    tokens, None if unknown; `share` of it is really paid."""

    def __init__(
        self, budget: Budget, price: tuple[float, float] | None, share: float = 1.0
    ) -> None:
        self._budget, self._price, self._share = budget, price, share

    def estimate(self, request: ChatRequest, body: Mapping[str, Any]) -> Spending:
        """What the call may take, on the high side, if `body` is posted for the request."""
        prompt = request.size
        completion = body.get("max_tokens") or body["max_completion_tokens"]
        return Spending(1, prompt + completion, self._cost(prompt, completion) or 0.0)

    async def metered(
        self, call: Callable[[], Awaitable[Reply | Fault]], estimate: Spending
    ) -> tuple[Reply | Fault | Failure, Spending]:
        """What a call came to, and what it took from the budget, where room for it is set aside
        before it is made. A `Failure` if a limit is in the way."""
        if limit := await self._budget.reserve(estimate):
            return Failure("budget", limit), NOTHING
        try:
            result = await call()
        finally:
            self._budget.release(estimate)
        return self.charged(result, estimate)

    def charged(self, result: Reply | Fault, estimate: Spending) -> tuple[Reply | Fault, Spending]:
        """The result with its cost, and what is charged for it: the estimate where the server does
        not say what it billed."""
        if isinstance(result, Fault):
            spent = estimate if result.is_billed else NOTHING
        else:
            cost = self._cost(result.prompt_tokens, result.completion_tokens)
            result = replace(result, cost=cost)
            spent = _stated(result) or estimate
        self._budget.spend(spent)
        return result, spent

    def _cost(self, prompt: int | None, completion: int | None) -> float | None:
        cost = cost_of(self._price, prompt, completion)
        return None if cost is None else cost * self._share


def _stated(reply: Reply) -> Spending | None:
    """What a reply took by the usage that came with it; None if there was none."""
    if reply.prompt_tokens is None or reply.completion_tokens is None:
        return None
    return Spending(1, reply.prompt_tokens + reply.completion_tokens, reply.cost or 0.0)
