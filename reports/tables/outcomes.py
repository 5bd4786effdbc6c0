"""Outcomes: how the pipeline behaved, whether or not the answer is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotate.shown_numbers import show_count

from ..frames import RunFrames
from ..measures import (
    levels,
    match_rate,
    outcome_counts,
    outcomes_in,
    pass_rate,
    rate_by_task,
    unlabelled_note,
    without_level_note,
)
from ..pairing import repeats_note
from ..table import Column, Table, show_rate, show_share
from ..undecided import range_note
from ..wording import sentences


def outcomes_table(frames: RunFrames) -> Table:
    """Outcome counts, overall and by each covariate's values, with the pass rates beside."""
    strict, cascade = graders = frames.layers
    parts = [("All", "all transcripts", frames)]
    if len(frames.agents) > 1:
        parts += [("Agent", name, part) for name, part in frames.by_agent().items()]
    for covariate in frames.covariates:
        of_levels = levels(frames, covariate).items()
        parts += [(covariate, name, part) for name, part in of_levels]
    rows = [_row(panel, level, part, graders) for panel, level, part in parts]
    columns = (
        Column("Transcripts", "level", numeric=False),
        Column("n", "n", show_count),
        *(Column(title, outcome, show_count) for outcome, title in outcomes_in(frames).items()),
        Column("Nudged", "nudged", show_rate),
        Column("Strict pass", strict, show_share),
        Column("Cascade pass", cascade, show_share),
        Column("Human match", "match", show_rate),
    )
    note = (
        "Outcomes describe the pipeline, not correctness. Rates cover what is graded or labelled."
    )
    left = without_level_note(frames, frames.covariates)
    lacking = unlabelled_note((part for *_, part in parts), "a row has no human match")
    note = sentences(note, left, lacking, repeats_note(frames), range_note([frames]))
    return Table(
        "outcomes", "Outcomes by task covariate", columns, tuple(rows), note, group="panel"
    )


def _row(panel: str, level: str, frames: RunFrames, graders: Sequence[str]) -> Mapping[str, Any]:
    table = frames.transcripts
    return {
        "panel": panel.replace("_", " "),
        "level": level,
        "n": len(frames),
        **outcome_counts(frames),
        "nudged": rate_by_task(frames, dict(zip(table.index, table["n_nudges"] > 0, strict=True))),
        **{grader: pass_rate(frames, grader) for grader in graders},
        "match": match_rate(frames),
    }
