"""Table 1: each grader against the human labels, with and without nudges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate.audit.notes import label_notes
from annotate.cases import judges_failures_only
from annotate.shown_numbers import show_count, show_level, show_percent
from annotate.statistics.calibrate import grader_rates
from annotate.statistics.rates import three_of

from ..frames import RunFrames
from ..measures import success, success_before_nudge, unlabelled_note
from ..names import MODE_TITLES, STRICT_ALONE, grader_title
from ..share import Share
from ..table import Column, Table, show_interval, show_rate_error, show_successes
from ..undecided import left_out_note, not_before_note, unjudged_note
from ..wording import sentences

POSITIVE = "Positive = the human label says the answer matches."
EVEN_NOTE = (
    "Recall and precision with standard error; the interval of recall is Wilson's at "
    f"{show_level()}."
)
NOTE = (
    "The bound is the rule of three, "
    f"1 − {three_of():g}/n for n tasks passed, where no pass is false. Grading success counts "
    "transcripts whose pipeline ended in a gradable answer, the same for every grader; from–to "
    "leaves unknown outcomes open. No answer counts as not passed; ungraded is outside the four "
    "cells."
)


def _show_bound(value: float | None) -> str:
    return f"≥ {show_percent(value)}" if value is not None else show_percent(None)


BEFORE_NOTE = (
    "Rows without nudges compare the answer before the first nudge with the label of the final "
    "answer, so their differences include what nudging changed."
)
COLUMNS = (
    Column("Grader", "title", numeric=False),
    Column("Grading success", "grading_success", show_successes),
    Column("Labelled", "labelled", show_count),
    Column("TP", "tp", show_count),
    Column("FP", "fp", show_count),
    Column("FN", "fn", show_count),
    Column("TN", "tn", show_count),
    Column("Recall (s.e.)", "recall", show_rate_error),
    Column(f"Recall, {show_level()} interval", "recall", show_interval),
    Column("Precision (s.e.)", "precision", show_rate_error),
    Column("Precision bound", "precision_bound", _show_bound),
    Column("No answer", "no_answer", show_count),
    Column("Ungraded", "ungraded", show_count),
)
WEIGHTED_NOTE = (
    "Recall and precision describe the run, weighted for the sampling design of the labels: they, "
    "their standard errors and intervals come from the posterior of the calibrated accuracy. The "
    "four cells count labels; hard cases have more than their share of these."
)


def graders_table(frames: RunFrames) -> Table | None:
    """Table 1 of the run; None without labels or grades. A run in several nudge modes gets a
    panel for each labelled mode."""
    if not frames.human_matches or not frames.graders:
        return None
    parts = frames.by_mode() if len(frames.modes) > 1 else {"": frames}
    rows: list[dict[str, Any]] = []
    for mode, part in parts.items():
        if not part.human_matches:
            continue
        where = f", {MODE_TITLES[mode]}" if len(parts) > 1 else ""
        rows += _panel(part, part.graders, f"Complete transcripts{where}", success(part))
        rows += _panel(
            part,
            part.graders_before_nudge,
            f"Without nudges, from the steps before the first nudge{where}",
            success_before_nudge(part),
        )
    weighted = frames.weighting is not None and bool(frames.weighting.drawn_from)
    return Table(
        "graders",
        "Table 1. Graders against human labels",
        COLUMNS,
        tuple(rows),
        sentences(
            POSITIVE,
            WEIGHTED_NOTE if weighted else EVEN_NOTE,
            unlabelled_note(parts.values(), "a panel has no rates"),
            NOTE,
            BEFORE_NOTE if frames.graders_before_nudge else "",
            *_label_notes(frames),
            left_out_note({"": frames}, before_nudge=True),
            not_before_note(frames),
            unjudged_note(frames),
        ),
        group="panel",
    )


def _label_notes(frames: RunFrames) -> Iterator[str]:
    audit = frames.audit
    if audit is not None:
        yield from label_notes(
            audit.from_snippet_only, audit.labelled, len(audit.undecided), audit.unblinded
        )


def _panel(
    frames: RunFrames, graders: list[str], panel: str, grading_success: Share
) -> list[dict[str, Any]]:
    return [
        {"panel": panel, **_row(frames, grader), "grading_success": grading_success}
        for grader in graders
        # the cascade's row represents such a judge, as the paper's "lenient grader" does
        if not judges_failures_only(grader, frames.verdicts)
    ]


def _row(frames: RunFrames, grader: str) -> dict[str, Any]:
    found = grader_rates(
        grader,
        frames.verdicts(grader),
        frames.sampled,
        drawn=frames.drawn,
        tasks=frames.tasks,
    )
    cells = found.confusion
    return {
        "grader": grader,
        "title": STRICT_ALONE if frames.lacks_judge(grader) else grader_title(grader),
        "labelled": cells.n + cells.ungraded,
        **cells.model_dump(),
        "recall": found.recall,
        "precision": found.precision,
        "precision_bound": found.precision_bound,
    }
