"""The process an agent lives in: `python -m wrappers.worker`, one JSON message a line.

It reads its configuration and then one job a line from stdin, and writes what happens to stdout
as it happens (see `supervisor.py` for the other end). What the agent itself prints goes to
stderr. It ends when stdin does, and dies with the process that started it.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import IO, Any

from grader.errors import UserError
from grader.records import InstructionType, Step, Task
from grader.settings import GradeSettings

from .agent import Agent, AgentUnavailable, Surroundings, TaskUnsuitable
from .agents import make_agent
from .isolation import tell_namespaces
from .loop import TaskLoop
from .processes import TELL_PARTIAL
from .prompts import load_prompts
from .settings import IsolationSettings, LoopSettings

REAP_SECONDS = 1.0  # for killed processes to be gone
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


class Channel:
    """Events to the supervisor; also the loop's observer, and that of requests to a model."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out

    def tell(self, event: str, **fields: Any) -> None:
        self._out.write(json.dumps({"event": event, **fields}) + "\n")
        self._out.flush()

    def begins(self, instruction: str, kind: InstructionType) -> None:
        self.tell("begins", instruction=instruction, kind=kind)

    def turn_over(self) -> None:
        self.tell("turn_over")

    def ends(self, step: Step) -> None:
        self.tell("step", step=step.model_dump(mode="json", exclude_none=True, fallback=str))

    def asked(self, limit: float) -> None:
        self.tell("asked", limit=limit)

    def replied(self) -> None:
        self.tell("replied")


class Job:
    """What the worker needs for every task, read from the first line of stdin."""

    def __init__(self, config: dict[str, Any], channel: Channel) -> None:
        tell_namespaces(config["namespaces"])
        place = config["prompts"]
        self.around = Surroundings(
            isolation=IsolationSettings.model_validate(config["isolation"]),
            loop=LoopSettings.model_validate(config["loop"]),
            prompts=load_prompts(Path(place) if place else None),
            scratch=Path(config["scratch"]),
            requests=channel,
        )
        self.grading = GradeSettings.model_validate(config["grading"])
        self.agent = make_agent(config["agent"], config["agent_settings"], self.around)


def main() -> int:
    commands, channel = take_over_streams()
    tie_to_parent()
    try:
        job = Job(json.loads(commands.readline()), channel)
    except AgentUnavailable as error:
        channel.tell("error", reason=text_of(error))
        return 1
    except UserError as error:
        channel.tell("unusable", reason=str(error))
        return 2
    except Exception as error:  # noqa: BLE001 - an agent may raise anything; it is reported
        report_error(channel, "error", error)
        return 1
    signal.signal(TELL_PARTIAL, lambda *_: tell_partial(job.agent, channel))
    channel.tell("ready")
    for line in commands:
        run_one(job, json.loads(line), channel)
    return 0


def run_one(job: Job, order: dict[str, Any], channel: Channel) -> None:
    """Run one task and report how it ended: `done`, `unavailable` or `error`, then `reset`.
    An agent that fails before its task has begun was not available."""
    task = Task.model_validate(order["task"])
    files = [Path(name) for name in order["files"]]
    workspace = Path(order["workspace"])
    os.chdir(workspace)
    loop = TaskLoop(job.agent, task, job.around.prompts, job.around.loop, job.grading, channel)
    began = False
    try:
        job.agent.start(task, files, workspace)
        began = True
        channel.tell("started")
        channel.tell("done", stop_reason=loop.run(files))
    except AgentUnavailable as error:
        is_tasks_own = isinstance(error, TaskUnsuitable)
        channel.tell("unavailable", reason=text_of(error), is_tasks_own=is_tasks_own)
    except Exception as error:  # noqa: BLE001 - an agent may raise anything; it is reported
        report_error(channel, "error" if began else "unavailable", error)
        tell_partial(job.agent, channel)
    os.chdir(Path(__file__).anchor)
    job.agent.reset()
    reap()
    channel.tell("reset")


def tell_partial(agent: Agent, channel: Channel) -> None:
    """Tell the supervisor what the current turn, which is cut off, has produced."""
    try:
        text = agent.partial()
    except Exception as error:  # noqa: BLE001 - an agent may raise anything; it is logged
        traceback.print_exception(error)
        return
    channel.tell("partial", text=text if isinstance(text, str) else "")


def report_error(channel: Channel, event: str, error: Exception) -> None:
    """Tell the supervisor of an agent's exception; its traceback goes to the agents' log."""
    traceback.print_exception(error)
    channel.tell(event, reason=f"{type(error).__name__}: {text_of(error)}")


def text_of(error: Exception) -> str:
    """What an exception says; of one that cannot say it, how that failed."""
    try:
        return str(error)
    except Exception as fault:  # noqa: BLE001 - an agent's exception may do anything
        return f"(its text raised {type(fault).__name__})"


def reap() -> None:
    """Reap ended children, so that only running ones count as left behind."""
    deadline = time.monotonic() + REAP_SECONDS
    while time.monotonic() < deadline:
        try:
            ended, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if ended == 0:
            time.sleep(0.01)


def take_over_streams() -> tuple[IO[str], Channel]:
    """Keep stdin and stdout for the protocol; the agent gets /dev/null and stderr instead. So does
    what it forks: that is not to tell events, nor to hold the streams of a worker that has died."""
    commands = os.fdopen(os.dup(0), "r", encoding="utf-8")
    events = os.fdopen(os.dup(1), "w", encoding="utf-8")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)

    def leave_out() -> None:
        for stream in (commands, events):
            os.dup2(null, stream.fileno(), inheritable=False)

    os.register_at_fork(after_in_child=leave_out)
    return commands, Channel(events)


def tie_to_parent() -> None:
    """Die with the supervisor, and inherit whatever the agent's processes leave behind, so that the
    supervisor can find it. Linux only; elsewhere only the supervisor cleans up."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1)


if __name__ == "__main__":
    sys.exit(main())
