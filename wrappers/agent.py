"""The protocol of an agent, its turns, and the exception of an agent that cannot work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from grader.records import Task

from .prompts import Prompts
from .settings import IsolationSettings, LoopSettings


@dataclass(frozen=True)
class Turn:
    """An agent's reply to one instruction.

    failed: the agent's code ended in an execution error. instruction: the text really sent, if
    the agent worded it itself (a revision). execution_output, verbal_text: the halves of
    the output as the record is to show them; None: as the grader splits it. Nudges and grades go by
    `raw_output` alone, where what code printed is best set in `<pre>`.
    """

    raw_output: str
    failed: bool = False
    instruction: str | None = None
    execution_output: str | None = None
    verbal_text: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


class Requests(Protocol):
    """Is told of an agent's requests to its model, so that a model that does not answer is not
    taken for an agent that is slow."""

    def asked(self, limit: float) -> None:
        """A request begins. Without a reply for `limit` seconds the model is out of reach."""

    def replied(self) -> None:
        """The model has replied, or begins to."""


class Unwatched:
    """See `Requests`. Nobody listens."""

    def asked(self, limit: float) -> None:
        return None

    def replied(self) -> None:
        return None


@dataclass(frozen=True)
class Surroundings:
    """Limits, prompts, a scratch folder, and whom to tell of requests to a model, given to every
    agent's `make`. `scratch` has a short path, for sockets and caches, and lasts as long as the
    agent's process."""

    isolation: IsolationSettings
    loop: LoopSettings
    prompts: Prompts
    scratch: Path
    requests: Requests = field(default_factory=Unwatched)


class AgentUnavailable(Exception):
    """The agent cannot work at all (model out of reach, program missing). The task is not recorded,
    and the next run tries it again."""


class TaskUnsuitable(AgentUnavailable):
    """This one task cannot be put to the agent (its first prompt is too long). It says nothing of
    the tasks that follow."""


class Agent(Protocol):
    """An agent that can hold a conversation about one task at a time.

    The calls come in the order start, send, (revise | send)*, reset, and then again for the
    next task. Each may block: the loop's process is killed when the task's time is over.
    """

    def start(self, task: Task, files: Sequence[Path], workspace: Path) -> None:
        """Begin a task with a fresh conversation. `files` are copies inside `workspace`."""

    def send(self, instruction: str) -> Turn:
        """Send an instruction and wait for the turn to end."""

    def revise(self) -> Turn | None:
        """After a failed turn: get revision advice and try again. None if the agent does not
        revise, or has given up."""

    def partial(self) -> str:
        """The output of the current turn so far; called when the turn is cut off: just before its
        process is killed, or after the agent raised an error."""

    def reset(self) -> None:
        """End the task and release everything it used. No child process may remain."""
