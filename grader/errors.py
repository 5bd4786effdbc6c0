"""Errors a user can act on."""

from __future__ import annotations

import difflib
import errno
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pydantic import ValidationError

_NO_PLACE = {errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENAMETOOLONG}


class UserError(Exception):
    """Something the user can fix; the command line prints it as one line and exits 2."""


class RunInUse(UserError):
    """Another process, or another grader of this one, writes to a run."""


class InputError(UserError):
    """Unreadable or malformed input: where it is, what is wrong, how to fix it."""

    def __init__(
        self, path: Path | str, problem: str, remedy: str, line: int | None = None
    ) -> None:
        where = f"{path}:{line}" if line is not None else str(path)
        super().__init__(f"{where}: {problem}. {remedy}")
        self.path, self.problem, self.remedy, self.line = str(path), problem, remedy, line

    def __reduce__(self) -> tuple[type[InputError], tuple[str, str, str, int | None]]:
        """The constructor's arguments, for pickle: the error may come from another process."""
        return type(self), (self.path, self.problem, self.remedy, self.line)


def cannot_read(path: Path, error: OSError) -> InputError:
    """The error for a file that cannot be read."""
    return InputError(path, f"cannot read: {error.strerror or error}", "Check the path")


def name_is_no_text(path: Path) -> InputError:
    """The error for a file that a library takes only under a name in UTF-8."""
    return InputError(path, "cannot read: its name or a folder's is not in UTF-8", "Rename it")


def cannot_write(path: Path, error: OSError, *, continues: bool = False) -> UserError:
    """The error for a file that cannot be written. continues: its command, run again, goes on where
    it stopped."""
    remedy = "Free space or change permissions, then run the same command again"
    if continues:
        remedy += "; it continues"
    if error.errno in _NO_PLACE:
        remedy = "Check the path"
    return UserError(f"{path}: cannot write: {error.strerror or error}. {remedy}")


def refuse_pipe(path: Path) -> None:
    """Raise `InputError` for a pipe in place of a file that is read more than once: it is empty the
    second time."""
    if path.is_fifo():
        raise InputError(path, "a pipe", "Write its output to a file, and name that")


class FieldFault(NamedTuple):
    """The problem with a field, and its dotted place in the record ("" for the whole record)."""

    place: str
    problem: str

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}" if self.place else self.problem


def first_fault(error: ValidationError) -> FieldFault:
    """The first fault that pydantic found. An unknown name goes first, because a misspelt name also
    leaves another one missing."""
    faults = error.errors()
    fault = next((one for one in faults if one["type"] == "extra_forbidden"), faults[0])
    place = ".".join(map(str, fault["loc"]))
    return FieldFault(place, fault["msg"].removeprefix("Value error, "))


def unknown_name(kind: str, name: object, valid: list[str]) -> UserError:
    """The error for a name that is not in a registry: suggests the nearest and lists all. In the
    place of a name there may be any value, such as a list of names."""
    if isinstance(name, str):
        near = difflib.get_close_matches(name, valid, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
    else:
        hint = " Give one name, as a text."
    return UserError(f"unknown {kind} {name!r}.{hint} Valid: {', '.join(sorted(valid))}")
