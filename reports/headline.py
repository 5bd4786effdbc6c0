"""The report's first lines: what was graded, what passed, what is truly right, how sure."""

from __future__ import annotations

from typing import NamedTuple

from annotate.prevalence import Estimate
from annotate.rates import Rate, show_percent

from .frames import RunFrames
from .names import CASCADE, KEYWORD
from .table import NOT_AVAILABLE, show_interval
from .tables import outcomes
from .tables.graders import success

NEEDS = "needs human labels and a cascade grade of every transcript"


class Fact(NamedTuple):
    """One headline figure: its label, the figure, and what it rests on."""

    label: str
    figure: str
    detail: str


def headline(frames: RunFrames) -> list[Fact]:
    """Grading success, strict, cascade, human, and the calibrated accuracy with its interval."""
    human = outcomes.match_rate(frames)
    return [
        _fact("Grading success", success(frames), "ended in a gradable answer"),
        _fact("Strict pass", outcomes.pass_rate(frames, KEYWORD), "keyword-anchored, of graded"),
        _fact(
            "Lenient pass", outcomes.pass_rate(frames, CASCADE), "strict or LLM judge, of graded"
        ),
        _fact("Human match", human, "of labelled" if human.n else "no labels yet"),
        _calibrated(frames),
    ]


def calibrated_accuracy(frames: RunFrames) -> Estimate | None:
    """The agent's accuracy on tasks like these: every cascade grade, corrected by the labels, as
    `grader calibrate` estimates it. None without labels or complete cascade grades."""
    rates = frames.audit.pass_rates if frames.audit else ()
    return next((found["poststratified"] for found in rates if found.grader == CASCADE), None)


def _fact(label: str, found: Rate, of: str) -> Fact:
    if found.value is None:
        return Fact(label, NOT_AVAILABLE, of)
    detail = f"{found.successes:,}/{found.n:,} {of}; 95% interval {show_interval(found)}"
    return Fact(label, show_percent(found.value), detail)


def _calibrated(frames: RunFrames) -> Fact:
    label = "Calibrated accuracy"
    found = calibrated_accuracy(frames)
    if found is None or found.value is None:
        return Fact(label, NOT_AVAILABLE, found.reason if found else NEEDS)
    interval = f"95% interval [{show_percent(found.low)}, {show_percent(found.high)}]"
    return Fact(
        label,
        show_percent(found.value),
        f"{interval}; on tasks like these, from all grades and {len(frames.truth):,} labels",
    )
