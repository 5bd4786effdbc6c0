"""Gets one request answered by one endpoint: budget, concurrency, waiting, giving up."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable
from dataclasses import replace

from .budget import Budget, Spending
from .client import Client, Fault
from .prices import cost_of
from .request import ChatRequest, Endpoint, Failure, Reply
from .retry import RetryPolicy

log = logging.getLogger("grader")
FAILURES_BEFORE_GIVING_UP = 5  # requests in a row that failed for good


class Sender:
    """Sends requests to one endpoint. An endpoint that keeps failing is given up: further
    requests fail at once, so that a night's run ends instead of waiting for a dead server."""

    def __init__(
        self,
        endpoint: Endpoint,
        client: Client,
        budget: Budget,
        slots: asyncio.Semaphore,
        policy: RetryPolicy,
        price: tuple[float, float] | None,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._endpoint, self._client, self._budget = endpoint, client, budget
        self._slots, self._policy, self._price, self._jitter = slots, policy, price, jitter
        self._resume_at = 0.0
        self._failed_in_a_row = 0
        self._given_up: Failure | None = None

    async def send(self, request: ChatRequest) -> tuple[Reply | Failure, tuple[str, ...]]:
        """The reply or the final failure, and why each failed attempt failed (none if nothing
        was sent)."""
        faults: list[Fault] = []
        while True:
            if self._given_up:
                return self._given_up, _details(faults)
            result = await self._attempt(request)
            if isinstance(result, Reply):
                self._failed_in_a_row = 0
                return result, _details(faults)
            if isinstance(result, Failure):
                return result, _details(faults)
            faults.append(result)
            wait = self._policy.wait(result, len(faults) - 1, self._jitter())
            if wait is None:
                return self._give_up(result), _details(faults)
            if result.kind == "rate_limited":
                self._resume_at = max(self._resume_at, asyncio.get_running_loop().time() + wait)
            else:
                await asyncio.sleep(wait)

    async def close(self) -> None:
        await self._client.close()

    async def _attempt(self, request: ChatRequest) -> Reply | Fault | Failure:
        async with self._slots:
            while (pause := self._resume_at - asyncio.get_running_loop().time()) > 0:
                await asyncio.sleep(pause)
            if self._given_up:
                return self._given_up
            estimate = self._estimate(request)
            if limit := self._budget.reserve(estimate):
                return Failure("budget", limit)
            actual = Spending()
            try:
                result = await self._client.send(request)
                if isinstance(result, Reply):
                    result = self._priced(result)
                    actual = _spent(result, estimate)
                elif result.kind == "timeout":
                    actual = estimate  # the server may have done, and billed, the work
            finally:
                self._budget.settle(estimate, actual)
            return result

    def _priced(self, reply: Reply) -> Reply:
        cost = cost_of(self._price, reply.prompt_tokens, reply.completion_tokens)
        return replace(reply, cost=cost)

    def _estimate(self, request: ChatRequest) -> Spending:
        prompt, completion = request.size, request.max_tokens
        cost = cost_of(self._price, prompt, completion) or 0.0
        return Spending(1, prompt + completion, cost)

    def _give_up(self, fault: Fault) -> Failure:
        failure = Failure(fault.kind, fault.detail)
        if fault.kind in ("too_long", "rejected") and not fault.fatal:
            return failure  # says something about this request, not about the endpoint
        self._failed_in_a_row += 1
        if fault.fatal or self._failed_in_a_row >= FAILURES_BEFORE_GIVING_UP:
            if self._given_up is None:
                log.error(
                    "%s is not asked any more (%s: %s); what it did not answer is ungraded, "
                    "and the same command continues from there",
                    self._endpoint.name,
                    fault.kind,
                    fault.detail,
                )
            self._given_up = failure
        return failure


def _spent(reply: Reply, estimate: Spending) -> Spending:
    if reply.prompt_tokens is None or reply.completion_tokens is None:
        return estimate
    return Spending(1, reply.prompt_tokens + reply.completion_tokens, reply.cost or 0.0)


def _details(faults: list[Fault]) -> tuple[str, ...]:
    return tuple(f"{fault.kind}: {fault.detail}" for fault in faults)
