"""The one tolerance rule: when two numbers count as the same answer.

|x - y| <= t * |y| with t = 0.03 by default; |x| <= 1e-9 when y = 0 (Zheng & Hsu 2026, S.4).
A number carrying a percent sign is compared in both readings, as percent and as proportion, and
so is one carrying a scale: `3 million` as 3 and as 3,000,000. Where both numbers carry one, only
their full values are compared: `3 million` is not `3 billion`.
"""

from __future__ import annotations

import math
from fractions import Fraction

from .numbers import Quantity
from .settings import GradeSettings

_NEAR = 1e-9


def matches(candidate: Quantity, truth: Quantity, settings: GradeSettings | None = None) -> bool:
    """True if `candidate` counts as equal to `truth`. Not symmetric: the bound is the truth's."""
    settings = settings or GradeSettings()
    if candidate.is_percent == truth.is_percent and candidate.scale == truth.scale:
        return within(candidate.value, truth.value, settings)
    return any(within(x, y, settings) for x, y in pairs(candidate, truth))


def agree(a: Quantity, b: Quantity, settings: GradeSettings | None = None) -> bool:
    """True if two numbers match with either of them as the truth."""
    return matches(a, b, settings) or matches(b, a, settings)


def distance(candidate: Quantity, truth: Quantity) -> float:
    """Relative distance |x - y| / |y| in the reading that is closest (absolute if y = 0)."""
    return min(abs(x - y) / abs(y) if y else abs(x) for x, y in pairs(candidate, truth))


def within(x: float, y: float, settings: GradeSettings) -> bool:
    """The rule on two plain numbers; exact at the boundary (1.03 is within 3% of 1.00).

    Floats decide unless the difference is within rounding error of the bound; then the
    numbers are compared as the decimal fractions they were written as.
    """
    if not (math.isfinite(x) and math.isfinite(y)):
        return False
    if y == 0:
        return abs(x) <= settings.absolute_at_zero
    difference, bound = abs(x - y), settings.relative_tolerance * abs(y)
    if abs(difference - bound) > _NEAR * abs(y):
        return difference <= bound
    exact_x, exact_y = Fraction(repr(x)), Fraction(repr(y))
    return abs(exact_x - exact_y) <= Fraction(repr(settings.relative_tolerance)) * abs(exact_y)


def same_value(a: Quantity, b: Quantity) -> bool:
    """True if two literals state one value: equal, or one the percent form of the other."""
    if a.is_percent == b.is_percent and a.scale == b.scale:
        return math.isclose(a.value, b.value, rel_tol=1e-9, abs_tol=1e-12)
    return any(math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-12) for x, y in pairs(a, b))


def pairs(candidate: Quantity, truth: Quantity) -> list[tuple[float, float]]:
    """The pairs of values to compare, one from each of two numbers."""
    if candidate.is_percent == truth.is_percent and candidate.scale == truth.scale:
        return [(candidate.value, truth.value)]
    xs, ys = candidate.readings(), truth.readings()
    if len(xs) == len(ys) == 2:  # both state their unit, so only the full values are compared
        return [(xs[1], ys[1])]
    return [(x, y) for x in xs for y in ys]
