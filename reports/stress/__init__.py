"""Stress test of the graders, without labels: changes that must, or must not, change a verdict."""

from .cases import (
    NUMERICAL,
    Family,
    StressCase,
    other_numbers,
    reference,
    stress,
)

__all__ = [
    "NUMERICAL",
    "Family",
    "StressCase",
    "other_numbers",
    "reference",
    "stress",
]
