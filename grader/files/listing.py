"""The path that a user names; the paths below a folder, or that match a pattern. A folder that
cannot be listed is an error, so that files are not silently left out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NoReturn

from ..errors import InputError, UserError

_WILD = frozenset("*?[")
_UNREAD = (".", "_")  # how names of markers, half-written uploads and caches begin


def named_path(name: str | os.PathLike[str]) -> Path:
    """The path that a user names. Raises `UserError` for what is no path, for an empty one, which
    would mean the working directory by mistake, and for `-`, which would name a file."""
    if not isinstance(name, str | os.PathLike):
        kind = type(name).__name__
        raise UserError(f"a {kind} where a path is wanted. Give a text or a `pathlib.Path`")
    if not os.fspath(name):
        raise UserError("an empty path. Name a file or a folder (is a variable not set?)")
    if os.fspath(name) == "-":
        raise UserError("-: no standard input or output here. Name a file (./- is one, too)")
    return Path(name)


def is_pattern(path: Path) -> bool:
    """Whether a path is a pattern such as `runs/*.jsonl`, and no existing file or folder."""
    return bool(_WILD.intersection(str(path))) and not os.path.lexists(path)


def is_hidden(name: str) -> bool:
    """Whether a name marks a file or folder as not to be read."""
    return name.startswith(_UNREAD)


def paths_below(folder: Path) -> list[Path]:
    """The files in a folder and its subfolders, sorted, and the folders that are not entered
    because they are hidden or links. Raises `InputError` if a folder cannot be listed."""
    found: list[Path] = []
    for place, folders, names in os.walk(folder, onerror=_refuse):
        closed = [name for name in folders if is_hidden(name) or Path(place, name).is_symlink()]
        folders[:] = [name for name in folders if name not in closed]
        found += (Path(place, name) for name in (*names, *closed))
    return sorted(found)


def matches(pattern: Path) -> list[Path]:
    """The paths that match a pattern, sorted. As in a shell, `**` means any number of folders (no
    links), and only a dot matches the dot that begins a name. Raises `InputError` if a folder on
    the way cannot be listed."""
    start = Path(pattern.anchor)
    return sorted(set(_matches(start, pattern.parts[len(start.parts) :])))


def _matches(place: Path, parts: tuple[str, ...]) -> Iterator[Path]:
    if not parts:
        yield place
    elif parts[0] == "**":
        for folder, folders, _ in os.walk(place, onerror=_refuse_folder):
            folders[:] = [name for name in folders if not name.startswith(".")]
            yield from _matches(Path(folder), parts[1:])
    else:
        for name in _named(place, parts[0]):
            yield from _matches(place / name, parts[1:])


def _named(folder: Path, part: str) -> list[str]:
    """The names in a folder that match one part of a pattern; none if it is no folder."""
    try:
        if not _WILD.intersection(part):  # its folder need not be one that can be listed
            os.lstat(folder / part)
            return [part]
        names = [path.name for path in folder.iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        _refuse(error)
    return [n for n in names if fnmatchcase(n, part) and (part[0] == "." or n[0] != ".")]


def _refuse_folder(error: OSError) -> None:
    """Refuse what cannot be listed, but for a file: it matches no pattern of folders."""
    if not isinstance(error, NotADirectoryError):
        _refuse(error)


def _refuse(error: OSError) -> NoReturn:
    raise InputError(
        error.filename,
        f"cannot read: {error.strerror or error}",
        "Change its permissions, or leave it out by a pattern",
    ) from None
