"""Hold back the items of a stream until a good one or a thousand others have come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

HELD_BACK = 1000  # items at most
Item = TypeVar("Item")


def held_until(
    items: Iterable[Item], is_good: Callable[[Item], bool], refuse: Callable[[list[Item]], None]
) -> Iterator[Item]:
    """Pass items on once a good one has come. If none of the first thousand (or of all) is good,
    call `refuse` with them: it raises an error, or returns to have them passed on all the same."""
    items = iter(items)
    held: list[Item] = []
    for item in items:
        held.append(item)
        if is_good(item):
            yield from held
            yield from items
            return
        if len(held) == HELD_BACK:
            break
    refuse(held)
    yield from held
    yield from items


def how_many(held: list[Item]) -> str:
    """The number of items held back in words: `60`, or `first 1000` where more may follow."""
    return f"first {HELD_BACK}" if len(held) == HELD_BACK else str(len(held))
