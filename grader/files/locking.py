"""Locks between processes. The system frees a lock when the process that holds it ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import UserError, cannot_write


@contextmanager
def locked(path: Path, *, wait: bool = False) -> Iterator[None]:
    """Hold the lock of a file, which is made if needed and stays. wait: until it is free.

    Raises `BlockingIOError` if another process holds it, and `UserError` if the file cannot be
    written or locked, or on Windows.
    """
    try:
        import fcntl
    except ModuleNotFoundError:
        raise UserError("needs Linux or macOS. On Windows, use its subsystem for Linux") from None

    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise cannot_write(path, error) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            raise
        except OSError as error:  # a file system without locks
            raise cannot_write(path, error) from error
        yield
    finally:
        os.close(handle)
