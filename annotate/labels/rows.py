"""Labels as rows of the database: which of them count, and what is stored for each."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from pydantic import ValidationError
from sqlalchemy import Column, ColumnElement, Connection, and_, func, insert, or_, select

from grader import __version__
from grader.errors import UserError, first_fault
from grader.invisible import encodable
from grader.records import Label

from .schema import LABELS, LONGEST_NAME

RETRACTED = "retracted"
LabelKey = tuple[str, str, str, bool]
AnyLabel = TypeVar("AnyLabel", bound=Label)


class GivenLabel(Label):
    """A label that may settle a disagreement (`adjudication`), or may have been taken back
    (`retracted`)."""

    adjudication: bool = False
    retracted: bool = False


class StoredLabel(GivenLabel):
    """A label as it is stored. `revision` counts the annotator's acts on this transcript and
    stage."""

    label_id: int
    revision: int


def key_of_label(label: GivenLabel) -> LabelKey:
    """The key on which a later label replaces this one."""
    return label.transcript_id, label.annotator, label.stage, label.adjudication


def age_of(label: StoredLabel) -> tuple[datetime, int]:
    """The sort key of labels, oldest first: when they were given, then when they were stored, since
    a label may be imported long after it was given."""
    return label.created_at, label.label_id


def checked_annotator(name: str) -> str:
    """The name of an annotator, without white space around it and with composed characters (NFC),
    as however it is typed it is one name. Raises `ValueError` for one that is empty, overlong or
    not printable."""
    name = unicodedata.normalize("NFC", name.strip())
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise ValueError(f"a name has 1 to {LONGEST_NAME} printable characters")
    return name


def label_rows(connection: Connection, transcript_id: str | None = None) -> list[dict[str, Any]]:
    """Every act, or those on one transcript; oldest first."""
    query = select(LABELS).order_by(LABELS.c.id)
    if transcript_id is not None:
        query = query.where(LABELS.c.transcript_id == transcript_id)
    try:
        return [dict(row) for row in connection.execute(query).mappings()]
    except ValueError as error:
        raise _damaged("a row", str(error)) from None


def given_labels(rows: Sequence[Mapping[str, Any]]) -> Iterator[StoredLabel]:
    """Every label of a history."""
    retracted = {row["retracts"] for row in rows}
    for row in rows:
        if row["verdict"] != RETRACTED:
            yield stored_label({**row, "retracted": row["id"] in retracted})


def current_labels(rows: Sequence[Mapping[str, Any]]) -> list[StoredLabel]:
    """The current labels of a history, oldest first: neither retracted nor superseded."""
    given = sorted((label for label in given_labels(rows) if not label.retracted), key=age_of)
    latest = {key_of_label(label): label for label in given}
    return sorted(latest.values(), key=age_of)


def row_of_act(connection: Connection, nonce: str) -> dict[str, Any] | None:
    """The row stored for the act `nonce`, or None."""
    row = connection.execute(select(LABELS).where(LABELS.c.nonce == nonce)).mappings().first()
    return dict(row) if row is not None else None


def latest_revision(connection: Connection, key: Mapping[str, Any]) -> int:
    """The number of acts by the annotator of `key` on its transcript and stage."""
    return int(_latest(connection, LABELS.c.revision, _acts_of(key)) or 0)


def moment_of_act(connection: Connection, values: Mapping[str, Any]) -> datetime:
    """The time to store for a new act: its own, or just after the latest stored act of that
    annotator, transcript and stage if that one carries a later time. An adjudication comes after
    every other one of its transcript, whoever gave that."""
    before = _acts_of(values)
    if values.get("adjudication"):
        is_same = LABELS.c.transcript_id == values["transcript_id"]
        before = or_(before, and_(is_same, LABELS.c.adjudication))
    latest = _latest(connection, LABELS.c.created_at, before)
    given: datetime = values["created_at"]
    return given if latest is None else max(given, _aware(latest) + timedelta(microseconds=1))


def storable(label: AnyLabel) -> AnyLabel:
    """The label as the database holds it: its time in UTC (assumed for a time without a zone), its
    text without characters that cannot be stored, and the tool's version if it names none."""
    return label.model_copy(
        update={
            "created_at": _aware(label.created_at).astimezone(UTC),
            "reason": _clean(label.reason),
            "tool_version": _clean(label.tool_version) or __version__,
        }
    )


def row_values(label: Label, adjudication: bool) -> dict[str, Any]:
    """The columns that a label fills."""
    fields = storable(label).model_dump(include=set(Label.model_fields))
    return {**fields, "adjudication": adjudication}


def retraction_values(label: Label, label_id: int) -> dict[str, Any]:
    """The columns of a row that takes back the label stored as `label_id`."""
    return {
        "transcript_id": label.transcript_id,
        "annotator": label.annotator,
        "stage": label.stage,
        "verdict": RETRACTED,
        "reason": "",
        "unblinded": label.unblinded,
        "tool_version": __version__,
        "created_at": datetime.now(UTC),
        "retracts": label_id,
    }


def add_row(connection: Connection, values: Mapping[str, Any], nonce: str) -> int | None:
    """Append the row of an act; returns its id, or None if `nonce` is stored already."""
    if row_of_act(connection, nonce) is not None:
        return None
    revision = latest_revision(connection, values) + 1
    return insert_row(connection, {**values, "revision": revision, "nonce": nonce})


def insert_row(connection: Connection, row: Mapping[str, Any]) -> int:
    """Insert a whole row; returns its id."""
    key = connection.execute(insert(LABELS).values(**row)).inserted_primary_key
    assert key is not None  # one row was inserted
    return int(key[0])


def _acts_of(key: Mapping[str, Any]) -> ColumnElement[bool]:
    """The acts by the annotator of `key` on its transcript and stage."""
    return and_(
        LABELS.c.transcript_id == key["transcript_id"],
        LABELS.c.annotator == key["annotator"],
        LABELS.c.stage == key["stage"],
    )


def _latest(connection: Connection, column: Column[Any], acts: ColumnElement[bool]) -> Any:
    """The largest value of a column among some acts; None without acts."""
    return connection.execute(select(func.max(column)).where(acts)).scalar()


def stored_label(row: Mapping[str, Any]) -> StoredLabel:
    """The label of a row. Raises `UserError` for an invalid row."""
    fields = {name: row[name] for name in StoredLabel.model_fields if name in row}
    fields["created_at"] = _aware(row["created_at"])  # SQLite keeps no time zone
    try:
        return StoredLabel.model_validate({**fields, "label_id": row["id"]})
    except ValidationError as error:
        raise _damaged(f"the row with id {row['id']}", str(first_fault(error))) from None


def _damaged(row: str, problem: str) -> UserError:
    """The error for a row that this tool cannot have written."""
    return UserError(
        f"label database: {row} of the table labels holds no label ({problem}). Repair it there"
    )


def _clean(text: str) -> str:
    return encodable(text.replace("\x00", ""))


def _aware(moment: datetime) -> datetime:
    return moment.replace(tzinfo=moment.tzinfo or UTC)
