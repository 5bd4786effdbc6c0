"""Tasks of one id that are not the same in all compared runs."""

from __future__ import annotations

from ..text import counted
from .pairing import Arms, common_tasks

SHOWN = 10


def differing_tasks(arms: Arms) -> list[str]:
    """The common tasks whose question, options or published answer is not the same everywhere."""
    hashes: dict[str, set[str]] = {}
    for arm in arms.values():
        table = arm.transcripts
        for task, asked in zip(table["task_id"], table["task_hash"], strict=True):
            hashes.setdefault(task, set()).add(asked)
    return [task for task in common_tasks(arms) if len(hashes[task]) > 1]


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
