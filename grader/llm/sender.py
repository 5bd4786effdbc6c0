"""Sending requests to one endpoint: budget, concurrency, waiting, giving up."""

from __future__ import annotations

import asyncio
import random
from functools import partial
from typing import Any

from .attempts import Attempts, sent
from .budget import NOTHING, Budget, Spending
from .client import Client, Fault
from .meter import Meter
from .request import ChatRequest, Endpoint, Failure, Interrupted, Reply, Sent
from .retry import RetryPolicy, tell_given_up

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
    ) -> None:
        self._endpoint, self._client = endpoint, client
        self._slots, self._policy = slots, policy
        self._meter = Meter(budget, price)
        self._resume_at = 0.0
        self._replies = self._failed_in_a_row = 0
        self._given_up: Failure | None = None

    async def send(self, request: ChatRequest) -> Sent:
        """Attempt a request until there is a reply, or trying again cannot help."""
        return await sent(partial(self._settle, request))

    async def _settle(self, request: ChatRequest, attempts: Attempts) -> Reply | Failure:
        """The reply to a request, or the failure of the last attempt at it."""
        in_vain = 0  # attempts since a busy server last answered any request
        replies_at_first = self._replies
        while self._given_up is None:
            replies_before = self._replies
            result, taken = await self._attempt(request)
            attempts.add(result, taken)
            if isinstance(result, Reply):
                self._replies += 1
                self._failed_in_a_row = 0
            if not isinstance(result, Fault):
                return result
            if attempts.next_is_no_retry:
                continue
            is_busy = result.kind == "rate_limited" and self._replies > replies_before
            in_vain = 1 if is_busy else in_vain + 1
            wait = self._policy.wait(result, in_vain - 1, random.random())
            if wait is None:
                return self._give_up(result, others_served=self._replies > replies_at_first)
            if result.kind == "rate_limited":
                self._resume_at = max(self._resume_at, asyncio.get_running_loop().time() + wait)
            else:
                await asyncio.sleep(wait)
        return self._given_up

    async def close(self) -> None:
        await self._client.close()

    async def _attempt(self, request: ChatRequest) -> tuple[Reply | Fault | Failure, Spending]:
        """The result of one attempt, and what it took from the budget."""
        while True:
            if (pause := self._pause()) > 0:
                await asyncio.sleep(pause)  # without a slot, which others can use meanwhile
            async with self._slots:
                if self._pause() <= 0:
                    return await self._attempt_now(request)

    def _pause(self) -> float:
        """Seconds until a server that was busy may be asked again."""
        return self._resume_at - asyncio.get_running_loop().time()

    async def _attempt_now(self, request: ChatRequest) -> tuple[Reply | Fault | Failure, Spending]:
        if self._given_up:
            return self._given_up, NOTHING
        body = self._client.body(request)
        estimate = self._meter.estimate(request, body)
        return await self._meter.metered(lambda: self._post(body, estimate), estimate)

    async def _post(self, body: dict[str, Any], estimate: Spending) -> Reply | Fault:
        """The result of posting a body. Raises `Interrupted` if it is cancelled on its way."""
        try:
            return await self._client.send(body)
        except asyncio.CancelledError:
            raise Interrupted(estimate, ("interrupted",)) from None

    def _give_up(self, fault: Fault, *, others_served: bool) -> Failure:
        failure = Failure(fault.kind, fault.detail)
        is_of_request = fault.kind in ("too_long", "rejected") or (
            fault.kind == "rate_limited" and others_served
        )
        if is_of_request and not (fault.fatal or fault.may_recur):
            return failure  # concerns this request, not the endpoint
        self._failed_in_a_row += 1
        if fault.fatal or self._failed_in_a_row >= FAILURES_BEFORE_GIVING_UP:
            if self._given_up is None:
                tell_given_up(self._endpoint, fault)
            self._given_up = failure
        return failure
