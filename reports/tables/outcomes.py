"""Outcomes: how the pipeline behaved, whatever the answer's worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.show import show_count
from annotate.statistics.covariates import COVARIATE
from annotate.statistics.levels import covariate_levels
from annotate.statistics.rates import Rate, rate_of

from ..frames import RunFrames
from ..names import CASCADE, KEYWORD, OUTCOME_TITLES, UNKNOWN
from ..pairing import repeats_note
from ..share import Share, share_of
from ..table import Column, Table, show_rate, show_share
from ..undecided import range_note
from ..wording import sentences


def outcome_counts(frames: RunFrames) -> dict[str, int]:
    """Transcripts by outcome, every one of `OUTCOME_TITLES` present."""
    found = frames.transcripts["outcome"].value_counts()
    return {outcome: int(found.get(outcome, 0)) for outcome in OUTCOME_TITLES}


def outcomes_in(*runs: RunFrames) -> dict[str, str]:
    """Outcomes to show and their titles: an unknown one where there is any."""
    unknown = any((frames.transcripts["outcome"] == UNKNOWN).any() for frames in runs)
    return {key: title for key, title in OUTCOME_TITLES.items() if unknown or key != UNKNOWN}


def pass_rate(frames: RunFrames, grader: str) -> Share:
    """Share of transcripts that a grader passed. Strict failures that the LLM judge left ungraded
    are undecided; what no grader could grade is left out."""
    hits = frames.passed(grader) | dict.fromkeys(frames.undecided(grader))
    return share_of(list(hits.values()), frames.tasks_of(hits))


def match_rate(frames: RunFrames) -> Rate:
    """Share of transcripts whose answer matches the truth, by the labels and what they weigh; of
    none while a stratum that labels were drawn from lacks one."""
    weighting = frames.weighting
    labels = {} if weighting and weighting.unlabelled else frames.sampled
    weights = weighting and weighting.weights
    given = [weights[key] for key in labels] if weights else None
    return rate_of(list(labels.values()), frames.tasks_of(labels), weights=given)


def rate_by_task(frames: RunFrames, hits: Mapping[str, bool]) -> Rate:
    """The share of hits by transcript_id, with an interval that allows for repeats of a task."""
    return rate_of(list(hits.values()), frames.tasks_of(hits))


def levels(frames: RunFrames, covariate: str) -> dict[str, RunFrames]:
    """The run cut by the levels of one covariate, by level; transcripts without a value are left
    out."""
    level = covariate_levels(frames.transcripts, COVARIATE + covariate)
    return {name: frames.part(level.index[level == name], name) for name in level.cat.categories}


def outcomes_table(frames: RunFrames) -> Table:
    """Outcome counts, overall and by each covariate's values, with the pass rates beside."""
    rows = [_row("All", "all transcripts", frames)]
    if len(frames.agents) > 1:
        rows += [_row("Agent", name, part) for name, part in frames.by_agent().items()]
    for covariate in frames.covariates:
        rows += [_row(covariate, name, part) for name, part in levels(frames, covariate).items()]
    columns = (
        Column("Transcripts", "level", numeric=False),
        Column("n", "n", show_count),
        *(Column(title, outcome, show_count) for outcome, title in outcomes_in(frames).items()),
        Column("Nudged", "nudged", show_rate),
        Column("Strict pass", KEYWORD, show_share),
        Column("Cascade pass", CASCADE, show_share),
        Column("Human match", "match", show_rate),
    )
    note = "Outcomes describe the pipeline, not correctness. Rates over graded or labelled only."
    note = sentences(note, repeats_note(frames), range_note([frames]))
    return Table(
        "outcomes", "Outcomes by task covariate", columns, tuple(rows), note, group="panel"
    )


def _row(panel: str, level: str, frames: RunFrames) -> Mapping[str, Any]:
    table = frames.transcripts
    return {
        "panel": panel.replace("_", " "),
        "level": level,
        "n": len(frames),
        **outcome_counts(frames),
        "nudged": rate_by_task(frames, dict(zip(table.index, table["n_nudges"] > 0, strict=True))),
        KEYWORD: pass_rate(frames, KEYWORD),
        CASCADE: pass_rate(frames, CASCADE),
        "match": match_rate(frames),
    }
