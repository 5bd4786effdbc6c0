"""Which grades a run already has: what to skip when a command is run again, and the counts.

Kept small (one integer a transcript), so that it serves millions of transcripts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import get_args

from .cascade import BEFORE_NUDGE, CASCADE, GRADERS
from .records import Grade, Verdict

_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_NAMES = tuple(name + suffix for suffix in ("", BEFORE_NUDGE) for name in (*GRADERS, CASCADE))
_BITS, _MASK = 3, 7


def key_of(transcript_id: str) -> int:
    """A 64-bit key of a transcript id, the same in every process."""
    raw = transcript_id.encode("utf-8", errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(raw, digest_size=8).digest(), "big")


class Ledger:
    """The current verdict of each (transcript, grader) made with the given settings."""

    def __init__(self, fingerprint: str, grades: Iterable[Grade] = ()) -> None:
        self.fingerprint = fingerprint
        self._verdicts: dict[int, int] = {}
        for grade in grades:
            self.add(grade)

    def add(self, grade: Grade) -> None:
        """Note a grade; one made with other settings or by another version counts as absent.
        The lenient grader's own settings are its own affair: its grades always count."""
        if grade.grader not in _NAMES:
            return
        made_with = grade.evidence.get("settings")
        code = (
            0 if made_with not in (None, self.fingerprint) else (_VERDICTS.index(grade.verdict) + 1)
        )
        key, shift = key_of(grade.transcript_id), _BITS * _NAMES.index(grade.grader)
        cleared = self._verdicts.get(key, 0) & ~(_MASK << shift)
        self._verdicts[key] = cleared | (code << shift)

    def verdict(self, transcript_id: str, grader: str) -> Verdict | None:
        """The current verdict, or None if there is no grade yet."""
        packed = self._verdicts.get(key_of(transcript_id), 0)
        code = (packed >> (_BITS * _NAMES.index(grader))) & _MASK
        return _VERDICTS[code - 1] if code else None

    def counts(self) -> dict[str, dict[str, int]]:
        """Grader -> verdict -> number of transcripts, for graders that graded any."""
        table: dict[str, dict[str, int]] = {}
        for index, name in enumerate(_NAMES):
            row: dict[str, int] = dict.fromkeys(_VERDICTS, 0)
            for packed in self._verdicts.values():
                if code := (packed >> (_BITS * index)) & _MASK:
                    row[_VERDICTS[code - 1]] += 1
            if any(row.values()):
                table[name] = row
        return table
