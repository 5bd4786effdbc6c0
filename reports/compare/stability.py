"""Repeats of tasks: how often one of k tries passes, how often all k pass, and which verdicts
flip."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import comb
from typing import Any

from annotate.shown_numbers import show_count, show_percent
from annotate.statistics.rates import rate

from ..frames import RunFrames, layers_of
from ..names import NO_AGENT, grader_title
from ..pairing import Arms
from ..table import Column, Table, show_rate
from ..undecided import left_out_note
from ..wording import sentences
from .grading_differences import grading_caution

TOGETHER = "All runs together"
DIFFERENT_MODES = " (different modes)"
REPEATS = (
    "Repeats are all transcripts of a task by one agent; a recording that several runs hold counts "
    "once."
)
APART = "Runs that were not graded in the same way are not counted together."
NOTE = (
    "pass@k: chance that at least one of k repeats passes, 1 − C(n−c, k)/C(n, k); pass^k: that all "
    "k pass, C(c, k)/C(n, k); mean over tasks with at least k graded repeats. A flip is a task "
    "with both passes and failures."
)


def pass_at_k(n: int, passed: int, k: int) -> float:
    """Unbiased estimate of P(at least one of k passes), from `passed` of n repeats (Chen et al.
    2021). Raises `ValueError` unless 1 <= k <= n."""
    _check(n, passed, k)
    return 1 - comb(n - passed, k) / comb(n, k)


def pass_hat_k(n: int, passed: int, k: int) -> float:
    """Unbiased estimate of P(all of k pass), from `passed` of n repeats (Yao et al. 2024)."""
    _check(n, passed, k)
    return comb(passed, k) / comb(n, k)


def repeats(frames: Iterable[RunFrames], grader: str) -> dict[str, list[bool]]:
    """Task -> pass or fail of every graded transcript of it, in order."""
    found: dict[str, list[bool]] = {}
    for part in frames:
        passed = part.passed(grader)
        table = part.transcripts
        for key, task in zip(table.index, table["task_id"], strict=True):
            if key in passed:
                found.setdefault(str(task), []).append(passed[key])
    return found


def stability_table(arms: Arms) -> Table | None:
    """pass@k, pass^k and flips, within each run that repeats tasks and over all runs together;
    None if no task was tried twice."""
    agents = _by_agent(arms)
    groups = {name + _of_modes([arm]): [arm] for name, arm in arms.items()} | {
        TOGETHER + _of_what(agent, agents, tries): tries
        for agent, parts in agents.items()
        if len(tries := _tries(parts)) > 1
    }
    rows = [
        row
        for name, parts in groups.items()
        for grader in layers_of(arms.values())
        for row in _rows(name, grader, repeats(parts, grader))
    ]
    if not rows:
        return None
    columns = (
        Column("Grader", "title", numeric=False),
        Column("k", "k", show_count),
        Column("Tasks", "tasks", show_count),
        Column("pass@k", "pass_at_k", show_percent),
        Column("pass^k", "pass_hat_k", show_percent),
        Column("Flips", "flips", lambda v: "" if v is None else show_count(v)),
    )
    note = sentences(REPEATS, NOTE, _apart_note(agents), left_out_note(arms))
    return Table("stability", "Repeat-run stability", columns, tuple(rows), note, group="run")


def flips_table(arms: Arms) -> Table | None:
    """The tasks whose verdict flips between repeats, by grader; None without such tasks."""
    agents = _by_agent(arms)
    groups: dict[str, list[RunFrames]] = {}
    for agent, parts in agents.items():
        if tries := _tries(parts):
            groups[_of_what(agent, agents, tries)] = tries
        else:
            groups |= {f", {name}{_of_modes([part])}": [part] for name, part in parts.items()}
    rows = [
        {
            "title": grader_title(grader) + of_what,
            "task": task,
            "passed": rate(sum(tries), len(tries)),
        }
        for grader in layers_of(arms.values())
        for of_what, parts in groups.items()
        for task, tries in repeats(parts, grader).items()
        if len(set(tries)) > 1
    ]
    columns = (Column("Task", "task", numeric=False), Column("Passed", "passed", show_rate))
    note = sentences(REPEATS, _apart_note(agents))
    table = Table("flips", "Verdict flips", columns, tuple(rows), note, group="title")
    return table if rows else None


def _by_agent(arms: Arms) -> dict[str, dict[str, RunFrames]]:
    """The arms of each agent. Only tries by the same agent are repeats of a task."""
    found: dict[str, dict[str, RunFrames]] = {}
    for name, arm in arms.items():
        agent = " and ".join(agent or NO_AGENT for agent in arm.agents)
        found.setdefault(agent, {})[name] = arm
    return found


def _tries(arms: Arms) -> list[RunFrames]:
    """The arms whose transcripts can be counted together, each recording in the first arm that has
    it and arms without one of their own left out; none if they were not graded in the same way."""
    if grading_caution(arms):
        return []
    seen: set[tuple[str, str]] = set()
    tries = []
    for name, arm in arms.items():
        table = arm.transcripts
        recordings = dict(zip(table.index, table["recording_hash"], strict=True))
        new = arm.part((key for key, found in recordings.items() if (key, found) not in seen), name)
        seen |= set(recordings.items())
        if len(new):
            tries.append(new)
    return tries


def _of_what(agent: str, agents: Iterable[str], tries: Iterable[RunFrames]) -> str:
    """The end of a title of tries counted together: the agent, if there are several, and whether
    they are in several nudge modes."""
    named = f", {agent}" if len(list(agents)) > 1 else ""
    return named + _of_modes(tries)


def _of_modes(tries: Iterable[RunFrames]) -> str:
    """The end of a title of tries in several nudge modes, one of which may be not recorded."""
    modes = {mode for part in tries for mode in part.modes}
    return DIFFERENT_MODES if len(modes) > 1 else ""


def _apart_note(agents: Mapping[str, Arms]) -> str:
    return APART if any(map(grading_caution, agents.values())) else ""


def _rows(name: str, grader: str, found: Mapping[str, list[bool]]) -> list[dict[str, Any]]:
    largest = max(map(len, found.values()), default=0)
    if largest < 2:
        return []
    flips = sum(len(set(tries)) > 1 for tries in found.values())
    rows = []
    for k in range(1, largest + 1):
        enough = [tries for tries in found.values() if len(tries) >= k]
        counts = [(len(tries), sum(tries)) for tries in enough]
        rows.append(
            {
                "run": name,
                "title": grader_title(grader),
                "k": k,
                "tasks": len(enough),
                "pass_at_k": sum(pass_at_k(n, c, k) for n, c in counts) / len(counts),
                "pass_hat_k": sum(pass_hat_k(n, c, k) for n, c in counts) / len(counts),
                "flips": flips if k == largest else None,
            }
        )
    return rows


def _check(n: int, passed: int, k: int) -> None:
    if not (1 <= k <= n and 0 <= passed <= n):
        raise ValueError(f"k = {k}, {passed} passes of {n} repeats")
