"""Tasks of one id that are not the same in all compared runs."""

from __future__ import annotations

from ..pairing import Arms, common_tasks, first_per_task
from ..wording import counted

SHOWN = 10


def differing_tasks(arms: Arms) -> list[str]:
    """The common tasks whose question, options or published answer is not the same in all
    transcripts that are paired."""
    paired = [(arm.transcripts["task_hash"], first_per_task(arm)) for arm in arms.values()]
    return [
        task
        for task in common_tasks(arms)
        if len({hashes[first[task]] for hashes, first in paired}) > 1
    ]


def tasks_caution(arms: Arms) -> str:
    """A caution that names such tasks; nothing where there are none."""
    found = differing_tasks(arms)
    if not found:
        return ""
    more = f" and {len(found) - SHOWN:,} more" if len(found) > SHOWN else ""
    return (
        f"Caution: {counted(len(found), 'task')} with another question, options or published "
        f"answer in some run, so that what is paired is not the same: {', '.join(found[:SHOWN])}"
        f"{more}."
    )
