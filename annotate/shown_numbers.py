"""How numbers are written, on terminals and in reports; `n/a` for what is not known."""

from __future__ import annotations

from grader.percent import percent

from .statistics.rates import LEVEL, Rate

NOT_AVAILABLE = "n/a"


def show_count(value: int | None) -> str:
    """1234 -> `1,234`."""
    return NOT_AVAILABLE if value is None else f"{value:,}"


def show_number(value: float | None, digits: int = 2) -> str:
    """1234.5 -> `1,234.50`."""
    return NOT_AVAILABLE if value is None else f"{value:,.{digits}f}"


def show_percent(value: float | None, digits: int = 1) -> str:
    """0.2639 -> `26.4%`, see `percent`."""
    return NOT_AVAILABLE if value is None else percent(value, digits)


def show_p(value: float | None) -> str:
    """A p-value, never `0.000`."""
    if value is None:
        return NOT_AVAILABLE
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def show_level(level: float = LEVEL) -> str:
    """0.95 -> `95%`, the level of intervals as headings and notes name it."""
    return f"{100 * level:g}%"


def rate_in_full(rate: Rate) -> str:
    """`86% ± 4% (76% to 92%), 62/72`, or `n/a (n=0)`."""
    if rate.value is None:
        return f"n/a (n={rate.n})"
    counts = f"{rate.successes}/{rate.n}" + (" weighted" if rate.is_weighted else "")
    return (
        f"{show_percent(rate.value, 0)} ± {show_percent(rate.standard_error, 0)} "
        f"({show_percent(rate.low, 0)} to {show_percent(rate.high, 0)}), {counts}"
    )
