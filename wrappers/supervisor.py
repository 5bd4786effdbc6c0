"""The parent's side of a worker process: start it, give it tasks, time it and end it."""

from __future__ import annotations

import json
import logging
import os
import select
import subprocess
import sys
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grader.errors import UserError
from grader.records import Task

from .lines import Lines
from .processes import MARK, TELL_PARTIAL, kill_all, marked, started_by
from .task_clock import TaskClock
from .task_run import TaskRun

log = logging.getLogger("grader")

PARTIAL_SECONDS = 1.0  # for a worker about to be killed to say what its turn had produced
RESET_SECONDS = 30.0
EXIT_SECONDS = 5.0


class WorkerLost(Exception):
    """The worker's process ended, or sent something unreadable, during a task or its start."""


class WorkerTimeout(Exception):
    """The worker said nothing until the deadline."""


class Worker:
    """One worker process. Not thread-safe: one thread owns it and must outlive it."""

    def __init__(self, config: dict[str, Any], log_path: Path, start_timeout: float) -> None:
        self.tasks_done = 0
        self._mark = uuid.uuid4().hex
        self._is_doomed = False
        self._log_path = log_path
        self._lines = Lines()
        self._start_timeout = start_timeout
        with log_path.open("ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "wrappers.worker"],
                env=os.environ | {"PYTHONPATH": _python_path(), MARK: self._mark},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        self._send(config)

    def wait_until_ready(self) -> None:
        """Wait for the agent to be made. Raises `UserError` if its configuration is unusable,
        `WorkerLost` or `WorkerTimeout` if it cannot be made."""
        event = self._next_event(time.monotonic() + self._start_timeout)
        if event["event"] == "unusable":
            raise UserError(event["reason"])
        if event["event"] == "error":
            raise WorkerLost(event["reason"])

    def run(
        self, task: Task, files: Sequence[Path], workspace: Path, task_timeout: float
    ) -> TaskRun:
        """Run one task until it ends. Unless the agent ended it itself, the worker is then dead and
        `alive` is False."""
        run = TaskRun()
        clock = TaskClock(self._start_timeout, task_timeout)
        try:
            self._send(
                {
                    "task": task.model_dump(mode="json"),
                    "files": [str(path) for path in files],
                    "workspace": str(workspace),
                }
            )
            while not (run.stop_reason or run.failure):
                event = self._next_event(clock.deadline)
                clock.note(event["event"])
                run.note(event)
            run.ended_at = time.monotonic()
            self._await_reset(run)
        except WorkerTimeout:
            self._cut_off(run, "timeout", "")
        except WorkerLost as error:
            self._cut_off(run, "agent_died", str(error))
        self.tasks_done += 1
        return run

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        """End the worker, by request if it listens, and everything it started."""
        if self._process.stdin and self.alive:
            try:
                self._process.stdin.close()
                self._process.wait(EXIT_SECONDS)
            except (OSError, subprocess.TimeoutExpired):
                log.debug("worker %d did not end by itself", self._process.pid)
        self.kill()

    def abort(self) -> None:
        """Kill the worker and all that it started; safe from another thread. Its owner then
        finds it lost."""
        self._is_doomed = True
        doomed = started_by(self._process.pid)
        if self.alive:
            self._process.kill()
        else:  # what had detached itself is no longer a descendant
            doomed += marked(self._mark)
        kill_all(doomed)

    def kill(self) -> None:
        """Kill the worker and all that it started, and wait until they are gone."""
        self.abort()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream and not stream.closed:
                try:
                    stream.close()
                except BrokenPipeError:
                    continue

    # -- the end of a task -------------------------------------------------------------------

    def _await_reset(self, run: TaskRun) -> None:
        """Let the agent say what a turn that failed had produced, and clean up; after that only the
        worker itself may be running."""
        try:
            deadline = time.monotonic() + RESET_SECONDS
            while (event := self._next_event(deadline))["event"] != "reset":
                run.note(event)
        except (WorkerTimeout, WorkerLost) as error:
            if not self._is_doomed:
                log.warning("the agent's `reset` failed: %s. See %s", error, self._log_path)
            self.kill()
            return
        if left := started_by(self._process.pid):
            log.warning("the agent left %d processes behind; they were killed", len(left))
            kill_all(left)

    def _cut_off(self, run: TaskRun, reason: str, detail: str) -> None:
        run.ended_at = time.monotonic()
        if run.open_turn is None and not run.steps:
            run.failure = (
                f"the agent was not ready after {self._start_timeout:g} s"
                if reason == "timeout"
                else f"the agent's process ended before the task began: {detail}"
            )
        elif reason == "timeout":
            run.failure = run.outage()
        run.stop_reason, run.detail = reason, detail
        if reason == "timeout":
            self._ask_for_partial(run)
        self.kill()

    def _ask_for_partial(self, run: TaskRun) -> None:
        try:
            self._process.send_signal(TELL_PARTIAL)
            deadline = time.monotonic() + PARTIAL_SECONDS
            while not run.partial:
                event = self._next_event(deadline)
                if event["event"] == "partial":
                    run.note(event)
                    return
        except (WorkerTimeout, WorkerLost):
            return

    # -- the wire ----------------------------------------------------------------------------

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise WorkerLost(f"exit code {self._process.poll()}") from error

    def _next_event(self, deadline: float) -> dict[str, Any]:
        assert self._process.stdout is not None
        handle = self._process.stdout.fileno()
        while (line := self._lines.take()) is None:
            remaining = deadline - time.monotonic()
            if remaining <= 0 or not select.select([handle], [], [], remaining)[0]:
                raise WorkerTimeout("it took too long")
            chunk = os.read(handle, 1 << 16)
            if not chunk:
                raise WorkerLost(f"exit code {self._exit_code()}")
            self._lines.add(chunk)
        try:
            event: dict[str, Any] = json.loads(line)
        except ValueError as error:
            raise WorkerLost("unreadable message") from error
        return event

    def _exit_code(self) -> int | None:
        try:
            return self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            return None


def _python_path() -> str:
    """The worker's import path: the user's, and this package wherever it lies."""
    here = str(Path(__file__).resolve().parents[1])
    return os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH"), here)))
