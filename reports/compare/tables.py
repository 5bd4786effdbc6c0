"""Runs, or agents and nudge modes of one run, compared over their common tasks. Pure functions of
frames."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from math import sqrt
from typing import Any

from annotate.shown_numbers import show_count, show_level, show_p
from annotate.statistics.holm import with_holm
from annotate.statistics.mcnemar import PairedTest, paired_tests
from annotate.statistics.rates import Interval, rate, z_of
from grader.grader_names import BLIND

from ..frames import RunFrames, layers_of
from ..names import grader_title
from ..pairing import (
    Arms,
    arm_field,
    common_tasks,
    first_per_task,
    paired_parts,
    passes_by_task,
    unpaired_tasks,
)
from ..table import Column, Table, show_points, show_points_interval, show_rate
from ..undecided import untested_note
from ..wording import sentences

HUMAN = "human"
UNTESTED = Interval(method="Agresti-Min", reason="a selection by outcome")
PAIRED_NOTE = (
    "Each task counts once: its first gradable repeat in either run. Difference = second − first, "
    f"with the {show_level()} interval of Agresti and Min (2005) for paired proportions. p is "
    "McNemar's exact test; p (Holm) is corrected over all rows. Tasks ungraded in either run are "
    "left out."
)


def arms_of(runs: Mapping[str, RunFrames]) -> dict[str, RunFrames]:
    """The arms to compare: the runs, each cut into its agents and nudge modes if several of them
    did the same tasks."""
    arms: dict[str, RunFrames] = {}
    for name, run in runs.items():
        before = f"{name}, " if len(runs) > 1 else ""
        parts = {before + part: frames for part, frames in paired_parts(run).items()}
        arms |= parts or {name: run}
    return arms


def passes(frames: RunFrames, grader: str) -> dict[str, bool]:
    """Task -> passed by one grader, or matched by the human label for `HUMAN`: empty if the labels'
    weights are uneven, because pairs of them are then no sample of the tasks."""
    if grader != HUMAN:
        return passes_by_task(frames, grader)
    labels = {} if _is_uneven(frames) else frames.sampled
    return {task: labels[key] for task, key in first_per_task(frames).items() if key in labels}


def _is_uneven(frames: RunFrames) -> bool:
    return frames.weighting is not None and frames.weighting.is_uneven


def _human_note(arms: Arms) -> str:
    """The reason why pairs have no row of human labels, if it is the sampling design."""
    names = [name for name, arm in arms.items() if _is_uneven(arm)]
    if not names:
        return ""
    return (
        f"No row by human label with {' or '.join(names)}: its labels have different weights, so "
        "pairs of labels would not represent its tasks."
    )


def paired_difference(test: PairedTest) -> Interval:
    """The interval of the second rate minus the first, for the same tasks.

    Agresti and Min (2005, Statistics in Medicine 24): Wald's interval after 0.5 is added to each
    of the four cells. Undefined without pairs.
    """
    if not test.n:
        return Interval(method="Agresti-Min", reason="no common tasks")
    n = test.n + 2
    lost, won = test.only_first + 0.5, test.only_second + 0.5
    difference = (won - lost) / n
    error = sqrt((won + lost) - (won - lost) ** 2 / n) / n
    reach = z_of() * error
    return Interval(
        low=max(-1.0, difference - reach),
        high=min(1.0, difference + reach),
        method="Agresti-Min",
    )


def paired_table(arms: Arms) -> Table:
    """Every pair of arms × grader (and human label): rates, difference, McNemar's exact test."""
    strict, cascade = layers_of(arms.values())
    graders = dict.fromkeys((strict, BLIND, cascade, HUMAN))
    tests = [
        (grader, test.model_copy(update={"p_value": None}) if is_selected(pair, grader) else test)
        for pair in ({name: arms[name] for name in names} for names in combinations(arms, 2))
        for grader in graders
        for test in paired_tests({name: passes(arm, grader) for name, arm in pair.items()})
        if test.n
    ]
    corrected = with_holm([test for _, test in tests])
    rows = [_paired_row(g, t) for (g, _), t in zip(tests, corrected, strict=True)]
    columns = (
        Column("By", "title", numeric=False),
        Column("Tasks", "n", show_count),
        Column("First", "first_rate", show_rate, brief=False),
        Column("Second", "second_rate", show_rate, brief=False),
        Column("Difference", "difference", show_points),
        Column(f"{show_level()} interval", "interval", show_points_interval),
        Column("Both", "both", show_count, brief=False),
        Column("Only first", "only_first", show_count),
        Column("Only second", "only_second", show_count),
        Column("Neither", "neither", show_count, brief=False),
        Column("p", "p_value", show_p, brief=False),
        Column("p (Holm)", "p_holm", show_p),
    )
    note = sentences(PAIRED_NOTE, untested_note(arms), _human_note(arms))
    return Table("paired", "Paired comparison", columns, tuple(rows), note, group="pair")


