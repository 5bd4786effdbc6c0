"""A digest by which a file is recognised."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ..errors import cannot_read


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file of any size, in hexadecimal. Raises `InputError` if it cannot be
    read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise cannot_read(path, error) from None
