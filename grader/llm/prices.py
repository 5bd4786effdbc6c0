"""Prices of models, in US dollars per million tokens (prompt, completion).

Only list prices of models in common use are built in; they change, so a settings file can give
its own under `[lenient.prices]`. A model without a price has an unknown cost, never a zero one.
"""

from __future__ import annotations

from collections.abc import Mapping

PRICES: dict[str, tuple[float, float]] = {
    "gpt-4o-mini": (0.15, 0.60),
    "gpt-4o": (2.50, 10.00),
    "gpt-4.1-nano": (0.10, 0.40),
    "gpt-4.1-mini": (0.40, 1.60),
    "gpt-4.1": (2.00, 8.00),
    "gpt-5-nano": (0.05, 0.40),
    "gpt-5-mini": (0.25, 2.00),
    "gpt-5": (1.25, 10.00),
}


def price_of(
    model: str, own: Mapping[str, tuple[float, float]] | None = None
) -> tuple[float, float] | None:
    """The price of a model, the user's own first; None if unknown. A dated snapshot
    (`gpt-4o-mini-2024-07-18`) costs the same as its family."""
    for table in (own or {}, PRICES):
        if model in table:
            return table[model]
        families = [name for name in table if model.startswith(f"{name}-20")]
        if families:
            return table[max(families, key=len)]
    return None


def cost_of(
    price: tuple[float, float] | None, prompt_tokens: int | None, completion_tokens: int | None
) -> float | None:
    """Dollars for one call; None if the price or a token count is unknown."""
    if price is None or prompt_tokens is None or completion_tokens is None:
        return None
    return (prompt_tokens * price[0] + completion_tokens * price[1]) / 1e6
