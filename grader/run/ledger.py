"""Which grades a run already has: what to skip when a command is run again, and the counts.

Kept small (some 30 bytes a transcript), so that it serves millions of transcripts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from ..cascade import CASCADE, GRADERS
from ..files.idmap import IdMap, key_of
from ..records import BEFORE_NUDGE, Grade, Verdict
from .standing import Standing

_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_NAMES = tuple(name + suffix for suffix in ("", BEFORE_NUDGE) for name in (*GRADERS, CASCADE))
_BITS, _MASK = 3, 7
_SHIFTS = {name: _BITS * index for index, name in enumerate(_NAMES)}


class Ledger:
    """The current verdict of each (transcript, grader), as `standing` says which are current."""

    def __init__(self, standing: Standing, grades: Iterable[Grade] = ()) -> None:
        self._standing = standing
        self._verdicts = IdMap()
        for grade in grades:
            self.add(grade)

    def add(self, grade: Grade) -> None:
        """Note a grade, later than all before; one that is not current is as good as absent."""
        is_current = self._standing.is_current(grade.grader, grade.evidence)
        self.note(grade.transcript_id, {grade.grader: grade.verdict if is_current else None})

    def note(self, transcript_id: str, verdicts: dict[str, Verdict | None]) -> None:
        """Note the verdicts of several graders on one transcript; None = not graded."""
        key = key_of(transcript_id)
        packed = self._verdicts.get(key) or 0
        for grader, verdict in verdicts.items():
            if (shift := _SHIFTS.get(grader)) is not None:
                code = 0 if verdict is None else _VERDICTS.index(verdict) + 1
                packed = packed & ~(_MASK << shift) | code << shift
        self._verdicts[key] = packed

    def verdict(self, transcript_id: str, grader: str) -> Verdict | None:
        """The current verdict, or None if there is no grade yet."""
        code = ((self._verdicts.get(key_of(transcript_id)) or 0) >> _SHIFTS[grader]) & _MASK
        return _VERDICTS[code - 1] if code else None

    def counts(self) -> dict[str, dict[str, int]]:
        """Grader -> verdict -> number of transcripts, for graders that graded any."""
        table: dict[str, dict[str, int]] = {name: dict.fromkeys(_VERDICTS, 0) for name in _NAMES}
        for packed in self._verdicts.values():
            for name, shift in _SHIFTS.items():
                if code := (packed >> shift) & _MASK:
                    table[name][_VERDICTS[code - 1]] += 1
        return {name: row for name, row in table.items() if any(row.values())}
