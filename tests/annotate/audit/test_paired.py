"""Pairs of graders, of nudge modes and of agents, on the same tasks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from annotate.audit.paired import paired
from annotate.cases import Case, case_of
from grader.records import Verdict

from ..runs import transcript


def of_agents(tasks: int, verdicts: Callable[[str, int], dict[str, Verdict]]) -> list[Case]:
    """Two agents in two modes on the same tasks. verdicts: those of an agent on a task."""
    return [
        Case(
            transcript_id=f"{agent}{mode}{i}",
            task_id=f"k{i}",
            agent=agent,
            nudge_mode=mode,
            verdicts=verdicts(agent, i),
        )
        for agent in ("alpha", "beta")
        for mode in "AB"
        for i in range(tasks)
    ]


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


def test_graders_are_compared_task_by_task() -> None:
    """Agents and modes that did the same task are not independent: each task counts once."""
    cases = of_agents(
        12,
        lambda _, i: {"cascade": "correct", "strict_keyword": "correct" if i > 4 else "incorrect"},
    )
    found = paired(cases)[0]
    assert (found.first, found.second) == ("cascade", "strict_keyword")
    assert (found.n, found.only_first, found.only_second) == (48, 20, 0)
    assert found.p_value == pytest.approx(2 * 0.5**5)


def test_modes_are_named_without_their_agent_where_only_one_has_any() -> None:
    cases = [
        Case(
            transcript_id=f"{agent}{mode}",
            task_id="t",
            agent=agent,
            nudge_mode=mode,
            verdicts={"cascade": "correct"},
        )
        for agent, mode in (("", None), ("alpha", "A"), ("alpha", "B"))
    ]
    assert [(one.first, one.second) for one in paired(cases)] == [
        ("cascade, mode A", "cascade, mode B")
    ]


def test_agents_are_paired_in_each_mode_and_modes_of_each_agent() -> None:
    cases = of_agents(
        4, lambda agent, _: {"cascade": "correct" if agent == "alpha" else "incorrect"}
    )
    found = {(test.first, test.second): (test.n, test.only_first) for test in paired(cases)}
    assert found == {
        ("cascade, alpha, mode A", "cascade, alpha, mode B"): (4, 0),
        ("cascade, beta, mode A", "cascade, beta, mode B"): (4, 0),
        ("cascade, alpha, mode A", "cascade, beta, mode A"): (4, 4),
        ("cascade, alpha, mode B", "cascade, beta, mode B"): (4, 4),
    }
    no_modes = [case.model_copy(update={"nudge_mode": None}) for case in cases[::2]]
    (test,) = paired(no_modes)
    assert (test.first, test.second) == ("cascade, alpha", "cascade, beta")


def test_a_repeat_is_known_by_its_recorded_number() -> None:
    plain = transcript(0)
    assert case_of(plain, {}).repeat == 1
    third = plain.model_copy(update={"metadata": {"repeat": 3}})
    assert case_of(third, {}).repeat == 3