def is_selected(arms: Arms, grader: str) -> bool:
    """Whether a grader left some of the compared transcripts undecided, so that the others are a
    selection by outcome and cannot be tested."""
    tasks = common_tasks(arms)
    return any(
        not set(first_per_task(arm, tasks).values()).isdisjoint(arm.undecided(grader))
        for arm in arms.values()
    )


def _paired_row(grader: str, test: PairedTest) -> dict[str, Any]:
    is_tested = test.p_value is not None
    return {
        "pair": f"{test.first} → {test.second}",
        "title": "Human label" if grader == HUMAN else grader_title(grader),
        "grader": grader,
        **test.model_dump(),
        "first_rate": rate(test.both + test.only_first, test.n),
        "second_rate": rate(test.both + test.only_second, test.n),
        "difference": (test.only_second - test.only_first) / test.n if is_tested else None,
        "interval": paired_difference(test) if is_tested else UNTESTED,
    }


def task_table(arms: Arms, grader: str) -> Table:
    """Every common task by which arms pass it; tasks on which arms differ come first."""
    tasks = common_tasks(arms)
    found = {name: passes_by_task(arm, grader, tasks) for name, arm in arms.items()}
    first = {name: first_per_task(arm, tasks) for name, arm in arms.items()}
    questions = next(iter(arms.values())).transcripts.drop_duplicates("task_id")
    asked = dict(zip(questions["task_id"], questions["question"], strict=True))
    rows = [
        {
            "group": _group({name: found[name].get(task) for name in arms}),
            "task": task,
            **{arm_field(name): _said(grader, arms[name], first[name].get(task)) for name in arms},
            "question": asked.get(task, ""),
        }
        for task in tasks
    ]
    columns = (
        Column("Task", "task", numeric=False),
        *(Column(name, arm_field(name), numeric=False) for name in arms),
        Column("Question", "question", numeric=False, brief=False),
    )
    rows.sort(key=lambda row: (row["group"] in (NOT_KNOWN, EVERYWHERE, NOWHERE), row["group"]))
    counts = Counter(row["group"] for row in rows)
    note = f"By {grader_title(grader)}; the compared value follows the verdict. " + "; ".join(
        f"{group}: {count}" for group, count in counts.items()
    )
    return Table("tasks", "Tasks by who passes them", columns, tuple(rows), note, group="group")


EVERYWHERE, NOWHERE, NOT_KNOWN = "Passed in every run", "Passed in none", "Not graded in every run"


def _group(passed: Mapping[str, bool | None]) -> str:
    """The group of a task by which arms pass it; None means ungraded."""
    if None in passed.values():
        return NOT_KNOWN
    passed_by = [name for name, has_passed in passed.items() if has_passed]
    if len(passed_by) == len(passed):
        return EVERYWHERE
    return f"Only in {' and '.join(passed_by)}" if passed_by else NOWHERE


def unpaired_table(arms: Arms) -> Table:
    """Tasks missing from some run, by the run that has them."""
    rows = [
        {"run": f"{name} ({len(tasks)})", "task": task}
        for name, tasks in unpaired_tasks(arms).items()
        for task in tasks
    ]
    counts = "; ".join(f"{name}: {len(t)}" for name, t in unpaired_tasks(arms).items())
    note = f"Tasks not in every run, left out of paired figures. {counts}."
    columns = (Column("Task", "task", numeric=False),)
    return Table("unpaired", "Unpaired tasks", columns, tuple(rows), note, group="run")


def _said(grader: str, frames: RunFrames, transcript_id: str | None) -> str:
    grade = frames.grades.get(grader, {}).get(transcript_id or "")
    if grade is None:
        return "not graded"
    return f"{grade.verdict.replace('_', ' ')}{f' ({grade.value})' if grade.value else ''}"
