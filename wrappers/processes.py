"""Finding and killing all that a process has started."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence

import psutil

log = logging.getLogger("grader")

GONE_SECONDS = 5.0


def started_by(leader: int) -> list[psutil.Process]:
    """The running processes that a session leader has started: its descendants, and, as these
    are handed to others once it has died, whatever is left in its session."""
    found: dict[int, psutil.Process] = {}
    try:
        for child in psutil.Process(leader).children(recursive=True):
            found[child.pid] = child
    except psutil.NoSuchProcess:
        log.debug("process %d is gone", leader)
    for process in psutil.process_iter():
        if process.pid != leader and _session(process.pid) == leader:
            found[process.pid] = process
    return list(found.values())


def kill_all(processes: Sequence[psutil.Process]) -> None:
    """Kill them and wait until they are gone."""
    for process in processes:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue
    psutil.wait_procs(processes, timeout=GONE_SECONDS)


def _session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except OSError:
        return None
