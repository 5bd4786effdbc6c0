"""The label store: append-only, on SQLite or any SQLAlchemy URL, safe for several annotators."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, func, insert, select
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from grader import __version__
from grader.errors import UserError
from grader.records import Label

from .database import ATTEMPTS, DatabaseUnavailable, make_tables, open_engine
from .schema import LABELS

RETRACTED = "retracted"


class StoredLabel(Label):
    """A label with what the store knows of it. `revision` counts the annotator's acts on this
    transcript and stage; `adjudication` marks a label that settles a disagreement."""

    label_id: int
    revision: int
    adjudication: bool = False


class LabelConflict(UserError):
    """The same annotator labelled this item elsewhere in the meantime; nothing was stored."""


class UnreadableText(UserError):
    """A text the database cannot hold."""


class LabelStore:
    """Labels in one database. Every method is one transaction of its own."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @classmethod
    def open(cls, where: Path | str) -> LabelStore:
        """Open a SQLite file (made if needed) or a database URL.

        Raises `UserError` for a bad URL or a missing driver, `DatabaseUnavailable` when the
        database cannot be reached.
        """
        store = cls(open_engine(where))
        with store._guard():
            make_tables(store.engine)
        return store

    def add(
        self,
        label: Label,
        *,
        nonce: str | None = None,
        expected_revision: int | None = None,
        adjudication: bool = False,
    ) -> StoredLabel:
        """Append one label.

        `nonce` names this act: adding the same nonce again returns the label stored the first
        time. `expected_revision` is the revision the annotator saw (0 for none); if theirs has
        moved on, `LabelConflict` is raised. Without it the label simply becomes the latest.
        """
        values = _values(label, adjudication)
        return _stored(self._append(values, nonce or uuid.uuid4().hex, expected_revision))

    def add_many(self, labels: Iterable[tuple[Label, str, bool]]) -> int:
        """Append (label, nonce, adjudication) rows in one transaction, all or none; returns how
        many were new. A nonce that is already stored is skipped."""
        new = 0
        with self._guard(), self.engine.begin() as connection:
            for label, nonce, adjudication in labels:
                if _by_nonce(connection, nonce) is not None:
                    continue
                values = _values(label, adjudication)
                values["revision"] = _revision(connection, values) + 1
                connection.execute(insert(LABELS).values(**values, nonce=nonce))
                new += 1
        return new

    def retract(self, label: StoredLabel, *, nonce: str | None = None) -> None:
        """Take back a label: the annotator's one before it, if any, is current again.

        Raises `LabelConflict` if it is no longer their latest standing one.
        """
        nonce = nonce or uuid.uuid4().hex
        values: dict[str, Any] = {
            "transcript_id": label.transcript_id,
            "annotator": label.annotator,
            "stage": label.stage,
            "verdict": RETRACTED,
            "reason": "",
            "unblinded": label.unblinded,
            "tool_version": __version__,
            "created_at": datetime.now(UTC),
            "retracts": label.label_id,
        }
        with self._guard(), self.engine.connect() as connection:
            if _by_nonce(connection, nonce) is not None:
                return
            seen = _revision(connection, values)
            standing = _standing(_rows(connection, label.annotator, label.transcript_id))
        if label.label_id not in {one.label_id for one in standing}:
            raise _conflict(values)
        self._append(values, nonce, seen)

    def history(self) -> list[StoredLabel]:
        """Every label ever given, retracted ones too, oldest first."""
        with self._guard(), self.engine.connect() as connection:
            return [_stored(row) for row in _rows(connection) if row["verdict"] != RETRACTED]

    def current(self, annotator: str | None = None) -> list[StoredLabel]:
        """The latest standing label of each (transcript, annotator, stage), oldest first; an
        adjudication stands beside its author's own label."""
        with self._guard(), self.engine.connect() as connection:
            return _standing(_rows(connection, annotator))

    def revision(self, transcript_id: str, annotator: str, stage: str) -> int:
        """How many acts this annotator has made on this transcript and stage."""
        key = {"transcript_id": transcript_id, "annotator": annotator, "stage": stage}
        with self._guard(), self.engine.connect() as connection:
            return _revision(connection, key)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A transaction for the other tables of this database."""
        with self._guard(), self.engine.begin() as connection:
            yield connection

    def close(self) -> None:
        self.engine.dispose()

    def _append(self, values: dict[str, Any], nonce: str, expected: int | None) -> dict[str, Any]:
        for _ in range(ATTEMPTS):
            with self._guard(), self.engine.connect() as connection:
                if (known := _by_nonce(connection, nonce)) is not None:
                    return known
                latest = _revision(connection, values)
                if expected is not None and latest != expected:
                    raise _conflict(values)
                row = {**values, "revision": latest + 1, "nonce": nonce}
                try:
                    result = connection.execute(insert(LABELS).values(**row))
                    connection.commit()
                except IntegrityError:
                    # Another act took this revision, or this very act arrived twice.
                    connection.rollback()
                    continue
                key = result.inserted_primary_key
                return {**row, "id": key[0] if key else 0}
        raise _conflict(values)

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Turn the driver's errors into one a user can act on."""
        where = self.engine.url.render_as_string(hide_password=True)
        try:
            yield
        except SQLAlchemyError as error:
            detail = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
            raise DatabaseUnavailable(
                f"label database {where}: {detail}. Nothing was stored; check that it is "
                "there, reachable and not held by another program, then try again"
            ) from error
        except UnicodeEncodeError as error:
            raise UnreadableText("the text holds characters that cannot be stored") from error


