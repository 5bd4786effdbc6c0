"""A rate of which some trials may be undecided: then it is known within bounds only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from annotate.statistics.rates import Rate, design_effect, rate


class Share(NamedTuple):
    """`successes` of `n`, with `open` of the n undecided: they may be successes or not. The n are
    worth n / design_effect independent ones, as tasks were tried several times."""

    successes: int
    n: int
    open: int = 0
    design_effect: float = 1.0

    @property
    def least(self) -> Rate:
        """The rate if no undecided one is a success."""
        return rate(self.successes, self.n, design_effect=self.design_effect)

    @property
    def most(self) -> Rate:
        """The rate if every undecided one is a success."""
        return rate(self.successes + self.open, self.n, design_effect=self.design_effect)

    @property
    def value(self) -> float | None:
        """The rate; None where it is undefined, or known within bounds only."""
        return None if self.open else self.least.value

    @property
    def standard_error(self) -> float | None:
        """Of `value`; None without one."""
        return None if self.open else self.least.standard_error

    @property
    def low(self) -> float | None:
        """The lower end of a 95% interval that holds however the undecided ones turn out."""
        return self.least.low

    @property
    def high(self) -> float | None:
        """Its upper end."""
        return self.most.high


def share_of(hits: Sequence[bool | None], tasks: Sequence[str]) -> Share:
    """The share of hits, one a transcript and None where undecided, given the task of each."""
    effect = max(
        design_effect([bool(end if hit is None else hit) for hit in hits], tasks)
        for end in (False, True)
    )
    return Share(hits.count(True), len(hits), hits.count(None), effect)
