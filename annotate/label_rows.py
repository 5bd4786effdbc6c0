"""Labels as rows of the database: which of them stand, and what is stored of one."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, func, select

from grader import __version__
from grader.invisible import encodable
from grader.records import Label

from .schema import LABELS

RETRACTED = "retracted"


class StoredLabel(Label):
    """A label with what the store knows of it. `revision` counts the annotator's acts on this
    transcript and stage; `adjudication` marks a label that settles a disagreement."""

    label_id: int
    revision: int
    adjudication: bool = False


def label_rows(
    connection: Connection, annotator: str | None = None, transcript_id: str | None = None
) -> list[dict[str, Any]]:
    """Every act, or those of one annotator, on one transcript; oldest first."""
    query = select(LABELS).order_by(LABELS.c.id)
    if annotator is not None:
        query = query.where(LABELS.c.annotator == annotator)
    if transcript_id is not None:
        query = query.where(LABELS.c.transcript_id == transcript_id)
    return [dict(row) for row in connection.execute(query).mappings()]


def standing_labels(rows: list[dict[str, Any]]) -> list[StoredLabel]:
    """The labels that count of a history: neither retracted nor superseded."""
    retracted = {row["retracts"] for row in rows}
    latest: dict[tuple[str, str, str, bool], StoredLabel] = {}
    for row in rows:
        if row["verdict"] != RETRACTED and row["id"] not in retracted:
            label = stored_label(row)
            key = (label.transcript_id, label.annotator, label.stage, label.adjudication)
            latest.pop(key, None)
            latest[key] = label
    return list(latest.values())


def row_of_act(connection: Connection, nonce: str) -> dict[str, Any] | None:
    """The row that an act of this name added, if it did."""
    row = connection.execute(select(LABELS).where(LABELS.c.nonce == nonce)).mappings().first()
    return dict(row) if row is not None else None


def latest_revision(connection: Connection, key: Mapping[str, Any]) -> int:
    """How many acts there are by the annotator of `key` on its transcript and stage."""
    query = select(func.max(LABELS.c.revision)).where(
        LABELS.c.transcript_id == key["transcript_id"],
        LABELS.c.annotator == key["annotator"],
        LABELS.c.stage == key["stage"],
    )
    return int(connection.execute(query).scalar() or 0)


def storable(label: Label) -> Label:
    """The label as the database holds it: its time in UTC (a time without a zone is taken for
    that), its text without what cannot be stored, the tool's version where it names none."""
    return label.model_copy(
        update={
            "created_at": _aware(label.created_at).astimezone(UTC),
            "reason": encodable(label.reason.replace("\x00", "")),
            "tool_version": label.tool_version or __version__,
        }
    )


def row_values(label: Label, adjudication: bool) -> dict[str, Any]:
    """The columns that a label fills."""
    fields = storable(label).model_dump(include=set(Label.model_fields))
    return {**fields, "adjudication": adjudication}


def stored_label(row: Mapping[str, Any]) -> StoredLabel:
    """The label of a row."""
    fields = {name: row[name] for name in StoredLabel.model_fields if name in row}
    fields["created_at"] = _aware(row["created_at"])  # SQLite keeps no time zone
    return StoredLabel.model_validate({**fields, "label_id": row["id"]})


def _aware(moment: datetime) -> datetime:
    return moment.replace(tzinfo=moment.tzinfo or UTC)
