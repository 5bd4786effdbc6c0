"""Graders, nudge modes and agents of a run, compared on the same transcripts or tasks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..cases import Case, tasks_of, tested_graders
from ..statistics.holm import with_holm
from ..statistics.mcnemar import PairedTest, paired_tests


def paired(cases: Sequence[Case]) -> list[PairedTest]:
    """McNemar's tests of a run's gradable transcripts, by each of `tested_graders`. They compare
    every pair of graders on the same transcripts and, for each grader on the same tasks, every pair
    of an agent's nudge modes and every pair of agents in a mode. Only the first repeat of a task,
    agent and mode counts, and graders are compared task by task where several agents or modes did
    one. All tests form one family for Holm."""
    graders = tested_graders(cases)
    cases = _first_repeats(cases)
    tests = paired_tests(
        {name: _passes(cases, name, "transcript_id") for name in graders}, tasks_of(cases)
    )
    for name in graders:
        for arms in _arms(cases):
            tests += paired_tests(
                {f"{name}, {arm}": _passes(part, name, "task_id") for arm, part in arms.items()}
            )
    return with_holm(tests)


def _first_repeats(cases: Iterable[Case]) -> list[Case]:
    """One case per task, nudge mode and agent: the repeat with the lowest number."""
    first: dict[tuple[str, str | None, str], Case] = {}
    for case in sorted(cases, key=lambda case: case.repeat):
        first.setdefault((case.task_id, case.nudge_mode, case.agent), case)
    return list(first.values())


def _arms(cases: Sequence[Case]) -> list[dict[str, list[Case]]]:
    """Groups of named cases to compare: the recorded nudge modes of each agent, and the agents in
    each mode. A mode's name omits the agent if only one agent has modes."""
    agents: dict[str, dict[str, list[Case]]] = {}
    modes: dict[str | None, dict[str, list[Case]]] = {}
    several = len({case.agent for case in cases if case.nudge_mode is not None}) > 1
    for case in sorted(cases, key=lambda case: (case.nudge_mode or "", case.agent)):
        agent = case.agent or "agent not recorded"
        mode = f"mode {case.nudge_mode}" if case.nudge_mode is not None else ""
        both = f"{agent}, {mode}" if mode else agent
        if mode:
            name = both if several else mode
            agents.setdefault(case.agent, {}).setdefault(name, []).append(case)
        modes.setdefault(case.nudge_mode, {}).setdefault(both, []).append(case)
    return [*agents.values(), *modes.values()]


def _passes(cases: Sequence[Case], grader: str, key: str) -> dict[str, bool]:
    """Whether the grader passed, by transcript or task."""
    return {getattr(case, key): case.verdicts[grader] == "correct" for case in cases}
