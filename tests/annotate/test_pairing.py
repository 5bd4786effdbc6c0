"""Pairs of graders and of nudge modes, on the same tasks."""

from __future__ import annotations

import pytest

from annotate.cases import Case, case_of
from annotate.pairing import paired

from .runs import transcript


def test_nudge_modes_of_the_same_tasks_are_paired() -> None:
    cases = [
        Case(
            transcript_id=f"{mode}{i}",
            task_id=f"k{i}",
            nudge_mode=mode,
            verdicts={"cascade": "correct" if i < passes else "incorrect"},
        )
        for mode, passes in (("A", 9), ("B", 3))
        for i in range(12)
    ]
    (found,) = paired(cases)
    assert (found.first, found.second) == ("cascade, mode A", "cascade, mode B")
    assert (found.n, found.both, found.only_first, found.only_second) == (12, 3, 6, 0)
    assert found.p_value == pytest.approx(2 * 0.5**6)


def test_of_several_repeats_the_first_is_paired() -> None:
    cases = [
        Case(
            transcript_id=f"{mode}{i}.r{repeat}",
            task_id=f"k{i}",
            nudge_mode=mode,
            repeat=repeat,
            verdicts={"cascade": "correct" if (mode, repeat) == ("A", 1) else "incorrect"},
        )
        for mode in "AB"
        for repeat in (2, 1, 3)  # as they ended
        for i in range(6)
    ]
    (found,) = paired(cases)
    assert (found.n, found.only_first, found.only_second) == (6, 6, 0)


def test_a_repeat_is_known_by_its_recorded_number() -> None:
    plain = transcript(0)
    assert case_of(plain, {}).repeat == 1
    third = plain.model_copy(update={"metadata": {"repeat": 3}})
    assert case_of(third, {}).repeat == 3
