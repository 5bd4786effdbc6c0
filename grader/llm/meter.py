"""Charging calls to the budget: an estimate before a call, then what it really took."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from .budget import NOTHING, Budget, Spending
from .client import Fault
from .prices import cost_of
from .request import ChatRequest, Failure, Interrupted, Reply


class Meter:
    """Meters the calls to one endpoint. `price` is in dollars per million prompt and completion
    tokens, None if unknown; `share` is the part of it that is paid."""

    def __init__(
        self, budget: Budget, price: tuple[float, float] | None, share: float = 1.0
    ) -> None:
        self._budget, self._price, self._share = budget, price, share

    def estimate(self, request: ChatRequest, body: Mapping[str, Any]) -> Spending:
        """The most that a call is expected to take, if `body` is posted for the request."""
        prompt = request.size
        completion = body.get("max_tokens") or body["max_completion_tokens"]
        return Spending(1, prompt + completion, self._cost(prompt, completion) or 0.0)

    async def metered(
        self, call: Callable[[], Awaitable[Reply | Fault]], estimate: Spending
    ) -> tuple[Reply | Fault | Failure, Spending]:
        """The result of a call, and what it took from the budget, which sets room aside before the
        call. A `Failure` if it would exceed a limit."""
        if limit := await self._budget.reserve(estimate):
            return Failure("budget", limit), NOTHING
        try:
            result = await call()
        except Interrupted:
            self._budget.spend(estimate)  # its room is no other call's
            raise
        finally:
            self._budget.release(estimate)
        return self.charged(result, estimate)

    def charged(self, result: Reply | Fault, estimate: Spending) -> tuple[Reply | Fault, Spending]:
        """The result with its cost, and its charge: the estimate if the server does not say what it
        billed."""
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
    """What a reply took, by its stated usage; None if it states none."""
    if reply.prompt_tokens is None or reply.completion_tokens is None:
        return None
    return Spending(1, reply.prompt_tokens + reply.completion_tokens, reply.cost or 0.0)
