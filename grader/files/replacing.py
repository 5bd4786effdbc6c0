"""Replacing files as a whole: readers see the old file or the new one, never a part."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import cannot_write


def write_atomically(path: Path, text: str) -> None:
    """Replace a small file as a whole. Raises `UserError` if it cannot be written."""
    with replacing(path) as place:
        place.write_text(text, encoding="utf-8")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary place to write a file, which replaces `path` once it is whole. Readers see the
    old file or the new; the mode is kept, and an error leaves the old one. A device or pipe
    (`/dev/stdout`) is written to directly. Raises `UserError` if it cannot be written."""
    is_special = path.exists() and not path.is_file()
    target = path if is_special else path.resolve()
    place = path if is_special else target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        yield place
        if not is_special:
            if target.exists():
                shutil.copymode(target, place)
            place.replace(target)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        if not is_special:
            with suppress(OSError):
                place.unlink(missing_ok=True)
