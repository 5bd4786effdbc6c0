"""What a worker has told of one task's run, and whether its end says anything about the agent."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from grader.records import InstructionType, Step

MAX_PARTIAL = 20_000  # characters kept of an unfinished turn


@dataclass
class TaskRun:
    """The steps of one task's run and how it ended. `failure` is set if the agent could not work at
    all, `is_tasks_own` if that lies in the task; `open_turn` is a turn that had not ended when the
    run did; `unanswered` is the first request to the model since its last reply: when it began, and
    its limit in seconds."""

    steps: list[Step] = field(default_factory=list)
    stop_reason: str = ""
    detail: str = ""
    failure: str | None = None
    is_tasks_own: bool = False
    open_turn: tuple[str, InstructionType, float] | None = None
    unanswered: tuple[float, float] | None = None
    has_reply: bool = False
    ended_at: float = 0.0
    partial: str = ""

    def note(self, event: dict[str, Any]) -> None:
        """Take in an event of the worker."""
        match event["event"]:
            case "begins":
                self.open_turn = (event["instruction"], event["kind"], time.monotonic())
            case "step":
                self.steps.append(Step.model_validate(event["step"]))
                self.open_turn = None
            case "asked":
                self.unanswered = self.unanswered or (time.monotonic(), event["limit"])
            case "replied":
                self.unanswered, self.has_reply = None, True
            case "done":
                self.stop_reason, self.open_turn = event["stop_reason"], None
            case "error":
                self.stop_reason, self.detail = "agent_error", event["reason"]
            case "unavailable":
                self.failure = event["reason"]
                self.is_tasks_own = event.get("is_tasks_own", False)
            case "partial":
                self.partial = event["text"][:MAX_PARTIAL]

    def outage(self) -> str | None:
        """The failure of a run whose time ended while its model did not answer: not at all in this
        task, or not for as long as a request may take. None if it was the agent that was slow."""
        if self.unanswered is None:
            return None
        since, limit = self.unanswered
        silence = self.ended_at - since
        if self.has_reply and silence < limit:
            return None
        return f"the model is out of reach: no reply for {silence:.0f} s"
