"""The label store: append-only, on SQLite or any SQLAlchemy URL, safe for several annotators."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from grader.errors import UserError
from grader.records import Label
from grader.run import RunDirectory

from .database import (
    ATTEMPTS,
    NotStorable,
    check_tables,
    empty_engine,
    make_tables,
    open_database,
    user_error,
)
from .owner import Ownership
from .rows import (
    GivenLabel,
    StoredLabel,
    add_row,
    current_labels,
    given_labels,
    insert_row,
    label_rows,
    latest_revision,
    moment_of_act,
    retraction_values,
    row_of_act,
    row_values,
    stored_label,
)


class LabelConflict(UserError):
    """The same annotator labelled this item elsewhere in the meantime; nothing was stored."""


class NewLabel(NamedTuple):
    """A label to append; `nonce` names the act."""

    label: GivenLabel
    nonce: str


Result = TypeVar("Result")
_OF_ACT = ("transcript_id", "annotator", "stage", "verdict", "retracts")  # what an act says


class LabelStore:
    """Labels in one database, which with `ownership` is a run's. Every method is one transaction of
    its own."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.ownership: Ownership | None = None

    @classmethod
    def open(cls, where: Path | str, *, reading: bool = False) -> LabelStore:
        """Open a SQLite file (made if needed, but not for `reading`) or a database URL.

        Raises `UserError` for a bad URL, a missing driver or, for `reading`, missing tables,
        `DatabaseUnavailable` when the database cannot be reached.
        """
        prepare = check_tables if reading else make_tables
        return cls._ready(open_database(where, reading=reading), prepare)

    @classmethod
    def empty(cls) -> LabelStore:
        """An empty store, for reading a run without labels."""
        return cls._ready(empty_engine(), make_tables)

    @classmethod
    def _ready(cls, engine: Engine, prepare: Callable[[Engine], None]) -> LabelStore:
        store = cls(engine)
        with store._guard():
            prepare(engine)
        return store

    def add(
        self,
        label: Label,
        *,
        nonce: str | None = None,
        expected_revision: int | None = None,
        adjudication: bool = False,
    ) -> StoredLabel:
        """Append one label. It supersedes the annotator's earlier label of the same transcript and
        stage, even if that carries a later time.

        `nonce` names this act: adding the same nonce again returns the label stored the first time.
        `expected_revision` is the revision the annotator saw (0 for none); if there is a newer one,
        `LabelConflict` is raised. Without it the label simply becomes the latest.
        """
        row, act = row_values(label, adjudication), nonce or uuid.uuid4().hex
        return stored_label(self.write(lambda one: _append(one, row, act, expected_revision)))

    def add_many(self, labels: Iterable[NewLabel], taken_back: Iterable[StoredLabel] = ()) -> int:
        """Append labels, and take back stored ones, in one transaction, all or none; returns how
        many acts were new. A nonce that is already stored is skipped."""
        added, withdrawn = list(labels), list(taken_back)
        return self.write(lambda connection: _append_many(connection, added, withdrawn))

    def retract(self, label: StoredLabel, *, nonce: str | None = None) -> None:
        """Retract a label; the annotator's label before it, if any, becomes current again. `nonce`
        names this act, as in `add`.

        Raises `LabelConflict` if it is no longer their current label.
        """
        values, act = retraction_values(label, label.label_id), nonce or uuid.uuid4().hex
        with self._guard(), self.engine.connect() as connection:
            seen = latest_revision(connection, values)
            rows = label_rows(connection, label.transcript_id)
        if label.label_id not in {one.label_id for one in current_labels(rows)}:
            raise _conflict(values)
        self.write(lambda connection: _append(connection, values, act, seen))

    def retracted_by(self, nonce: str) -> StoredLabel | None:
        """The label that the act `nonce` took back; None if no such act is stored."""
        with self._guard(), self.engine.connect() as connection:
            row = row_of_act(connection, nonce) or {"transcript_id": "", "retracts": None}
            given = given_labels(label_rows(connection, row["transcript_id"]))
            return next((x for x in given if x.label_id == row["retracts"]), None)

    def history(self) -> list[StoredLabel]:
        """Every label ever given, retracted ones too, oldest first."""
        with self._guard(), self.engine.connect() as connection:
            return list(given_labels(label_rows(connection)))

    def current(self) -> list[StoredLabel]:
        """The current label of each (transcript, annotator, stage), oldest first. An adjudication
        does not supersede its author's own label."""
        with self._guard(), self.engine.connect() as connection:
            return current_labels(label_rows(connection))

    def revision(self, transcript_id: str, annotator: str, stage: str) -> int:
        """How many acts this annotator has made on this transcript and stage."""
        key = {"transcript_id": transcript_id, "annotator": annotator, "stage": stage}
        with self._guard(), self.engine.connect() as connection:
            return latest_revision(connection, key)

    @property
    def name(self) -> str:
        """The address of the database, without its password."""
        return self.engine.url.render_as_string(hide_password=True)

    @property
    def place(self) -> str:
        """The same, with the whole path of a file."""
        file = self.engine.url.database
        is_file = self.engine.dialect.name == "sqlite" and file not in (None, "", ":memory:")
        return str(Path(str(file)).resolve()) if is_file else self.name

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A transaction for the other tables of this database."""
        with self._guard(), self.engine.begin() as connection:
            yield connection

    def write(self, act: Callable[[Connection], Result]) -> Result:
        """The result of an act that stores labels or a queue, in one transaction. An act that meets
        another is tried again, and then sees what that one stored."""
        with self._guard():
            for _ in range(ATTEMPTS):
                with suppress(IntegrityError), self.engine.begin() as connection:
                    if self.ownership is not None:
                        self.ownership.take(connection)
                    return act(connection)
        raise LabelConflict(
            "others stored labels at the same moments; nothing was stored. Try again"
        )

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Turn the driver's errors into one a user can act on."""
        try:
            yield
        except SQLAlchemyError as error:
            raise user_error(error, self.name) from error
        except UnicodeEncodeError as error:
            raise NotStorable("characters that cannot be stored; remove them") from error


