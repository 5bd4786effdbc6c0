"""Figure S.1 as a table: pass rate by answer-region score, and how reliable the confidence is."""

from __future__ import annotations

from typing import Any

from annotate.shown_numbers import show_count, show_level, show_number
from annotate.statistics.reliability import Reliability

from ..frames import RunFrames
from ..measures import confidence_bands, score_bands
from ..pairing import repeats_note
from ..table import Column, Table, show_interval, show_rate
from ..wording import sentences

COLUMNS = (
    Column("Band", "band", numeric=False),
    Column("Mean", "mean", show_number),
    Column("n", "n", show_count),
    Column("Hits", "hits", show_rate),
    Column(f"{show_level()} interval", "hits", show_interval),
)


def bands_table(frames: RunFrames) -> Table | None:
    """Both reliabilities, one panel each; None if no grade carries a score."""
    parts = [
        ("Strict pass by answer-region score", score_bands(frames)),
        (
            "Blind grade agrees with the human label, by stated confidence",
            confidence_bands(frames),
        ),
    ]
    rows = tuple(row for title, found in parts if found.n for row in _rows(title, found))
    if not rows:
        return None
    stated = parts[1][1]
    note = (
        f"Blind confidence: Brier score {show_number(stated.brier, 3)}, expected calibration "
        f"error {show_number(stated.calibration_error, 3)} (n = {stated.n} labelled grades that "
        "state one)."
        if stated.n
        else "No labels: the reliability of the stated confidence is not known."
    )
    note = sentences(note, repeats_note(frames))
    return Table("bands", "Pass rate by confidence band", COLUMNS, rows, note, group="panel")


def _rows(panel: str, found: Reliability) -> list[dict[str, Any]]:
    last = len(found.bands) - 1
    return [
        {
            "panel": panel,
            "band": f"{b.low:.2f}–{b.high:.2f}" + ("" if i < last else " (incl.)"),
            "mean": b.mean,
            "n": b.hits.n,
            "hits": b.hits,
        }
        for i, b in enumerate(found.bands)
    ]
