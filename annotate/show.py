"""How numbers are written, on terminals and in reports; `n/a` for what is not known."""

from __future__ import annotations

from .statistics.rates import LEVEL, Rate

NOT_AVAILABLE = "n/a"
ROUNDING = 1e-9  # a rate may be computed as this much less than all, or more than none


def show_count(value: int | None) -> str:
    """1234 -> `1,234`."""
    return NOT_AVAILABLE if value is None else f"{value:,}"


def show_number(value: float | None, digits: int = 2) -> str:
    """1234.5 -> `1,234.50`."""
    return NOT_AVAILABLE if value is None else f"{value:,.{digits}f}"


def show_percent(value: float | None, digits: int = 1) -> str:
    """0.2639 -> `26.4%`. Only none and all are shown as `0%` and `100%`: without digits too, 0.996
    is `99.6%`, and 0.9999 `>99.9%`."""
    if value is None:
        return NOT_AVAILABLE
    shown = f"{100 * value:.{digits}f}"
    if _is_all_or_none(shown) and ROUNDING < value < 1 - ROUNDING:
        digits += 1
        shown = f"{100 * value:.{digits}f}"
        if _is_all_or_none(shown):
            least = 10**-digits
            shown = f"<{least:.{digits}f}" if value < 0.5 else f">{100 - least:.{digits}f}"
    return f"{shown}%"


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


def _is_all_or_none(shown: str) -> bool:
    return float(shown) in (0, 100)
