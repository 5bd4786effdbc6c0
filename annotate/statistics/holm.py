"""Holm's correction of several tests for being several."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from grader.records import Record


class Significance(Record):
    """The p-value of a test, None where no test was possible; `p_holm` is the p-value after Holm's
    correction within its family of tests."""

    p_value: float | None = None
    p_holm: float | None = None


Test = TypeVar("Test", bound=Significance)


def holm(p_values: Iterable[float | None]) -> list[float | None]:
    """Holm's step-down correction (statsmodels). None (no test was possible) stays None and
    does not count towards the family."""
    from statsmodels.stats.multitest import multipletests

    given = list(p_values)
    known = [p for p in given if p is not None]
    corrected = iter(multipletests(known, method="holm")[1] if known else ())
    return [None if p is None else float(next(corrected)) for p in given]


def with_holm(tests: list[Test]) -> list[Test]:
    """The same tests with `p_holm` filled over all of them as one family."""
    corrected = holm(test.p_value for test in tests)
    return [t.model_copy(update={"p_holm": p}) for t, p in zip(tests, corrected, strict=True)]
