"""The total budget of a run in calls, tokens and dollars.

Room is reserved before a call and released after it, so calls in flight cannot overspend
together. Charges in the run's log count, so resuming does not start a new budget.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

log = logging.getLogger("grader")


@dataclass(frozen=True)
class Spending:
    """Calls, tokens and dollars. Also used for an estimate of one call."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0

    def __add__(self, other: Spending) -> Spending:
        return Spending(
            self.calls + other.calls, self.tokens + other.tokens, self.cost + other.cost
        )

    def __sub__(self, other: Spending) -> Spending:
        return Spending(
            self.calls - other.calls, self.tokens - other.tokens, self.cost - other.cost
        )


NOTHING = Spending()


class Budget:
    """Limits (None = no limit) and what was spent and reserved against them."""

    def __init__(
        self,
        max_calls: int | None = None,
        max_tokens: int | None = None,
        max_cost: float | None = None,
        spent: Spending = NOTHING,
    ) -> None:
        self.max_calls, self.max_tokens, self.max_cost = max_calls, max_tokens, max_cost
        self.spent = spent
        self.reserved = NOTHING
        self._released = asyncio.Event()
        self._announced = False

    async def reserve(self, estimate: Spending) -> str | None:
        """The limit that a call would exceed (logged once), or None once room for it is set aside.
        If others have reserved the room, waits for what they really take."""
        while self._exceeded(self.spent + self.reserved + estimate):
            if limit := self._exceeded(self.spent + estimate):
                self._announce(limit)
                return limit
            self._released.clear()
            await self._released.wait()
        self.reserved += estimate
        return None

    def hold(self, estimate: Spending) -> None:
        """Set room aside for a call that is made already, whatever the limits."""
        self.reserved += estimate

    def release(self, estimate: Spending) -> None:
        """Give back room that was set aside for a call that has ended."""
        self.reserved -= estimate
        if not self.reserved.calls:
            self.reserved = NOTHING  # what rounding has left of its cost
        self._released.set()

    def spend(self, actual: Spending) -> None:
        """Count what a call really took."""
        self.spent += actual

    def _exceeded(self, total: Spending) -> str | None:
        """The first limit that a total is above; None if it is within all."""
        limits: list[tuple[str, float, float | None]] = [
            ("max-calls", total.calls, self.max_calls),
            ("max-tokens", total.tokens, self.max_tokens),
            ("max-cost", total.cost, self.max_cost),
        ]
        for name, value, limit in limits:
            if limit is not None and value > limit * (1 + 1e-12):
                return f"{name} {limit:g} reached"
        return None

    def _announce(self, limit: str) -> None:
        if not self._announced:
            log.warning("budget: %s; what is left is ungraded until the limit is raised", limit)
        self._announced = True