@contextmanager
def open_store(
    run: RunDirectory,
    database: str | None = None,
    *,
    reading: bool = False,
    exporting: bool = False,
) -> Iterator[LabelStore]:
    """The label database of a run, closed at the end: `database` (a URL), else the run's own file.
    If that file is missing it is created, or with `reading` or `exporting` replaced by an empty
    store.

    Raises as `LabelStore.open`, and `UserError` if `database` holds the labels of another run. For
    the run's own file this is a warning, since recordings are also corrected by hand, and so it is
    for `exporting`.
    """
    reading = reading or exporting
    if reading and database is None and not os.path.lexists(run.labels_path):
        store = LabelStore.empty()
    else:
        store = LabelStore.open(run.labels_path if database is None else database, reading=reading)
    ownership = Ownership(run, store.name, is_own_file=database is None)
    store.ownership = ownership
    try:
        with store.transaction() as connection:
            ownership.check(connection, exporting=exporting)
        yield store
    finally:
        store.close()


def _append(
    connection: Connection, values: dict[str, Any], nonce: str, expected: int | None
) -> dict[str, Any]:
    """Append the row of an act, or find the one stored for it. Raises `LabelConflict` if that says
    something else, and if `expected` is not the latest revision."""
    if (known := row_of_act(connection, nonce)) is not None:
        if any(known[name] != values.get(name) for name in _OF_ACT):
            raise _conflict(values)
        return known
    latest = latest_revision(connection, values)
    if expected is not None and latest != expected:
        raise _conflict(values)
    when = moment_of_act(connection, values)
    row = {**values, "created_at": when, "revision": latest + 1, "nonce": nonce}
    return {**row, "id": insert_row(connection, row)}


def _append_many(
    connection: Connection, labels: Iterable[NewLabel], taken_back: Iterable[StoredLabel]
) -> int:
    new = 0
    for old in taken_back:
        values = retraction_values(old, old.label_id)
        new += add_row(connection, values, f"retracts-{old.label_id}") is not None
    for label, nonce in labels:
        label_id = add_row(connection, row_values(label, label.adjudication), nonce)
        if label_id is None:
            continue
        new += 1
        if label.retracted:
            add_row(connection, retraction_values(label, label_id), f"{nonce}-retracted")
    return new


def _conflict(values: dict[str, Any]) -> LabelConflict:
    return LabelConflict(
        f"{values['annotator']} labelled this item elsewhere in the meantime. "
        "Look at that label, then label again to replace it"
    )
