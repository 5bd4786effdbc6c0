"""Settings of the running stage: loop limits, nudging, and limits on the agents' code."""

from __future__ import annotations

from pydantic import Field

from grader.records import NudgeMode
from grader.settings import StageSettings

from .nudges import DEFAULT_RULES

# The most that a system's clocks and limits can take for sure: 30 years, 4 PB.
MOST_SECONDS = 1_000_000_000
MOST_MEGABYTES = 1 << 32


class LoopSettings(StageSettings):
    """The two loops. The defaults are from Zheng & Hsu (2026).

    nudge_mode: A = answer format and question again, B = answer format only, none.
    rules: names of the nudge rules to try, in this order.
    task_timeout: seconds from the first instruction to the last output; the task's process is
        killed then. start_timeout: seconds an agent may take to be ready for a task.
    """

    nudge_mode: NudgeMode = "A"
    max_nudges: int = Field(default=3, ge=0)
    max_revisions: int = Field(default=5, ge=0)
    rules: tuple[str, ...] = DEFAULT_RULES
    task_timeout: float = Field(default=300.0, gt=0, le=MOST_SECONDS)
    start_timeout: float = Field(default=120.0, gt=0, le=MOST_SECONDS)


class IsolationSettings(StageSettings):
    """Limits on the code that an agent writes. Limits are per process; None means no limit.

    cpu_seconds: processor time. memory_mb: address space. file_mb: size of one written file.
    cell_seconds: wall-clock time of one notebook cell (the task's own limit always holds).
    network: leave the network reachable. pass_env: names of environment variables that the
        code may see; all others are withheld.
    """

    cpu_seconds: int | None = Field(default=300, ge=1, le=MOST_SECONDS)
    memory_mb: int | None = Field(default=4096, ge=64, le=MOST_MEGABYTES)
    file_mb: int | None = Field(default=512, ge=1, le=MOST_MEGABYTES)
    cell_seconds: float | None = Field(default=None, gt=0)
    network: bool = False
    pass_env: tuple[str, ...] = ()
