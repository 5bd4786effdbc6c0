"""The work of one command: tasks for an agent to run, or records to replay."""

from __future__ import annotations

import logging
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from grader.files.digest import file_sha256
from grader.make_task import with_kind
from grader.records import Task, Transcript

from .assignment import Assignment, Unrun
from .isolation import describe, namespaces_work
from .plan import RunPlan
from .prompts import load_prompts
from .replay import agent_name, replay
from .scheduler import run_assignments
from .workspace import data_problem

log = logging.getLogger("grader")

COMPARED = ("question", "context", "ground_truth", "answer_kind", "choices")

Results = Generator[Transcript | Unrun, None, None]


class Work(Protocol):
    """Tasks or records that one command adds to a run. `sources`: the files that they come from.
    `may_run_later`: a task that could not be run may succeed in a later run."""

    @property
    def sources(self) -> Sequence[Path]: ...
    @property
    def may_run_later(self) -> bool: ...

    @property
    def transcript_ids(self) -> Sequence[str]:
        """The ids of the transcripts that it produces."""

    def difference(self, recorded: Transcript) -> str | None:
        """The name of the first input (question, data file, ...) that differs from the recorded
        transcript of the same task, else None."""

    def manifest(self) -> dict[str, Any]:
        """Its manifest entries, apart from the plan's."""

    def results(self, wanted: Sequence[str], folder: Path) -> Results:
        """Do the work for the transcripts wanted, in this order. `folder`: for workspaces and the
        agents' log."""


@dataclass(frozen=True)
class AgentWork:
    """Tasks that an agent is to run."""

    plan: RunPlan
    assignments: Sequence[Assignment]
    sources: Sequence[Path]
    concurrency: int
    may_run_later: bool = True

    @property
    def transcript_ids(self) -> list[str]:
        return [one.transcript_id for one in self.assignments]

    def difference(self, recorded: Transcript) -> str | None:
        same_name = self._by_id.get(recorded.transcript_id)
        if same_name and same_name.task.task_id != recorded.task.task_id:
            return "task"
        task = self._tasks.get(recorded.task.task_id)
        if task is None:
            return None
        digests = {Path(name).name: self._digests.get(name) for name in task.data_files}
        if digests != recorded.metadata.get("data_sha256", {}):
            return "data file"
        return _difference(task, recorded.task)

    def manifest(self) -> dict[str, Any]:
        return {"isolation": describe(self.plan.isolation)}

    def results(self, wanted: Sequence[str], folder: Path) -> Results:
        if not self.plan.isolation.network and not namespaces_work():
            log.warning("this system permits no namespaces: the agent's code can go online")
        todo = [self._by_id[name] for name in wanted]
        return run_assignments(self.plan, todo, folder, self.concurrency)

    @cached_property
    def _by_id(self) -> dict[str, Assignment]:
        return {one.transcript_id: one for one in self.assignments}

    @cached_property
    def _tasks(self) -> dict[str, Task]:
        return {one.task.task_id: one.task for one in self.assignments}

    @cached_property
    def _digests(self) -> dict[str, str]:
        """The SHA-256 of each data file that can be read, by its path."""
        names = {name for task in self._tasks.values() for name in task.data_files}
        return {name: file_sha256(Path(name)) for name in names if not data_problem([name])}


@dataclass(frozen=True)
class ReplayWork:
    """Recorded transcripts that are read again under the plan's rules: without a model, without
    a worker, with the same result every time."""

    plan: RunPlan
    recordings: Sequence[Transcript]
    sources: Sequence[Path]
    may_run_later: bool = False

    @property
    def transcript_ids(self) -> list[str]:
        return [one.transcript_id for one in self.recordings]

    def difference(self, recorded: Transcript) -> str | None:
        source = self._by_id.get(recorded.transcript_id)
        if source is None:
            return None
        if agent_name(source) != recorded.agent:
            return "agent"
        outputs = [step.raw_output for step in source.steps]
        replayed = [step.raw_output for step in recorded.steps]
        is_same_length = len(outputs) == recorded.metadata.get("recorded_steps")
        if not is_same_length or outputs[: len(replayed)] != replayed:
            return "record"
        return _difference(source.task, recorded.task)

    def manifest(self) -> dict[str, Any]:
        return {}

    def results(self, wanted: Sequence[str], folder: Path) -> Results:
        """The replays. A record with a problem is not replayed; its problem is the reason given."""
        prompts = load_prompts()  # the loop fills them; nothing reads them
        for one in map(self._by_id.__getitem__, wanted):
            if one.problem:
                yield Unrun(one.transcript_id, one.problem)
            else:
                yield replay(one, prompts, self.plan.loop, self.plan.grading)

    @cached_property
    def _by_id(self) -> dict[str, Transcript]:
        return {one.transcript_id: one for one in self.recordings}


def _difference(given: Task, recorded: Task) -> str | None:
    one, other = with_kind(given), with_kind(recorded)
    return next((n for n in COMPARED if getattr(one, n) != getattr(other, n)), None)
