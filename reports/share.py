"""A rate that is known only within bounds if some of its trials are undecided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from annotate.statistics.rates import Rate, design_effect, rate


class Share(NamedTuple):
    """A rate of `successes` in `n` trials, `open` of them undecided. With repeats of tasks, the n
    trials are worth n / design_effect independent ones."""

    successes: int
    n: int
    open: int = 0
    design_effect: float = 1.0

    @property
    def least(self) -> Rate:
        """The rate if no undecided trial is a success."""
        return rate(self.successes, self.n, design_effect=self.design_effect)

    @property
    def most(self) -> Rate:
        """The rate if every undecided trial is a success."""
        return rate(self.successes + self.open, self.n, design_effect=self.design_effect)

    @property
    def value(self) -> float | None:
        """The rate; None if it is undefined or known only within bounds."""
        return None if self.open else self.least.value

    @property
    def standard_error(self) -> float | None:
        """The standard error of `value`; None without a value."""
        return None if self.open else self.least.standard_error

    @property
    def low(self) -> float | None:
        """The lower end of an interval that holds however the undecided ones turn out."""
        return self.least.low

    @property
    def high(self) -> float | None:
        """The upper end of that interval."""
        return self.most.high


def share_of(hits: Sequence[bool | None], tasks: Sequence[str]) -> Share:
    """The share of hits, one a transcript and None where undecided, given the task of each."""
    effect = max(
        design_effect([bool(end if hit is None else hit) for hit in hits], tasks)
        for end in (False, True)
    )
    return Share(hits.count(True), len(hits), hits.count(None), effect)
