"""Errors a user can act on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError


class UserError(Exception):
    """Something the user can fix; the command line prints it as one line and exits 2."""


class InputError(UserError):
    """Unreadable or malformed input: where it is, what is wrong, how to fix it."""

    def __init__(
        self, path: Path | str, problem: str, remedy: str, line: int | None = None
    ) -> None:
        where = f"{path}:{line}" if line is not None else str(path)
        super().__init__(f"{where}: {problem}. {remedy}")
        self.path, self.problem, self.remedy, self.line = str(path), problem, remedy, line

    def __reduce__(self) -> tuple[type[InputError], tuple[str, str, str, int | None]]:
        """Pickled by what it was made of, so that it can come from another process."""
        return type(self), (self.path, self.problem, self.remedy, self.line)


def cannot_read(path: Path, error: OSError) -> InputError:
    """The error for a file that the system does not give."""
    return InputError(path, f"cannot read: {error.strerror or error}", "Check the path")


def first_fault(error: ValidationError) -> tuple[str, str]:
    """The dotted place, and what is wrong there, of the first fault that pydantic found; of an
    unknown name, if there is one, for another is missing where a name is misspelt."""
    faults = error.errors()
    fault = next((one for one in faults if one["type"] == "extra_forbidden"), faults[0])
    return ".".join(map(str, fault["loc"])), fault["msg"].removeprefix("Value error, ")


def unknown_name(kind: str, name: str, valid: list[str]) -> UserError:
    """The error for a name that is not in a registry: lists the valid ones, nearest first."""
    import difflib

    near = difflib.get_close_matches(name, valid, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return UserError(f"unknown {kind} {name!r}.{hint} Valid: {', '.join(sorted(valid))}")
