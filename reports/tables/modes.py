"""Table S.3: runs, or nudge modes and agents of one run, side by side over their common tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from annotate.shown_numbers import show_count, show_number
from annotate.statistics.rates import Rate

from ..frames import RunFrames, layers_of
from ..measures import match_rate, outcome_counts, outcomes_in, pass_rate, unlabelled_note
from ..names import MODE_TITLES, capitalised
from ..pairing import (
    Arms,
    arm_field,
    common_tasks,
    comparable,
    first_per_task,
    left_out_caution,
    no_mode_caution,
    paired_parts,
)
from ..share import Share
from ..table import Column, Table, show_rate, show_share
from ..undecided import range_note
from ..wording import counted, sentences

Counted = TypeVar("Counted", Rate, Share)


def modes_table(frames: RunFrames) -> Table | None:
    """Table S.3 of one run: its nudge modes, and agents, side by side, those that share tasks
    (`comparable`); None unless several do."""
    parts = paired_parts(frames, MODE_TITLES)
    arms = comparable(parts)
    if not arms:
        return None
    caution = sentences(left_out_caution(parts, arms), no_mode_caution({"": frames}))
    if len(frames.agents) > 1:
        return arms_table(arms, "modes", "Table S.3. Agents and nudge modes compared", caution)
    titled = {capitalised(name): part for name, part in arms.items()}
    return arms_table(titled, "modes", "Table S.3. Nudge modes compared", caution)


def arms_table(arms: Arms, name: str, title: str, caution: str = "") -> Table:
    """Each arm's figures over the tasks common to all arms (`first_per_task`); the
    last column counts tasks passed in every arm. `caution` ends the note."""
    tasks = common_tasks(arms)
    cut = {arm: part.part(first_per_task(part, tasks).values(), arm) for arm, part in arms.items()}
    titles = outcomes_in(*cut.values())
    shown = []
    for label, measure, grader in _measures(titles, *layers_of(cut.values())):
        values = {arm_field(arm): measure(part) for arm, part in cut.items()}
        if any(value is not None for value in values.values()):
            every = {"every": _passed_in_all(list(cut.values()), grader, tasks)} if grader else {}
            shown.append({"metric": label, **values, **every})
    columns = (
        Column("Metric", "metric", numeric=False),
        *(Column(arm, arm_field(arm), _show) for arm in cut),
        Column("In all", "every", lambda v: "" if v is None else show_share(v)),
    )
    shared = counted(len(tasks), "task")
    note = f"Over the {shared} that all share, each by its first gradable repeat."
    lacking = unlabelled_note(cut.values(), "a column has no human match")
    note = sentences(note, range_note(cut.values()), lacking, caution)
    return Table(name, title, columns, tuple(shown), note)


def _passed_in_all(arms: Sequence[RunFrames], grader: str, tasks: Iterable[str]) -> Share:
    """The share of tasks that a grader passed in every arm, among tasks that it graded, or left
    undecided, in every arm."""
    first = [first_per_task(arm) for arm in arms]
    verdicts = [arm.passed(grader) | dict.fromkeys(arm.undecided(grader)) for arm in arms]
    together = [
        [verdict[of[task]] for of, verdict in zip(first, verdicts, strict=True)]
        for task in tasks
        if all(of[task] in verdict for of, verdict in zip(first, verdicts, strict=True))
    ]
    possible = [found for found in together if False not in found]
    passed = sum(all(found) for found in possible)
    return Share(passed, len(together), len(possible) - passed)


def _measures(
    outcomes: Mapping[str, str], strict: str, cascade: str
) -> list[tuple[str, Callable[[RunFrames], Any], str | None]]:
    """(label, value of an arm, grader whose common passes are counted)."""
    return [
        ("Transcripts", len, None),
        ("Strict pass", lambda f: _if_any(pass_rate(f, strict)), strict),
        ("Cascade pass", lambda f: _if_any(pass_rate(f, cascade)), cascade),
        ("Human match", lambda f: _if_any(match_rate(f)), None),
        ("Nudge triggered", lambda f: int((f.transcripts["n_nudges"] > 0).sum()), None),
        ("Nudges, total", lambda f: int(f.transcripts["n_nudges"].sum()), None),
        *(
            (title, lambda f, outcome=outcome: outcome_counts(f)[outcome], None)
            for outcome, title in outcomes.items()
        ),
        ("Tokens, mean per transcript", lambda f: _mean(f, "tokens"), None),
        ("Time, mean seconds per transcript", lambda f: _mean(f, "seconds"), None),
        ("Anchoring of the last turn, mean", lambda f: _mean(f, "anchoring"), None),
    ]


def _show(value: Any) -> str:
    if isinstance(value, Share):
        return show_share(value)
    if isinstance(value, Rate):
        return show_rate(value)
    return show_number(value) if isinstance(value, float) else show_count(value)


def _if_any(found: Counted) -> Counted | None:
    return found if found.n else None


def _mean(frames: RunFrames, column: str) -> float | None:
    known = frames.transcripts[column].dropna()
    return float(known.mean()) if len(known) else None
