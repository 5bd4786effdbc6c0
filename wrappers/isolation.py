"""The isolation of code that agents write: the command to run it with, and its environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from .processes import MARK
from .sandbox import STDERR
from .settings import IsolationSettings

SANDBOX = Path(__file__).with_name("sandbox.py")
PROBE_SECONDS = 20
# Names that programs need and that hold no secret.
HARMLESS: tuple[str, ...] = ("PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "SYSTEMROOT")


_told: bool | None = None


def namespaces_work() -> bool:
    """Whether this system permits the sandbox its own namespaces. Tried once in a run: what a
    worker is told (`tell_namespaces`) holds, so that a chance failure opens no sandbox."""
    return _probe() if _told is None else _told


def tell_namespaces(work: bool) -> None:
    """Take over the finding of the process that started this one."""
    global _told
    _told = work


@cache
def _probe() -> bool:
    if sys.platform != "linux":
        return False
    unlimited = IsolationSettings(cpu_seconds=None, memory_mb=None, file_mb=None)
    command = sandboxed([sys.executable, "-c", "pass"], unlimited, namespaces=True)
    try:
        tried = subprocess.run(command, capture_output=True, timeout=PROBE_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return tried.returncode == 0


def sandboxed(
    command: Sequence[str],
    settings: IsolationSettings,
    *,
    namespaces: bool | None = None,
    report: int = STDERR,
) -> list[str]:
    """The command line that runs `command` under the settings' limits. If it cannot be run, the
    inherited file `report` is told why. It must be this process that starts the command line, which
    ends with it."""
    if namespaces is None:
        namespaces = namespaces_work()
    fields = {"cpu_seconds", "memory_mb", "file_mb", "network"}
    spec = settings.model_dump(include=fields)
    spec |= {"namespaces": namespaces, "report": report, "parent": os.getpid()}
    return [sys.executable, "-I", str(SANDBOX), json.dumps(spec), *command]


def clean_environment(settings: IsolationSettings, home: Path) -> dict[str, str]:
    """An environment without inherited secrets: harmless names, those the user passes on, and
    a home folder of the task's own."""
    passed = (*HARMLESS, MARK, *settings.pass_env)
    kept = {name: value for name in passed if (value := os.environ.get(name)) is not None}
    return {**kept, "HOME": str(home), "TMPDIR": str(home), "PYTHONNOUSERSITE": "1"}


def describe(settings: IsolationSettings) -> dict[str, object]:
    """The isolation available on this system, for the run's manifest."""
    namespaces = namespaces_work()
    return {
        "limits": settings.model_dump(include={"cpu_seconds", "memory_mb", "file_mb"}),
        "own_processes": namespaces,
        "network": "open" if settings.network else "off" if namespaces else "open: not permitted",
        "environment": "clean",
        "file_system": "shared with the user",
    }
