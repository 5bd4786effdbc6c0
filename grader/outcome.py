"""Pipeline behaviour of a transcript, independent of correctness (Zheng & Hsu 2026, sec. 3)."""

from __future__ import annotations

import re

from .records import Outcome, Step, Transcript
from .text.formats import LAMBDA_REPAIR, TRACEBACK

_TRACEBACK = re.compile(
    rf"(?:^|[>:])\s*{re.escape(TRACEBACK)}", re.MULTILINE
)  # printed, not in code
_REPAIR_BANNER = re.compile(rf"{LAMBDA_REPAIR}, attempts: \d+")


def is_gradable(step: Step) -> bool:
    """Whether an instrumented final step can be graded (grading-run success): its code did not end
    in an error, and it gives one answer. The published answer plays no part."""
    return bool(step.scalar_found) and not step.execution_error


def outcome_of(transcript: Transcript) -> Outcome:
    """Exactly one outcome per transcript, whose steps are instrumented.

    `failed` if its last step is not gradable; else `nudge_recovered` if any nudge was sent,
    `error_recovered` if an execution error was repaired, be it within a step, else `clean`.
    """
    steps = transcript.steps
    if not steps or not is_gradable(steps[-1]):
        return "failed"
    if transcript.n_nudges:
        return "nudge_recovered"
    return "error_recovered" if any(map(_tells_of_error, steps)) else "clean"


def _tells_of_error(step: Step) -> bool:
    return (
        bool(step.execution_error)
        or step.instruction_type == "inspector_revision"
        or _TRACEBACK.search(step.raw_output) is not None
        or _REPAIR_BANNER.search(step.raw_output) is not None
    )
