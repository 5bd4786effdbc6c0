"""Which verdicts of one run are compared pair by pair: its graders', and its nudge modes'."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .cases import Case, complete_graders
from .covariates import PairedTest, paired_tests, with_holm


def paired(cases: Sequence[Case]) -> list[PairedTest]:
    """Every pair of graders on the same transcripts; and where the run holds several nudge
    modes, every pair of modes on the first repeats of the same tasks, by grader. One family for
    Holm."""
    graders = complete_graders(cases)
    tests = paired_tests({name: _passes(cases, name, "transcript_id") for name in graders})
    modes = sorted({case.nudge_mode for case in cases if case.nudge_mode is not None})
    firsts = {
        mode: _first_repeats(case for case in cases if case.nudge_mode == mode) for mode in modes
    }
    for name in graders:
        tests += paired_tests(
            {
                f"{name}, mode {mode}": _passes(part, name, "task_id")
                for mode, part in firsts.items()
            }
        )
    return with_holm(tests)


def _first_repeats(cases: Iterable[Case]) -> list[Case]:
    """One case per task: its first repeat, whenever it was done."""
    first: dict[str, Case] = {}
    for case in sorted(cases, key=lambda case: case.repeat):
        first.setdefault(case.task_id, case)
    return list(first.values())


def _passes(cases: Sequence[Case], grader: str, key: str) -> dict[str, bool]:
    """Whether the grader passed, by transcript or task; ungraded ones are left out."""
    return {
        getattr(case, key): case.verdicts[grader] == "correct"
        for case in cases
        if case.verdicts[grader] != "ungraded"
    }
