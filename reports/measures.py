"""The measures of a run shared by tables, figures and the first lines: pass rate, match rate,
success, outcomes, and rates by level or band."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from annotate.statistics.covariates import COVARIATE
from annotate.statistics.levels import covariate_levels
from annotate.statistics.rates import Rate, rate_of
from annotate.statistics.reliability import Reliability, reliability
from grader.grader_names import KEYWORD

from .frames import RunFrames
from .names import OUTCOME_TITLES, UNKNOWN
from .share import Share, share_of
from .wording import counted

if TYPE_CHECKING:
    import pandas as pd


def outcome_counts(frames: RunFrames) -> dict[str, int]:
    """Transcripts by outcome, every one of `OUTCOME_TITLES` present."""
    found = frames.transcripts["outcome"].value_counts()
    return {outcome: int(found.get(outcome, 0)) for outcome in OUTCOME_TITLES}


def outcomes_in(*runs: RunFrames) -> dict[str, str]:
    """Outcomes to show and their titles; `unknown` only if it occurs."""
    unknown = any((frames.transcripts["outcome"] == UNKNOWN).any() for frames in runs)
    return {key: title for key, title in OUTCOME_TITLES.items() if unknown or key != UNKNOWN}


def pass_rate(frames: RunFrames, grader: str) -> Share:
    """Share of transcripts that a grader passed. Strict failures that the LLM judge left ungraded
    are undecided; transcripts that no grader could grade are left out."""
    hits = frames.passed(grader) | dict.fromkeys(frames.undecided(grader))
    return share_of(list(hits.values()), frames.tasks_of(hits))


def match_rate(frames: RunFrames) -> Rate:
    """Share of transcripts whose answer matches the truth, by the labels and their weights;
    undefined while a stratum of the queue has no label, in a part of the run among its own."""
    weighting = frames.weighting
    is_undefined = frames.unlabelled or (weighting and weighting.unlabelled)
    labels = {} if is_undefined else frames.sampled
    weights = weighting and weighting.weights
    given = [weights[key] for key in labels] if weights else None
    return rate_of(list(labels.values()), frames.tasks_of(labels), weights=given)


def unlabelled_note(parts: Iterable[RunFrames], lack: str) -> str:
    """A note that names the strata which lack a label in one of the labelled parts; "" if none
    does. lack: what such a part has not, as in "a row has no human match"."""
    lacking = sorted({name for part in parts if part.human_matches for name in part.unlabelled})
    if not lacking:
        return ""
    return f"n/a: {lack} while a stratum of the queue has no label in it ({', '.join(lacking)})."


def rate_by_task(frames: RunFrames, hits: Mapping[str, bool]) -> Rate:
    """The share of hits by transcript_id, with an interval that allows for repeats of a task."""
    return rate_of(list(hits.values()), frames.tasks_of(hits))


def level_of(frames: RunFrames, covariate: str) -> pd.Series[Any]:
    """The level of one covariate by transcript_id; transcripts without a value are left out."""
    return covariate_levels(frames.transcripts, COVARIATE + covariate)


def levels(frames: RunFrames, covariate: str) -> dict[str, RunFrames]:
    """The run cut by the levels of one covariate, by level; transcripts without a value are left
    out."""
    level = level_of(frames, covariate)
    return {name: frames.part(level.index[level == name], name) for name in level.cat.categories}


def without_level_note(frames: RunFrames, covariates: Iterable[str]) -> str:
    """A note that counts the transcripts which `levels` leaves out of each covariate; "" if
    none."""
    left = {name: len(frames) - len(level_of(frames, name)) for name in covariates}
    said = ", ".join(
        f"{counted(number, 'transcript')} without {name.replace('_', ' ')}"
        for name, number in left.items()
        if number
    )
    return f"Not among the levels: {said}." if said else ""


def success(frames: RunFrames) -> Share:
    """Grading-run success: transcripts whose pipeline ended in a gradable answer. Unknown outcomes
    are undecided."""
    return _gradable(frames, frames.transcripts["outcome"])


def success_before_nudge(frames: RunFrames) -> Share:
    """Grading-run success without nudges: gradable, and no nudge was needed."""
    table = frames.transcripts
    return _gradable(frames, table["outcome"].where(table["n_nudges"] == 0, "failed"))


def _gradable(frames: RunFrames, outcomes: pd.Series[Any]) -> Share:
    hits = [None if outcome == UNKNOWN else outcome != "failed" for outcome in outcomes]
    return share_of(hits, list(frames.tasks.values()))


def score_bands(frames: RunFrames) -> Reliability:
    """Strict pass rate by answer-region confidence score (the paper's Figure S.1)."""
    graded = {
        key: float(score)
        for key, grade in frames.grades.get(KEYWORD, {}).items()
        if grade.verdict != "ungraded"
        and isinstance(score := grade.evidence.get("region_score"), int | float)
    }
    passed = frames.passed(KEYWORD)
    return reliability(
        list(graded.values()), [passed[key] for key in graded], frames.tasks_of(graded)
    )


def confidence_bands(frames: RunFrames) -> Reliability:
    """How often the blind grade agrees with the human label, by its stated confidence (as
    `grader calibrate` has it); empty without labels."""
    return frames.audit.reliability if frames.audit else Reliability(bands=(), n=0)
