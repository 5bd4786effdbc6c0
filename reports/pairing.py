"""Pairing: which transcripts belong to the same task, in several runs or repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from .frames import RunFrames
from .names import MODE_TITLES
from .wording import counted

Arms = Mapping[str, RunFrames]  # what is compared, by name: runs or parts of them
MODE_NAMES = {mode: f"mode {mode}" for mode in MODE_TITLES}


def first_per_task(frames: RunFrames, tasks: Iterable[str] | None = None) -> dict[str, str]:
    """task_id -> transcript_id of each task's first gradable repeat, by repeat number, else of its
    first repeat; tasks in evaluation order."""
    rows = frames.transcripts
    table = rows.assign(bad=rows["problem"].notna()).sort_values(["bad", "repeat"], kind="stable")
    table = table.drop_duplicates("task_id")
    first = dict(zip(table["task_id"], table["transcript_id"], strict=True))
    order = rows["task_id"].unique() if tasks is None else tasks
    return {task: first[task] for task in order if task in first}


def paired_parts(
    frames: RunFrames, mode_titles: Mapping[str, str] = MODE_NAMES
) -> dict[str, RunFrames]:
    """The parts of one run by agent and recorded nudge mode; empty unless several of them did a
    common task. All transcripts of a task in a part are thus its repeats."""
    modes = {mode: part for mode, part in frames.by_mode().items() if mode}
    cut = {mode_titles[mode]: part for mode, part in modes.items()} if len(modes) > 1 else {}
    if len(frames.agents) > 1:
        cut = {
            ", ".join(filter(None, [agent, mode])): one
            for mode, part in (cut or {"": frames}).items()
            for agent, one in part.by_agent().items()
        }
    done = Counter(task for part in cut.values() for task in set(part.tasks.values()))
    return cut if max(done.values(), default=0) > 1 else {}


def has_paired_modes(frames: RunFrames) -> bool:
    """Whether an agent did some task in several recorded nudge modes."""
    recorded = frames.transcripts[frames.transcripts["mode"] != ""]
    modes = recorded.groupby(["task_id", "agent"])["mode"].nunique()
    return bool((modes > 1).any())


def arm_field(arm: str) -> str:
    """The field of a row for an arm's value, prefixed because an arm may have another field's
    name."""
    return f"run:{arm}"


def comparable(arms: Arms) -> dict[str, RunFrames]:
    """The largest group of arms with tasks that all of it have: of several as large, the one with
    the most such tasks, then the first. Empty without tasks."""
    having: dict[str, list[str]] = {}
    for name, arm in arms.items():
        for task in arm.transcripts["task_id"].unique():
            having.setdefault(task, []).append(name)
    groups = Counter(map(tuple, having.values()))
    largest = max(groups, key=lambda group: (len(group), groups[group]), default=())
    return {name: arms[name] for name in largest}


def left_out_caution(arms: Arms, compared: Arms) -> str:
    """A caution that names the arms which are not compared, and why; "" without any."""
    left = [
        f"{name} ({counted(len(set(arm.tasks.values())), 'task')})"
        for name, arm in arms.items()
        if name not in compared
    ]
    if not left:
        return ""
    return (
        f"Caution: left out, as no task of theirs is in all that are compared: {'; '.join(left)}."
    )


def no_mode_caution(runs: Arms) -> str:
    """A caution that counts the transcripts which a cut into nudge modes (`paired_parts`) leaves
    out, as theirs is not recorded; "" without any."""
    left = {
        name: int((run.transcripts["mode"] == "").sum())
        for name, run in runs.items()
        if sum(map(bool, run.modes)) > 1 and paired_parts(run)
    }
    said = "; ".join(
        counted(number, "transcript") + (f" in {name}" if len(runs) > 1 else "")
        for name, number in left.items()
        if number
    )
    return f"Caution: left out, as no nudge mode is recorded: {said}." if said else ""


def common_tasks(arms: Arms) -> list[str]:
    """Tasks that every arm has, in the order of the first arm."""
    sets = [set(arm.transcripts["task_id"]) for arm in arms.values()]
    shared = set.intersection(*sets) if sets else set()
    first = next(iter(arms.values()), None)
    return [] if first is None else [task for task in first_per_task(first) if task in shared]


def unpaired_tasks(arms: Arms) -> dict[str, list[str]]:
    """The tasks of each arm that some other arm lacks."""
    shared = set(common_tasks(arms))
    return {
        name: [task for task in first_per_task(arm) if task not in shared]
        for name, arm in arms.items()
    }


def passes_by_task(
    frames: RunFrames, grader: str, tasks: Iterable[str] | None = None
) -> dict[str, bool]:
    """Whether a grader passed each task, by `first_per_task`; ungraded ones are left out."""
    passed = frames.passed(grader)
    return {
        task: passed[transcript_id]
        for task, transcript_id in first_per_task(frames, tasks).items()
        if transcript_id in passed
    }


def repeats_note(frames: RunFrames) -> str:
    """A note for tables with intervals: the number of tasks behind the transcripts; "" if each has
    a task of its own."""
    tasks = len(set(frames.tasks.values()))
    if tasks == len(frames):
        return ""
    return (
        f"{len(frames):,} transcripts of {counted(tasks, 'task')}: intervals allow for similar "
        "transcripts of a task."
    )
