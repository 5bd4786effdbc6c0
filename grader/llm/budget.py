"""The total budget of a run in calls, tokens and dollars.

Room is reserved before a call and settled after it, so calls in flight cannot overspend
together. What the run's log says was charged counts: resuming does not start a new budget.
"""

from __future__ import annotations

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
        self._announced = False

    def reserve(self, estimate: Spending) -> str | None:
        """Set room aside; on success None, else which limit stands in the way (said once in
        the log)."""
        after = self.spent + self.reserved + estimate
        limits: list[tuple[str, float, float | None]] = [
            ("max-calls", after.calls, self.max_calls),
            ("max-tokens", after.tokens, self.max_tokens),
            ("max-cost", after.cost, self.max_cost),
        ]
        for name, value, limit in limits:
            if limit is not None and value > limit * (1 + 1e-12):
                reached = f"{name} {limit:g} reached"
                self._announce(reached)
                return reached
        self.reserved += estimate
        return None

    def settle(self, estimate: Spending, actual: Spending) -> None:
        """Replace a reservation by what the call really took (nothing, if it was not made)."""
        self.reserved -= estimate
        self.spent += actual

    def _announce(self, limit: str) -> None:
        if not self._announced:
            log.warning("budget: %s; what is left is ungraded until the limit is raised", limit)
        self._announced = True
