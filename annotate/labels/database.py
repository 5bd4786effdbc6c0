"""Opening the label database: SQLite, or any SQLAlchemy URL."""

from __future__ import annotations

import os
import re
import sqlite3
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import URL, Engine, create_engine, inspect
from sqlalchemy.engine import make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DataError,
    IntegrityError,
    OperationalError,
    ProgrammingError,
    SQLAlchemyError,
)
from sqlalchemy.pool import NullPool

from grader.errors import UserError
from grader.files.listing import named_path
from grader.invisible import encodable

from .schema import METADATA

BUSY_SECONDS = 5.0
ATTEMPTS = 20
_INDEX_ROW_TOO_LONG = "54000"  # Postgres' code


class DatabaseUnavailable(UserError):
    """The label database is locked, gone or refuses to write; nothing was stored."""


class NotStorable(UserError):
    """A value that this database cannot hold; nothing was stored, nor will it be later."""


def user_error(error: SQLAlchemyError, database: str) -> UserError:
    """The driver's error as one that a user can act on."""
    cause = getattr(error, "orig", None)
    detail = str(cause or error).strip().splitlines()[0]
    said = f"label database {database}: {detail}. Nothing was stored"
    if isinstance(error, DataError):
        return NotStorable(f"{said}: a value does not fit this database. Shorten it or lower it")
    if getattr(cause, "sqlstate", None) == _INDEX_ROW_TOO_LONG:
        return NotStorable(
            f"{said}: a transcript id is too long for this database. Shorten the ids in the run's "
            "input, or keep the labels in the run's own file (without --database)"
        )
    remedy = "check that it is there, reachable and not held by another program"
    if getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
        remedy = "free space on its disk"
    if type(error) is DatabaseError:  # no more special: SQLite's for what is damaged
        remedy = "restore it from a copy, or mend it with `sqlite3 FILE .recover`"
    return DatabaseUnavailable(f"{said}; {remedy}, then try again")


def make_tables(engine: Engine) -> None:
    """Create the missing tables. If another process creates them at the same time, the first
    attempts fail and the last one finds them."""
    for _ in range(ATTEMPTS):
        try:
            METADATA.create_all(engine)
        except (IntegrityError, ProgrammingError, OperationalError) as error:
            if "exist" not in str(error) and "duplicate" not in str(error):
                raise
        else:
            return
    METADATA.create_all(engine)


def check_tables(engine: Engine) -> None:
    """Raise `UserError` if a table is missing: an emptied file must not pass for a database without
    labels."""
    there = inspect(engine).get_table_names()
    if missing := sorted(set(METADATA.tables) - set(there)):
        raise UserError(
            f"label database {engine.url.render_as_string()}: it holds no table "
            f"{', '.join(missing)}. Restore it from a copy, or delete it if there were no labels"
        )


def open_database(where: Path | str, *, reading: bool = False) -> Engine:
    """The engine for a SQLite file (made if needed, but not for `reading`) or a database URL.

    Raises `UserError` for a bad or empty URL, a missing driver or a file that is missing for
    `reading`, `DatabaseUnavailable` if a file cannot be made or, unless for `reading`, written.
    """
    if isinstance(where, str) and "://" in where:
        try:
            url = make_url(where)
            if url.drivername == "postgresql":
                url = url.set(drivername="postgresql+psycopg")
            if url.get_backend_name() != "sqlite":
                return create_engine(url, pool_pre_ping=True)
        except (ArgumentError, ValueError):  # the latter for a port that is no number
            shown = re.sub("(?<=://)(.*?):.*@", r"\1:***@", where)  # without the password
            raise UserError(
                f"{shown!r} is not a database URL. Use e.g. postgresql://user@host:5432/name; in a "
                "password write @ as %40, : as %3A and / as %2F"
            ) from None
        except ModuleNotFoundError as error:
            raise UserError(
                f"no driver for this database ({error.name} is not installed). "
                "For Postgres: pip install 'grading-cascade[postgres]'"
            ) from None
        path = named_path(url.database or "")
    else:
        path = named_path(where)
    return _sqlite(path, reading=reading)


def empty_engine() -> Engine:
    """An empty database in memory."""
    return create_engine("sqlite://")


def _sqlite(path: Path, *, reading: bool) -> Engine:
    """A SQLite engine that never makes a new file behind the user's back: once opened, a file
    that has gone is an error, not an empty database."""
    if not path.exists():
        if reading:
            raise UserError(f"{path}: there is no such label database. Check the path")
        try:
            path.touch()
        except OSError as error:
            raise DatabaseUnavailable(f"{path}: cannot make it: {error.strerror}") from None
    if not reading and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        raise DatabaseUnavailable(f"{path}: cannot write it or its folder. Check their permissions")
    address = f"file:{quote(os.fsencode(path.resolve()))}?mode=rw"

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS)

    return create_engine(
        URL.create("sqlite", database=encodable(str(path))), creator=connect, poolclass=NullPool
    )
