"""One row per transcript: outcome, every grader's verdict, the human label."""

from __future__ import annotations

from typing import Any

from annotate.shown_numbers import show_count, show_number
from grader.grader_names import BLIND, CASCADE

from ..frames import RunFrames
from ..table import Column, Table


def transcripts_table(frames: RunFrames) -> Table:
    """Every transcript, in evaluation order."""
    columns = (
        Column("Transcript", "transcript_id", numeric=False),
        Column("Task", "task_id", numeric=False),
        *([Column("Agent", "agent", numeric=False)] if len(frames.agents) > 1 else []),
        Column("Mode", "mode", numeric=False),
        Column("Outcome", "outcome", numeric=False),
        Column("Nudges", "n_nudges", show_count),
        Column("Truth", "ground_truth"),
        *(Column(grader, grader, lambda v: v or "", numeric=False) for grader in frames.graders),
        Column("Human", "human", lambda v: v or "", numeric=False),
        Column("Seconds", "seconds", lambda v: show_number(v, 1)),
    )
    return Table("transcripts", "Transcripts", columns, tuple(transcript_rows(frames)))


def transcript_rows(frames: RunFrames) -> list[dict[str, Any]]:
    """The rows as plain values; None for what was not recorded."""
    verdicts = {grader: frames.verdicts(grader) for grader in frames.graders}
    human = frames.labels["final"].to_dict()
    snippet = frames.labels["snippet"].to_dict()
    halves = {d.transcript_id for d in frames.disagreements}
    rows: list[dict[str, Any]] = []
    for row in frames.transcripts.to_dict("records"):
        key = row["transcript_id"]
        plain = {str(k): _plain(v) for k, v in row.items()}
        plain |= {grader: found.get(key) for grader, found in verdicts.items()}
        plain["human"], plain["snippet"] = _plain(human.get(key)), _plain(snippet.get(key))
        plain["disagreements"] = ", ".join(disagreements(plain, frames.strict_layer, key in halves))
        rows.append(plain)
    return rows


def disagreements(row: dict[str, Any], strict_layer: str, halves: bool) -> list[str]:
    """Which judgements of one transcript contradict each other."""
    found = []
    strict, blind, cascade, human = (
        row.get(name) for name in (strict_layer, BLIND, CASCADE, "human")
    )
    if human == "match" and cascade not in (None, "correct", "ungraded"):
        found.append("missed match")
    if human not in (None, "match") and cascade == "correct":
        found.append("false pass")
    if strict and cascade and strict != "correct" and cascade == "correct":
        found.append("strict ≠ lenient")
    if strict and blind and (strict == "correct") != (blind == "correct"):
        found.append("strict ≠ blind")
    if row.get("snippet") and human and row["snippet"] != human:
        found.append("snippet ≠ transcript")
    if halves:
        found.append("output ≠ prose")
    return found


def _plain(value: Any) -> Any:
    """A cell as a plain value: pandas' NaN for "missing" becomes None."""
    if value is None or (isinstance(value, float) and value != value):
        return None
    return value.item() if hasattr(value, "item") else value
