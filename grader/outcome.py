"""Pipeline behaviour of a transcript, independent of correctness (Zheng & Hsu 2026, sec. 3)."""

from __future__ import annotations

import re

from .records import NUDGES, Outcome, Transcript
from .strict import Reading

_REPAIR_BANNER = re.compile(r"Execution error, try to repair the code, attempts: \d+")


def gradable(reading: Reading) -> bool:
    """Grading-run success: the final response yields something that can be graded, whether or
    not there is a published answer to grade it against."""
    if not reading.transcript.steps:
        return False
    extraction = reading.keyword()
    return bool(extraction.candidates) and not extraction.ambiguous


def outcome_of(transcript: Transcript, *, gradable: bool) -> Outcome:
    """Exactly one outcome per transcript.

    gradable: the final response holds an answer that can be graded (not none, not ambiguous).
    `failed` if it does not; else `nudge_recovered` if any nudge was sent, `error_recovered` if
    an execution error was repaired, else `clean`.
    """
    if not gradable:
        return "failed"
    if any(step.instruction_type in NUDGES for step in transcript.steps):
        return "nudge_recovered"
    if any(
        step.execution_error
        or step.instruction_type == "inspector_revision"
        or _REPAIR_BANNER.search(step.raw_output)
        for step in transcript.steps
    ):
        return "error_recovered"
    return "clean"
