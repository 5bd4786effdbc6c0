"""Tasks with the same id that differ between the compared runs."""

from __future__ import annotations

from ..pairing import Arms, common_tasks, first_per_task
from ..wording import counted

SHOWN = 10


def differing_tasks(arms: Arms) -> list[str]:
    """The common tasks whose question, options or published answer differs between paired
    transcripts."""
    paired = [(arm.transcripts["task_hash"], first_per_task(arm)) for arm in arms.values()]
    return [
        task
        for task in common_tasks(arms)
        if len({hashes[first[task]] for hashes, first in paired}) > 1
    ]


def tasks_caution(arms: Arms) -> str:
    """A caution that names such tasks; "" without any."""
    found = differing_tasks(arms)
    if not found:
        return ""
    more = f" and {len(found) - SHOWN:,} more" if len(found) > SHOWN else ""
    return (
        f"Caution: {counted(len(found), 'task')} with another question, options or published "
        f"answer in some run, so the pairs are of different tasks: {', '.join(found[:SHOWN])}"
        f"{more}."
    )
