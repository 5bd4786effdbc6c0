"""Finding and killing every process that a process has started."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Sequence

import psutil

log = logging.getLogger("grader")

# A variable that a worker hands on to all that it starts, to tell what it has left.
MARK = "GRADER_WORKER"
# Asks a worker for the output of its turn so far. Not SIGTERM: what an agent forks inherits the
# handler, and `multiprocessing` ends its processes by SIGTERM.
TELL_PARTIAL = signal.SIGUSR1
GONE_SECONDS = 5.0
POLL_SECONDS = 0.01


def started_by(leader: int) -> list[psutil.Process]:
    """The running processes that a session leader has started: its descendants and, since these get
    another parent once it has died, whatever is left in its session."""
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


def marked(mark: str) -> list[psutil.Process]:
    """The running processes whose environment holds a mark: what a worker has started, also what
    has detached itself from it, unless it has emptied its environment."""
    return [process for process in psutil.process_iter() if _mark(process) == mark]


def kill_all(processes: Sequence[psutil.Process]) -> None:
    """Kill them and wait until they have ended, whether or not their parents know it yet."""
    for process in processes:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue
    until = time.monotonic() + GONE_SECONDS
    while any(map(_is_alive, processes)) and time.monotonic() < until:
        time.sleep(POLL_SECONDS)


def _is_alive(process: psutil.Process) -> bool:
    try:
        return process.status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.NoSuchProcess:
        return False


def _mark(process: psutil.Process) -> str | None:
    try:
        environment: dict[str, str] = process.environ()
    except psutil.Error:  # another user's, or gone
        return None
    return environment.get(MARK)


def _session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except OSError:
        return None
