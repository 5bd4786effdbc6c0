"""A map from 64-bit keys to 64-bit values for millions of entries, in 16 bytes a slot.

A dict of Python integers takes about eight times as much, which at a million transcripts decides
whether a pass fits into memory. Entries cannot be removed.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator

_FULLEST = 2 / 3  # share of slots in use before the table grows
_EMPTY = 0


def key_of(text: str) -> int:
    """A 64-bit key of a text, the same in every process."""
    raw = text.encode("utf-8", errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(raw, digest_size=8).digest(), "big")


class IdMap:
    """Open addressing with linear probing. Keys are hashes already, so they spread by
    themselves; two texts with one key (chance about n² / 2⁶⁵) are taken for one."""

    def __init__(self) -> None:
        self._size = 0
        self._allocate(1024)

    def __len__(self) -> int:
        return self._size

    def get(self, key: int) -> int | None:
        """The value of a key, or None."""
        slot = self._slot(key or 1)
        return self._values[slot] if self._keys[slot] != _EMPTY else None

    def __contains__(self, key: int) -> bool:
        return self.get(key) is not None

    def __setitem__(self, key: int, value: int) -> None:
        slot = self._slot(key or 1)
        if self._keys[slot] == _EMPTY:
            if self._size + 1 > _FULLEST * len(self._keys):
                self._grow()
                slot = self._slot(key or 1)
            self._keys[slot] = key or 1
            self._size += 1
        self._values[slot] = value

    def values(self) -> Iterator[int]:
        """Every value, in no particular order."""
        for slot, key in enumerate(self._keys):
            if key != _EMPTY:
                yield self._values[slot]

    def _slot(self, key: int) -> int:
        """Where a key is, or where it would go."""
        mask, keys = len(self._keys) - 1, self._keys
        slot = key & mask
        while keys[slot] != _EMPTY and keys[slot] != key:
            slot = (slot + 1) & mask
        return slot

    def _allocate(self, slots: int) -> None:
        self._keys = array("Q", bytes(8 * slots))
        self._values = array("Q", bytes(8 * slots))

    def _grow(self) -> None:
        keys, values = self._keys, self._values
        self._allocate(2 * len(keys))
        for key, value in zip(keys, values, strict=True):
            if key != _EMPTY:
                slot = self._slot(key)
                self._keys[slot], self._values[slot] = key, value
