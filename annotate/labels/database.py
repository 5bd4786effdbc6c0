"""Opening the label database: SQLite, or any SQLAlchemy URL."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import URL, Engine, create_engine, inspect
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, OperationalError, ProgrammingError
from sqlalchemy.pool import NullPool

from grader.errors import UserError
from grader.files.listing import named_path
from grader.invisible import encodable

from .schema import METADATA

BUSY_SECONDS = 5.0
ATTEMPTS = 20


class DatabaseUnavailable(UserError):
    """The label database is locked, gone or refuses to write; nothing was stored."""


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
        except ArgumentError:
            raise UserError(
                f"{where!r} is not a database URL. Use e.g. postgresql://user@host/name"
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
