"""The settings of `grader calibrate`."""

from __future__ import annotations

from pydantic import Field

from grader.records import Record

from ..statistics.estimates import Target
from ..statistics.rates import LEVEL

LOWEST_LEVEL, HIGHEST_LEVEL = 0.5, 0.9999  # beyond these the bounds say nothing, or have no digits


class AuditSettings(Record):
    """The settings of an audit.

    final_only: leave out labels from the snippet alone. target: the pass rate on tasks like these
    (`population`) or on exactly these transcripts (`run`). goal: the half-width that the plan for
    further labels aims at. covariates: which to test (default: all); also "outcome", the pipeline's
    outcome, unless a task covariate has that name. level: of all intervals.
    """

    final_only: bool = False
    target: Target = "population"
    goal: float = Field(default=0.03, gt=0)
    covariates: tuple[str, ...] | None = None
    level: float = Field(default=LEVEL, ge=LOWEST_LEVEL, le=HIGHEST_LEVEL)
