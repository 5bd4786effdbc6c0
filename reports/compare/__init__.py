"""Runs, or agents and nudge modes of one run, compared over their common tasks."""

from .tables import (
    arms_of,
    paired_difference,
    paired_table,
    task_table,
    unpaired_table,
)

__all__ = [
    "arms_of",
    "paired_difference",
    "paired_table",
    "task_table",
    "unpaired_table",
]
