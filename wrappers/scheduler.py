"""Run an agent on many tasks at once, each in a worker process and a folder of its own."""

from __future__ import annotations

import logging
import queue
import tempfile
import threading
from collections.abc import Generator, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grader.files.digest import file_sha256
from grader.records import Transcript

from .assignment import Assignment, Unrun
from .plan import RunPlan
from .steps import assemble, cut_off_step
from .supervisor import Worker, WorkerLost, WorkerTimeout
from .task_run import TaskRun
from .workspace import WORKSPACES, data_problem, workspace_for

log = logging.getLogger("grader")

AGENT_LOG = "agent.log"  # what agents print, and the tracebacks of their errors
TASKS_PER_WORKER = 20  # before a fresh process: some agents leak a little with every task


def run_assignments(
    plan: RunPlan, assignments: Sequence[Assignment], folder: Path, concurrency: int
) -> Generator[Transcript | Unrun, None, None]:
    """Run every assignment and yield its transcript, or the reason why there is none, in the order
    in which they end.

    folder: for workspaces and the agents' log. Raises `UserError` if the agent's configuration
    cannot work. Closing the iterator early kills the tasks in flight.
    """
    todo: queue.SimpleQueue[Assignment] = queue.SimpleQueue()
    for assignment in assignments:
        todo.put(assignment)
    done: queue.SimpleQueue[Transcript | Unrun | Exception | None] = queue.SimpleQueue()
    stop = threading.Event()
    with tempfile.TemporaryDirectory(prefix="grader-", ignore_cleanup_errors=True) as scratch:
        lanes = [
            Lane(plan, folder, Path(scratch) / f"s{number}", todo, done, stop)
            for number in range(min(concurrency, len(assignments)))
        ]
        for lane in lanes:
            lane.start()
        try:
            yield from _results(done, len(lanes))
        finally:
            stop.set()
            for lane in lanes:
                lane.abort()
            for lane in lanes:
                lane.join()


def _results(
    done: queue.SimpleQueue[Transcript | Unrun | Exception | None], lanes: int
) -> Iterator[Transcript | Unrun]:
    """The results in a queue, until each lane has put its None there. Raises the exception that a
    lane has put there instead."""
    while lanes:
        result = done.get()
        if result is None:
            lanes -= 1
        elif isinstance(result, Exception):
            raise result
        else:
            yield result


class Lane(threading.Thread):
    """One of the tasks that run at the same time, with its worker process."""

    def __init__(
        self,
        plan: RunPlan,
        folder: Path,
        scratch: Path,
        todo: queue.SimpleQueue[Assignment],
        done: queue.SimpleQueue[Transcript | Unrun | Exception | None],
        stop: threading.Event,
    ) -> None:
        super().__init__(name=scratch.name, daemon=True)
        self._plan, self._folder, self._scratch = plan, folder, scratch
        self._todo, self._done, self._stopping = todo, done, stop
        self._worker: Worker | None = None

    def run(self) -> None:
        try:
            while not self._stopping.is_set():
                try:
                    assignment = self._todo.get_nowait()
                except queue.Empty:
                    break
                self._done.put(self._run_one(assignment))
        except Exception as error:  # noqa: BLE001 - raised again where the results are read
            self._done.put(error)
        finally:
            self._drop_worker()
            self._done.put(None)

    def abort(self) -> None:
        """Kill the task in flight, from another thread."""
        if (worker := self._worker) is not None:
            worker.abort()

    def _run_one(self, assignment: Assignment) -> Transcript | Unrun:
        began = datetime.now(UTC)
        names = list(dict.fromkeys(assignment.task.data_files))
        if problem := data_problem(names):
            return Unrun(assignment.transcript_id, problem, is_tasks_own=True)
        try:
            worker = self._ready_worker()
        except (WorkerLost, WorkerTimeout) as error:
            self._drop_worker()
            reason = f"the agent did not start: {error} (see {self._folder / AGENT_LOG})"
            return Unrun(assignment.transcript_id, reason)
        with workspace_for(names, self._folder / WORKSPACES) as (workspace, files):
            digests = {file.name: file_sha256(file) for file in files}
            run = worker.run(assignment.task, files, workspace, self._plan.loop.task_timeout)
        if not worker.alive or worker.tasks_done >= TASKS_PER_WORKER:
            self._drop_worker()
        if run.failure is not None:
            return Unrun(assignment.transcript_id, run.failure, run.is_tasks_own)
        notes = {"data_sha256": digests} if digests else {}
        return self._transcript(assignment, run, began, notes)

    def _transcript(
        self, assignment: Assignment, run: TaskRun, began: datetime, notes: dict[str, Any]
    ) -> Transcript:
        steps = list(run.steps)
        if run.open_turn is not None:
            instruction, kind, since = run.open_turn
            cut = cut_off_step(
                instruction,
                kind,
                run.ended_at - since,
                assignment.task,
                self._plan.grading,
                cut_off=run.stop_reason,
                partial_output=run.partial,
            )
            steps.append(cut)
        if run.detail:
            notes = notes | {"detail": run.detail}
        return assemble(
            assignment.transcript_id,
            assignment.task,
            steps,
            run.stop_reason,
            self._plan.agent,
            self._plan.loop,
            repeat=assignment.repeat,
            started_at=began.isoformat(timespec="seconds"),
            **notes,
        )

    def _ready_worker(self) -> Worker:
        if self._worker is None:
            self._scratch.mkdir(exist_ok=True)
            scratch = Path(tempfile.mkdtemp(prefix="w", dir=self._scratch))
            self._worker = Worker(
                self._plan.worker_config(scratch),
                self._folder / AGENT_LOG,
                self._plan.loop.start_timeout,
            )
            if self._stopping.is_set():  # `abort` may have come before there was a worker
                self.abort()
            self._worker.wait_until_ready()
        return self._worker

    def _drop_worker(self) -> None:
        if self._worker is not None:
            self._worker.close()
            self._worker = None
