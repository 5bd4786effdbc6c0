"""Outcomes: how the pipeline behaved, whatever the answer's worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from annotate.covariates import COVARIATE, as_levels
from annotate.rates import Rate, rate

from ..frames import RunFrames
from ..names import CASCADE, KEYWORD, OUTCOME_TITLES
from ..table import Column, Table, show_count, show_rate


def outcome_counts(frames: RunFrames) -> dict[str, int]:
    """Transcripts by outcome, every outcome present."""
    found = frames.transcripts["outcome"].value_counts()
    return {outcome: int(found.get(outcome, 0)) for outcome in OUTCOME_TITLES}


def pass_rate(frames: RunFrames, grader: str) -> Rate:
    """Share of graded transcripts that a grader passed; ungraded ones are left out."""
    passed = frames.passed(grader)
    return rate(sum(passed.values()), len(passed))


def match_rate(frames: RunFrames) -> Rate:
    """Share of labelled transcripts whose answer matches the truth."""
    return rate(sum(frames.truth.values()), len(frames.truth))


def levels(frames: RunFrames, covariate: str) -> dict[str, RunFrames]:
    """The run cut by one covariate's values, or by the quartiles of a number with many values;
    transcripts without a value are left out."""
    column = frames.transcripts[COVARIATE + covariate].dropna()
    level_of = as_levels(column)
    first = column.groupby(level_of).min()
    numbers = pd.to_numeric(first, errors="coerce").fillna(0)
    order = sorted(first.index, key=lambda level: (numbers[level], level))
    return {str(level): frames.part(column.index[level_of == level], str(level)) for level in order}


def outcomes_table(frames: RunFrames) -> Table:
    """Outcome counts, overall and by each covariate's values, with the pass rates beside."""
    rows = [_row("All", "all transcripts", frames)]
    for covariate in frames.covariates:
        rows += [_row(covariate, name, part) for name, part in levels(frames, covariate).items()]
    columns = (
        Column("Transcripts", "level", numeric=False),
        Column("n", "n", show_count),
        *(Column(title, outcome, show_count) for outcome, title in OUTCOME_TITLES.items()),
        Column("Nudged", "nudged", show_rate),
        Column("Strict pass", KEYWORD, show_rate),
        Column("Cascade pass", CASCADE, show_rate),
        Column("Human match", "match", show_rate),
    )
    note = "Outcomes describe the pipeline, not correctness. Rates over graded or labelled only."
    return Table(
        "outcomes", "Outcomes by task covariate", columns, tuple(rows), note, group="panel"
    )


def _row(panel: str, level: str, frames: RunFrames) -> Mapping[str, Any]:
    return {
        "panel": panel.replace("_", " "),
        "level": level,
        "n": len(frames),
        **outcome_counts(frames),
        "nudged": rate(int((frames.transcripts["n_nudges"] > 0).sum()), len(frames)),
        KEYWORD: pass_rate(frames, KEYWORD),
        CASCADE: pass_rate(frames, CASCADE),
        "match": match_rate(frames),
    }
