"""Waiting for what happens in another process."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Look again and again until it holds; `AssertionError` if it does not in that time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited {seconds:g} s in vain"
        time.sleep(0.01)
