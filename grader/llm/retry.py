"""When to try again, and how long to wait."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from .client import Fault
from .request import Endpoint

MOST_DOUBLINGS = 60  # more would soon be beyond all floats

log = logging.getLogger("grader")
Answer = TypeVar("Answer")
Asked = ParamSpec("Asked")


@dataclass(frozen=True)
class RetryPolicy:
    """retries: attempts after the first. first_wait doubles each time up to longest_wait (s).

    A server that asks for a longer pause than `longest_wait` is not waited for.
    """

    retries: int
    first_wait: float
    longest_wait: float

    def wait(self, fault: Fault, retry: int, jitter: float) -> float | None:
        """Seconds before retry number `retry` (0 = first), or None to give up.

        jitter in [0, 1) spreads clients that failed together over half the interval; a time
        named by the server is a lower bound.
        """
        if not fault.retryable or retry >= self.retries:
            return None
        doubled = min(self.longest_wait, self.first_wait * 2.0 ** min(retry, MOST_DOUBLINGS))
        backoff = doubled * (0.5 + 0.5 * jitter)
        if fault.retry_after is None:
            return backoff
        if fault.retry_after > self.longest_wait:
            return None
        return fault.retry_after + min(backoff, 0.25 * fault.retry_after) * jitter

    async def persist(
        self,
        ask: Callable[Asked, Awaitable[Answer | Fault]],
        *about: Asked.args,
        **more: Asked.kwargs,
    ) -> Answer | Fault:
        """The answer to a question, which is asked again as long as that can help."""
        retry = 0
        while True:
            result = await ask(*about, **more)
            if not isinstance(result, Fault):
                return result
            wait = self.wait(result, retry, random.random())
            if wait is None:
                return result
            retry += 1
            await asyncio.sleep(wait)


def tell_given_up(endpoint: Endpoint, fault: Fault) -> None:
    """Log that an endpoint is not asked any more, and why."""
    log.error(
        "%s is not asked any more (%s: %s); what it did not answer is ungraded, "
        "and the same command continues from there",
        endpoint.name, fault.kind, fault.detail,
    )  # fmt: skip