def _rows(
    connection: Connection, annotator: str | None = None, transcript_id: str | None = None
) -> list[dict[str, Any]]:
    """Every act, or those of one annotator, on one transcript; oldest first."""
    query = select(LABELS).order_by(LABELS.c.id)
    if annotator is not None:
        query = query.where(LABELS.c.annotator == annotator)
    if transcript_id is not None:
        query = query.where(LABELS.c.transcript_id == transcript_id)
    return [dict(row) for row in connection.execute(query).mappings()]


def _standing(rows: list[dict[str, Any]]) -> list[StoredLabel]:
    """The labels that count of a history: neither retracted nor superseded."""
    retracted = {row["retracts"] for row in rows}
    latest: dict[tuple[str, str, str, bool], StoredLabel] = {}
    for row in rows:
        if row["verdict"] != RETRACTED and row["id"] not in retracted:
            label = _stored(row)
            key = (label.transcript_id, label.annotator, label.stage, label.adjudication)
            latest.pop(key, None)
            latest[key] = label
    return list(latest.values())


def _by_nonce(connection: Connection, nonce: str) -> dict[str, Any] | None:
    row = connection.execute(select(LABELS).where(LABELS.c.nonce == nonce)).mappings().first()
    return dict(row) if row is not None else None


def _revision(connection: Connection, key: dict[str, Any]) -> int:
    query = select(func.max(LABELS.c.revision)).where(
        LABELS.c.transcript_id == key["transcript_id"],
        LABELS.c.annotator == key["annotator"],
        LABELS.c.stage == key["stage"],
    )
    return int(connection.execute(query).scalar() or 0)


def storable(label: Label) -> Label:
    """The label as the database holds it: its time in UTC (a time without a zone is taken for
    that), its text without what cannot be stored, the tool's version where it names none."""
    reason = label.reason.replace("\x00", "").encode("utf-8", "replace").decode()
    return label.model_copy(
        update={
            "created_at": _aware(label.created_at).astimezone(UTC),
            "reason": reason,
            "tool_version": label.tool_version or __version__,
        }
    )


def _values(label: Label, adjudication: bool) -> dict[str, Any]:
    fields = storable(label).model_dump(include=set(Label.model_fields))
    return {**fields, "adjudication": adjudication}


def _stored(row: dict[str, Any]) -> StoredLabel:
    fields = {name: row[name] for name in StoredLabel.model_fields if name in row}
    fields["created_at"] = _aware(row["created_at"])  # SQLite keeps no time zone
    return StoredLabel.model_validate({**fields, "label_id": row["id"]})


def _aware(moment: datetime) -> datetime:
    return moment.replace(tzinfo=moment.tzinfo or UTC)


def _conflict(values: dict[str, Any]) -> LabelConflict:
    return LabelConflict(
        f"{values['annotator']} labelled this item elsewhere in the meantime. "
        "Look at that label, then label again to replace it"
    )
