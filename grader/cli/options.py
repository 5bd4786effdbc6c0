"""Options that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import Any

from grader.errors import UserError, unknown_name
from grader.files.listing import named_path


def add_run(parser: argparse.ArgumentParser) -> None:
    """Declare DIR, the run directory that a command reads."""
    parser.add_argument("run", type=named_path, metavar="DIR", help="run directory")


def add_database(parser: argparse.ArgumentParser) -> None:
    """Declare `--database`, where the labels of the run are."""
    parser.add_argument(
        "--database",
        type=database_url,
        metavar="URL",
        help="label database, one per run, e.g. postgresql://user@host/name "
        "(default: the run's own)",
    )


def database_url(text: str) -> str:
    """The text itself: a `type` of argparse. Raises `UserError` for an empty one, which would mean
    the run's own labels by mistake."""
    if not text:
        raise UserError("an empty --database. Leave it out, or name one (is a variable not set?)")
    return text


def add_json(parser: argparse.ArgumentParser, default: Any = False) -> None:
    """Declare `--json`, which every command has."""
    parser.add_argument(
        "--json",
        action="store_true",
        default=default,
        help="print one machine-readable summary on stdout",
    )


def comma_separated(text: str) -> tuple[str, ...]:
    """The names in `a, b,c`: a `type` of argparse."""
    return tuple(filter(None, (name.strip() for name in text.split(","))))


def one_of(kind: str, valid: Iterable[str]) -> Callable[[str], str]:
    """A `type` of argparse: one of the valid names. It raises `UserError` for others."""
    names = list(valid)

    def checked(name: str) -> str:
        if name not in names:
            raise unknown_name(kind, name, names)
        return name

    return checked
