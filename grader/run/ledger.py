"""The grades that a run already has, for counts and for skipping them when a command is run again.

Kept small (some 30 bytes a transcript), so that it serves millions of transcripts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, get_args

from ..files.idmap import IdMap, key_of
from ..grader_names import BEFORE_NUDGE, CASCADE, GRADERS
from ..records import Grade, Verdict
from .validity import Validity

# A grader's state on a transcript: its verdict, or not_judged while judges are awaited.
State = Verdict | Literal["not_judged"]
_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_STATES: tuple[State, ...] = (*_VERDICTS, "not_judged")
_NAMES = tuple(name + suffix for suffix in ("", BEFORE_NUDGE) for name in (*GRADERS, CASCADE))
_BITS, _MASK = 3, 7
_SHIFTS = {name: _BITS * index for index, name in enumerate(_NAMES)}


class Ledger:
    """The current verdict of each (transcript, grader). `validity` decides which grades are current
    and which of the cascade's wait for judges."""

    def __init__(self, validity: Validity, grades: Iterable[Grade] = ()) -> None:
        self._validity = validity
        self._states = IdMap()
        for grade in grades:
            self.add(grade)

    def add(self, grade: Grade) -> None:
        """Note a grade that is later than all before. One that is not current counts as absent."""
        is_current = self._validity.is_current(grade.grader, grade.evidence)
        self.note(grade.transcript_id, {grade.grader: self.state(grade) if is_current else None})

    def state(self, grade: Grade) -> State:
        """The state that a current grade gives."""
        return "not_judged" if self._validity.awaits_judges(grade) else grade.verdict

    def note(self, transcript_id: str, states: Mapping[str, State | None]) -> None:
        """Note the states of several graders on one transcript; None = not graded."""
        key = key_of(transcript_id)
        packed = self._states.get(key) or 0
        for grader, state in states.items():
            if (shift := _SHIFTS.get(grader)) is not None:
                code = 0 if state is None else _STATES.index(state) + 1
                packed = packed & ~(_MASK << shift) | code << shift
        self._states[key] = packed

    def noted(self, transcript_id: str, grader: str) -> State | None:
        """A grader's state on a transcript, or None if there is no grade yet."""
        return _unpacked(self._states.get(key_of(transcript_id)) or 0, grader)

    def verdict(self, transcript_id: str, grader: str) -> Verdict | None:
        """The same as a verdict: `ungraded` for `not_judged`."""
        state = self.noted(transcript_id, grader)
        return "ungraded" if state == "not_judged" else state

    def counts(self) -> dict[str, dict[str, int]]:
        """Grader -> verdict -> number of transcripts, for graders that graded any."""
        table: dict[str, dict[str, int]] = {name: dict.fromkeys(_VERDICTS, 0) for name in _NAMES}
        for packed in self._states.values():
            for name in _NAMES:
                if state := _unpacked(packed, name):
                    table[name]["ungraded" if state == "not_judged" else state] += 1
        return {name: row for name, row in table.items() if any(row.values())}

    def not_judged(self, suffix: str) -> int:
        """How many strict failures wait for the judges of their pass."""
        return sum(
            _unpacked(packed, CASCADE + suffix) == "not_judged" for packed in self._states.values()
        )


def _unpacked(packed: int, grader: str) -> State | None:
    code = (packed >> _SHIFTS[grader]) & _MASK
    return _STATES[code - 1] if code else None
