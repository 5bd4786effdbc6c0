"""What `grader calibrate` can be asked for."""

from __future__ import annotations

from pydantic import Field

from grader.records import Record

from ..statistics.estimates import Target
from ..statistics.rates import LEVEL


class AuditSettings(Record):
    """The choices of an audit.

    final_only: leave out labels from the snippet alone. target: whose pass rate, that of tasks
    like these (`population`) or of exactly these transcripts (`run`). goal: the half-width that
    the plan for further labels aims at. covariates: what to test, by default all the tasks have;
    also "outcome", the pipeline's, where no task covariate is called so. level: of all intervals.
    """

    final_only: bool = False
    target: Target = "population"
    goal: float = Field(default=0.03, gt=0)
    covariates: tuple[str, ...] | None = None
    level: float = Field(default=LEVEL, gt=0, lt=1)
