"""A DSGym agent around the two-loop wrapper, for DSGym's own evaluator.

    from dsgym.eval import Evaluator
    from wrappers.dsgym_agent import WrappedAgent
    agent = WrappedAgent("chat", model="...", nudge_mode="A", run="DIR", base_url="...")
    Evaluator(metrics=["grading_cascade"]).evaluate(agent, tasks)

The transcripts, with every step, are appended to the run directory `run` if one is given; then
`grader grade DIR` grades the whole conversation, not only its final response. A sample that is run
again (pass@k, a second evaluation) is recorded as a further repeat of its task.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from dsgym.agents.base_agent import BaseAgent

from grader.readers.dsgym import dsgym_task, sample_id
from grader.records import Task, Transcript
from grader.run import RunDirectory

from .assignment import Assignment, Unrun
from .plan import make_plan
from .run_record import check_same_plan, record_plan
from .scheduler import AGENT_LOG, run_assignments
from .work import AgentWork

_LOG_SHOWN = 2000  # characters of the agent's log, in an error


class WrappedAgent(BaseAgent):  # type: ignore[misc,unused-ignore]
    """One of `wrappers.agents` (named by `backend`) under the wrapper's loops. `model` and
    `settings` are the agent's own settings; None means the agent's default.

    Several threads may share one agent. Raises `UserError` if `run` was made with other settings
    or is a folder of recordings, and if another process is writing to it, now or when a transcript
    is to be added."""

    def __init__(
        self,
        backend: str,
        model: str | None = None,
        *,
        nudge_mode: str = "A",
        task_timeout: float | None = None,
        network: bool = False,
        run: str | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(backend, model or "", **settings)
        self._plan = make_plan(
            backend,
            {"model": model, **settings},
            nudge_mode=nudge_mode,
            task_timeout=task_timeout,
            network=network,
        )
        self._run = None if run is None else self._begun(RunDirectory.create(run))
        recorded = self._run.transcripts() if self._run is not None else ()
        self._taken = {transcript.transcript_id for transcript in recorded}
        self._lock = threading.Lock()

    def _begun(self, run: RunDirectory) -> RunDirectory:
        """The run directory, with this agent's plan in its manifest."""
        run.refuse_recordings()
        with run.writing():
            check_same_plan(run, self._plan)
            record_plan(run, self._plan, AgentWork(self._plan, [], [], 1))
        return run

    def solve_task(self, sample: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Run one DSGym sample in a worker process of its own. `solution` is the whole final
        response, which is what the cascade grades."""
        assignment = self._assign(task_of(sample))
        result = self._run_one(assignment)
        if isinstance(result, Unrun):
            with self._lock:
                self._taken.discard(assignment.transcript_id)
            return self._result("", 0, [], error=result.reason)
        if self._run is not None:
            with self._lock, self._run.writing(), self._run.append_transcripts() as transcripts:
                transcripts.add(result)
        final = result.steps[-1].raw_output if result.steps else ""
        failed = str(result.metadata["stop_reason"]) if result.outcome == "failed" else None
        return self._result(final, len(result.steps), conversation_of(result), failed=failed)

    def _run_one(self, assignment: Assignment) -> Transcript | Unrun:
        """The transcript of a task, or why there is none. The agent's log is kept in the run
        directory; without one, its end is part of that reason."""
        if self._run is not None:
            (result,) = run_assignments(self._plan, [assignment], self._run.path, 1)
            return result
        with tempfile.TemporaryDirectory(prefix="grader-") as folder:
            (result,) = run_assignments(self._plan, [assignment], Path(folder), 1)
            log = Path(folder) / AGENT_LOG
            if isinstance(result, Unrun) and log.exists():
                said = log.read_text(encoding="utf-8", errors="replace")[-_LOG_SHOWN:].strip()
                if said:
                    reason = result.reason.removesuffix(f" (see {log})")  # it is gone then
                    result = replace(result, reason=f"{reason}. End of the log:\n{said}")
        return result

    def _assign(self, task: Task) -> Assignment:
        """The next repeat of a task, whose transcript id is then reserved."""
        with self._lock:
            repeats = (Assignment(task, number) for number in count(1))
            free = next(one for one in repeats if one.transcript_id not in self._taken)
            self._taken.add(free.transcript_id)
        return free

    def _result(
        self,
        solution: str,
        turns: int,
        conversation: list[dict[str, str]],
        *,
        error: str | None = None,
        failed: str | None = None,
    ) -> dict[str, Any]:
        return {
            "solution": solution,
            "success": error is None and failed is None,
            "turns": turns,
            "error": error,
            "metadata": {"model": self.model, "backend": self.backend, "stop_reason": failed},
            "conversation": conversation,
            "raw_result": {"prediction": solution},
        }


def task_of(sample: Mapping[str, Any]) -> Task:
    """A DSGym sample as a task. Its question and context are used, not DSGym's own prompt, which
    describes DSGym's container and answer tags. Raises `ValueError` if the options are not a
    list."""
    extra = sample.get("extra_info") or {}
    truth = (sample.get("reward_spec") or {}).get("ground_truth")
    said = [m["content"] for m in sample.get("prompt") or () if m.get("role") == "user"]
    question = extra.get("question") or (said[-1] if said else "")
    return dsgym_task(sample_id(extra), question, truth, extra)


def conversation_of(transcript: Transcript) -> list[dict[str, str]]:
    """A transcript as chat messages."""
    return [
        message
        for step in transcript.steps
        for message in (
            {"role": "user", "content": step.instruction_text},
            {"role": "assistant", "content": step.raw_output},
        )
    ]
