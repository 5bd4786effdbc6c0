"""Which grades a run already has: what to skip when a command is run again, and the counts.

Kept small (some 30 bytes a transcript), so that it serves millions of transcripts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from ..cascade import CASCADE, GRADERS, LENIENT
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
        # the cascades that have judges, with the suffix of their pass
        self._judged = {
            CASCADE + suffix: suffix
            for suffix in ("", BEFORE_NUDGE)
            if standing.has_judges(CASCADE + suffix)
        }
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
        return _unpacked(self._verdicts.get(key_of(transcript_id)) or 0, grader)

    def counts(self) -> dict[str, dict[str, int]]:
        """Grader -> verdict -> number of transcripts, for graders that graded any; verdicts as
        `Standing.settled` has them."""
        table: dict[str, dict[str, int]] = {name: dict.fromkeys(_VERDICTS, 0) for name in _NAMES}
        for packed in self._verdicts.values():
            for name in _NAMES:
                if verdict := self._settled(packed, name):
                    table[name][verdict] += 1
        return {name: row for name, row in table.items() if any(row.values())}

    def not_judged(self, suffix: str) -> int:
        """How many strict failures wait for the judges of their pass; 0 if it has none."""
        if CASCADE + suffix not in self._judged:
            return 0
        return sum(_waits_for_judge(packed, suffix) for packed in self._verdicts.values())

    def _settled(self, packed: int, grader: str) -> Verdict | None:
        suffix = self._judged.get(grader)
        is_open = suffix is not None and _waits_for_judge(packed, suffix)
        return "ungraded" if is_open else _unpacked(packed, grader)


def _unpacked(packed: int, grader: str) -> Verdict | None:
    code = (packed >> _SHIFTS[grader]) & _MASK
    return _VERDICTS[code - 1] if code else None


def _waits_for_judge(packed: int, suffix: str) -> bool:
    is_failure = _unpacked(packed, CASCADE + suffix) in ("incorrect", "no_answer")
    return is_failure and _unpacked(packed, LENIENT + suffix) is None
