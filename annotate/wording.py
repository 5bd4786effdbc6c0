"""Counted nouns, for all that is told in sentences."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """`1 step`, `1,200 steps`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
