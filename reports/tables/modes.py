"""Table S.3: runs, or nudge modes of one run, side by side over their common tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from annotate.rates import Rate, rate

from ..frames import RunFrames
from ..names import CASCADE, KEYWORD, MODE_TITLES, OUTCOME_TITLES, capitalised
from ..pairing import common_tasks, first_per_task, paired_modes, passes_by_task
from ..table import Column, Table, show_count, show_number, show_rate
from .outcomes import match_rate, outcome_counts, pass_rate

Arms = Mapping[str, RunFrames]


def modes_table(frames: RunFrames) -> Table | None:
    """Table S.3 of one run: its nudge modes side by side; None unless several share tasks."""
    arms = {capitalised(MODE_TITLES[m]): part for m, part in paired_modes(frames).items()}
    if not arms:
        return None
    return arms_table(arms, "modes", "Table S.3. Nudge modes compared")


def arms_table(arms: Arms, name: str, title: str) -> Table:
    """Each arm's figures over the tasks common to all arms (first repeat of each task); the
    last column counts tasks passed in every arm."""
    tasks = common_tasks(arms)
    cut = {arm: part.part(first_per_task(part, tasks).values(), arm) for arm, part in arms.items()}
    rows = [_row(label, measure, cut, every) for label, measure, every in _measures()]
    shown = [row for row in rows if any(row[arm] is not None for arm in cut)]
    for row in shown:
        if grader := row.pop("grader"):
            passes = [passes_by_task(part, grader, tasks) for part in cut.values()]
            judged = [t for t in tasks if all(t in p for p in passes)]
            row["every"] = rate(sum(all(p[t] for p in passes) for t in judged), len(judged))
    columns = (
        Column("Metric", "metric", numeric=False),
        *(Column(arm, arm, _show) for arm in cut),
        Column("In all", "every", lambda v: "" if v is None else show_rate(v)),
    )
    note = f"Over the {len(tasks)} tasks that all share, the first repeat of each task."
    return Table(name, title, columns, tuple(shown), note)


def _measures() -> list[tuple[str, Callable[[RunFrames], Any], str | None]]:
    """(label, value of an arm, grader whose common passes are counted)."""
    return [
        ("Transcripts", len, None),
        ("Strict pass", lambda f: _if_any(pass_rate(f, KEYWORD)), KEYWORD),
        ("Cascade pass", lambda f: _if_any(pass_rate(f, CASCADE)), CASCADE),
        ("Human match", lambda f: _if_any(match_rate(f)), None),
        ("Nudge triggered", lambda f: int((f.transcripts["n_nudges"] > 0).sum()), None),
        ("Nudges, total", lambda f: int(f.transcripts["n_nudges"].sum()), None),
        *(
            (title, lambda f, outcome=outcome: outcome_counts(f)[outcome], None)
            for outcome, title in OUTCOME_TITLES.items()
        ),
        ("Tokens, mean per transcript", lambda f: _mean(f, "tokens"), None),
        ("Time, mean seconds per transcript", lambda f: _mean(f, "seconds"), None),
        ("Anchoring of the last turn, mean", lambda f: _mean(f, "anchoring"), None),
    ]


def _row(
    label: str, measure: Callable[[RunFrames], Any], arms: Arms, grader: str | None
) -> dict[str, Any]:
    return {"metric": label, **{name: measure(arm) for name, arm in arms.items()}, "grader": grader}


def _show(value: Any) -> str:
    if isinstance(value, Rate):
        return show_rate(value)
    return show_number(value) if isinstance(value, float) else show_count(value)


def _if_any(found: Rate) -> Rate | None:
    return found if found.n else None


def _mean(frames: RunFrames, column: str) -> float | None:
    known = frames.transcripts[column].dropna()
    return float(known.mean()) if len(known) else None
