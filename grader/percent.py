"""How shares of a whole are written, on terminals and in reports."""

from __future__ import annotations

_ROUNDING = 1e-9  # a share may be computed as this much less than all, or more than none


def percent(share: float, digits: int = 1) -> str:
    """0.2639 -> `26.4%`. Only none and all are shown as `0%` and `100%`: without digits too, 0.996
    is `99.6%`, and 0.9999 `>99.9%`."""
    shown = f"{100 * share:.{digits}f}"
    if _is_all_or_none(shown) and _ROUNDING < share < 1 - _ROUNDING:
        digits += 1
        shown = f"{100 * share:.{digits}f}"
        if _is_all_or_none(shown):
            least = 10**-digits
            shown = f"<{least:.{digits}f}" if share < 0.5 else f">{100 - least:.{digits}f}"
    return f"{shown}%"


def _is_all_or_none(shown: str) -> bool:
    return float(shown) in (0, 100)
