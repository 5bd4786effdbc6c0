"""The tables of a comparison, in page order."""

from __future__ import annotations

from ..pairing import Arms
from ..table import Table
from ..tables.modes import arms_table
from .stability import flips_table, stability_table
from .tables import paired_table, task_table, unpaired_table


def compare_tables(arms: Arms, grader: str) -> dict[str, Table]:
    """Every table that has data for these arms."""
    unpaired = unpaired_table(arms)
    made: list[Table | None] = [
        arms_table(arms, "arms", "Side by side"),
        paired_table(arms) if len(arms) > 1 else None,
        stability_table(arms),
        flips_table(arms),
        task_table(arms, grader) if len(arms) > 1 else None,
        unpaired if unpaired.rows else None,
    ]
    return {table.name: table for table in made if table is not None}
