"""Stress test of the graders, without labels: changes that must, or must not, change a verdict."""

from .cases import (
    Family,
    StressCase,
    other_numbers,
    reference,
    stress,
)

__all__ = [
    "Family",
    "StressCase",
    "other_numbers",
    "reference",
    "stress",
]
