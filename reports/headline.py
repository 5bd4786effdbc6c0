"""The report's first lines: success, pass rates, human match and calibrated accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from annotate.shown_numbers import NOT_AVAILABLE, show_level, show_percent
from annotate.statistics.prevalence import PassRate
from grader.grader_names import CASCADE, LENIENT

from .frames import RunFrames
from .measures import match_rate, pass_rate, success
from .names import STRICT_KINDS
from .share import Share
from .table import show_bounds, show_interval, show_successes
from .wording import counted

NO_LABELS = "no labels yet"
NEEDS = "needs human labels and a cascade grade of every transcript"


class Fact(NamedTuple):
    """One headline figure: its label, its value, and the counts behind it."""

    label: str
    figure: str
    detail: str


def headline(frames: RunFrames) -> list[Fact]:
    """Grading success, strict, cascade, human, and the calibrated accuracy with its interval."""
    reached = success(frames)
    layers = "strict or LLM judge" if frames.verdicts(LENIENT) else "strict alone, no LLM judge ran"
    unknown = f"{counted(reached.open, 'outcome')} unknown" if reached.open else ""
    return [
        _fact("Grading success", reached, "ended in a gradable answer", unknown),
        _passes("Strict pass", frames, frames.strict_layer, STRICT_KINDS[frames.strict_layer]),
        _passes("Cascade pass", frames, CASCADE, layers),
        _human(frames),
        _calibrated(frames),
    ]


def calibrated_accuracy(frames: RunFrames) -> PassRate | None:
    """The agent's accuracy on tasks like these, from every cascade grade corrected by the labels,
    as in `grader calibrate`. None without labels or complete cascade grades."""
    rates = frames.audit.pass_rates if frames.audit else ()
    return next((found for found in rates if found.grader == CASCADE), None)


def _passes(label: str, frames: RunFrames, grader: str, by: str) -> Fact:
    found = pass_rate(frames, grader)
    left, waiting = len(frames.verdicts(grader)) - found.n, frames.not_graded(grader)
    remarks = []
    if found.open:
        remarks.append(f"{counted(found.open, 'strict failure')} without an LLM verdict")
    if left:
        remarks.append(f"{left:,} ungraded left out")
    if waiting:
        remarks.append(f"{waiting:,} not graded yet")
    return _fact(label, found, by if found.open else f"{by}, of graded", ", ".join(remarks))


def _fact(label: str, found: Share, of: str, remark: str = "") -> Fact:
    if not found.n:
        return Fact(label, NOT_AVAILABLE, "; ".join(filter(None, [of, remark])))
    count = f"{show_successes(found)} {of}"
    alike = ", repeats of a task allowed for" if found.design_effect > 1 else ""
    interval = f"{show_level()} interval {show_interval(found)}{alike}"
    return Fact(label, show_bounds(found), "; ".join(filter(None, [count, remark, interval])))


def _human(frames: RunFrames) -> Fact:
    label, found = "Human match", match_rate(frames)
    if not found.n:
        missing = ", ".join(frames.weighting.unlabelled) if frames.weighting else ""
        reason = f"no label yet in: {missing}" if missing else NO_LABELS
        return Fact(label, NOT_AVAILABLE, "; ".join([reason, *_caveats(frames)]))
    weighted = ", weighted for their sampling design" if found.is_weighted else ""
    count = f"{found.successes:,}/{found.n:,} of labelled{weighted}"
    interval = f"{show_level()} interval {show_interval(found)}"
    return Fact(label, show_percent(found.value), "; ".join([count, interval, *_caveats(frames)]))


def _caveats(frames: RunFrames) -> Iterator[str]:
    """How many labels rest on the snippet alone or were given unblinded, and how many transcripts
    are disputed."""
    if frames.audit and frames.audit.from_snippet_only:
        yield f"{frames.audit.from_snippet_only:,} of the labels from the snippet alone"
    if frames.audit and frames.audit.undecided:
        yield f"{len(frames.audit.undecided):,} disputed and left out"
    if frames.audit and frames.audit.unblinded:
        yield f"{counted(frames.audit.unblinded, 'label')} given unblinded"


def _calibrated(frames: RunFrames) -> Fact:
    label, rate = "Calibrated accuracy", calibrated_accuracy(frames)
    if rate is None:
        return Fact(label, NOT_AVAILABLE, NEEDS)
    found = rate["poststratified"]
    if found.value is None:
        return Fact(label, NOT_AVAILABLE, found.reason)
    ends = f"[{show_percent(found.low)}, {show_percent(found.high)}]"
    interval = f"{show_level(found.level)} interval {ends}"
    labels = counted(rate.labelled, "label")
    return Fact(
        label,
        show_percent(found.value),
        f"{interval}; on tasks like these, from all grades and {labels}",
    )
