"""Disagreements among annotators: listing them, and settling one."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from grader.errors import UserError
from grader.invisible import displayable
from grader.records import Label, LabelVerdict
from grader.terminal import stdout_console

from .consensus import disagreements, final_labels
from .rows import StoredLabel
from .store import LabelStore

Row = dict[str, Any]
_SHOWN = {"annotator", "stage", "verdict", "reason"}


def check_disputed(labels: Iterable[StoredLabel], transcript_id: str) -> LabelVerdict | None:
    """The verdict that counts for a transcript before it is settled, None without a majority.
    Raises `UserError` if there is nothing to settle: nobody has labelled it, or annotators do not
    disagree on it. A disagreement that is settled may be settled anew."""
    final = final_labels(x for x in labels if x.transcript_id == transcript_id).get(transcript_id)
    if final is None:
        raise UserError(
            f"nobody has labelled {transcript_id!r}: there is nothing to settle. "
            "Label it with `grader annotate`"
        )
    if final.unanimous and final.basis != "adjudication":
        said = f"{', '.join(final.annotators)}: {final.verdict or 'needs_transcript'}"
        raise UserError(
            f"annotators do not disagree on {transcript_id!r} ({said}): there is nothing to "
            "settle. To replace or contest that, label it with `grader annotate`"
        )
    return final.verdict


def settle(store: LabelStore, label: Label) -> int:
    """Store a label that settles a disagreement; returns how many still await adjudication."""
    store.add(label, adjudication=True)
    return list(disagreements(store.current()).values()).count(None)


def show_disagreements(labels: Sequence[StoredLabel], *, as_json: bool) -> None:
    """Print the disagreements: those that await adjudication, and those with a majority."""
    found = disagreements(labels)
    awaiting = _labels_of([key for key, most in found.items() if most is None], labels)
    settled = _labels_of([key for key, most in found.items() if most is not None], labels)
    if as_json:
        sys.stdout.write(json.dumps({"open": awaiting, "majority": settled}) + "\n")
        return
    if not found:
        sys.stdout.write("No open disagreements.\n")
        return
    _print_table("Await adjudication", awaiting)
    _print_table("Settled by a majority", settled)
    sys.stdout.write("Settle one with: grader labels adjudicate DIR TRANSCRIPT_ID VERDICT\n")


def _labels_of(keys: Iterable[str], labels: Sequence[StoredLabel]) -> dict[str, list[Row]]:
    return {
        key: [x.model_dump(include=_SHOWN) for x in labels if x.transcript_id == key]
        for key in keys
    }


def _print_table(what: str, given: Mapping[str, Iterable[Row]]) -> None:
    table = Table("transcript", "annotator", "stage", "verdict", "note")
    for key, rows in given.items():
        for row in rows:
            cells = (key, row["annotator"], row["stage"], row["verdict"], row["reason"])
            table.add_row(*(Text(displayable(cell)) for cell in cells))
    sys.stdout.write(f"{what}: {len(given)}\n")
    if given:
        stdout_console().print(table)
