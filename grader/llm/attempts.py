"""The attempts at one request, which outlast the command being stopped between two of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from .budget import NOTHING, Spending
from .client import ADAPTABLE, Fault
from .request import Failure, Interrupted, Reply, Sent


async def sent(settle: Callable[[Attempts], Awaitable[Reply | Failure]]) -> Sent:
    """The result of a request, with what its attempts took. settle: makes and counts them. Raises
    `Interrupted` if it is cancelled after an attempt that may be charged."""
    attempts = Attempts()
    try:
        return attempts.sent(await settle(attempts))
    except asyncio.CancelledError as stop:
        raise attempts.stopped(stop) from None


class Attempts:
    """What the attempts at one request have come to so far: their faults, and their charge."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._charged = NOTHING

    def add(self, result: Reply | Fault | Failure, taken: Spending) -> None:
        """Count an attempt that has ended, and what it took from the budget."""
        self._charged += taken
        if isinstance(result, Fault):
            self._faults.append(result)

    @property
    def next_is_no_retry(self) -> bool:
        """Whether the last fault is a refused parameter, so that another attempt without it is no
        retry. Each parameter can be refused once."""
        adapted = sum(fault.is_adapted for fault in self._faults)
        return self._faults[-1].is_adapted and adapted <= len(ADAPTABLE)

    def sent(self, result: Reply | Failure) -> Sent:
        """The result of the request, with what its attempts took."""
        return Sent(result, self._reasons(), self._charged)

    def stopped(self, by: asyncio.CancelledError) -> asyncio.CancelledError:
        """The exception that a cancelled request ends with: an `Interrupted` if an attempt may be
        charged, whether that is on its way or has failed before; else the exception itself."""
        if isinstance(by, Interrupted):
            return Interrupted(self._charged + by.charged, (*self._reasons(), *by.failed_attempts))
        return by if self._charged == NOTHING else Interrupted(self._charged, self._reasons())

    def _reasons(self) -> tuple[str, ...]:
        return tuple(map(str, self._faults))
