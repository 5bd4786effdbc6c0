"""Grade the graders without labels: what must not change a verdict, and what must."""

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
