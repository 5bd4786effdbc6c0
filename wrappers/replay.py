"""A recorded transcript as an agent: other nudge rules and limits, tried for free.

A rule change can ask for a turn that was never recorded. Such a counterfactual is unknown: the
transcript then has a `problem` and is not graded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from grader.instrument import PARSED_FIELDS, instrument
from grader.records import InstructionType, Step, Task, Transcript
from grader.settings import GradeSettings

from .agent import Turn
from .loop import TaskLoop
from .nudges import NUDGE_TYPES
from .prompts import Prompts
from .settings import LoopSettings
from .steps import assemble

CUT_OFF = ("timeout", "agent_died", "agent_error")  # stop reasons that leave a turn unfinished


class NotInRecord(Exception):
    """The rules ask for a turn that the record does not hold."""


class CutOff(Exception):
    """The record itself was cut off at this turn."""


class ReplayAgent:
    """See `wrappers.agent.Agent`. `used` counts the recorded steps given out."""

    def __init__(self, transcript: Transcript, nudge_type: InstructionType | None) -> None:
        self._steps = transcript.steps
        self._nudge_type = nudge_type
        self._recorded_stop = str(transcript.metadata.get("stop_reason", ""))
        self.used = 0

    def start(self, task: Task, files: Sequence[Path], workspace: Path) -> None:
        self.used = 0

    def send(self, instruction: str) -> Turn:
        if self.used == 0:
            return self._next(lambda step: not step.is_nudge, "a first turn")
        return self._next(
            lambda step: step.instruction_type == self._nudge_type, str(self._nudge_type)
        )

    def revise(self) -> Turn | None:
        if self.used == len(self._steps) and self._recorded_stop == "agent_gave_up":
            return None
        return self._next(
            lambda step: step.instruction_type == "inspector_revision", "inspector_revision"
        )

    def partial(self) -> str:
        return ""

    def reset(self) -> None:
        self.used = 0

    def _next(self, fits: Callable[[Step], bool], wanted: str) -> Turn:
        if self.used == len(self._steps) or not fits(self._steps[self.used]):
            raise NotInRecord(f"{wanted} after step {self.used}" if self.used else wanted)
        step = self._steps[self.used]
        self.used += 1
        if self.used == len(self._steps) and self._recorded_stop in CUT_OFF:
            raise CutOff(self._recorded_stop)
        return Turn(
            step.raw_output,
            failed=bool(step.execution_error),
            instruction=step.instruction_text,
        )


class _Quiet:
    """An observer for a loop that cannot hang."""

    def begins(self, instruction: str, kind: InstructionType) -> None:
        return None

    def turn_over(self) -> None:
        return None

    def ends(self, step: Step) -> None:
        return None


def replay(
    recorded: Transcript,
    prompts: Prompts,
    settings: LoopSettings,
    grading: GradeSettings,
) -> Transcript:
    """The transcript that the recorded agent would have left under these settings.

    Nudges keep their recorded text. The times are the recorded ones. If the record ends too early,
    the result has the steps up to there and a `problem`, but no outcome.
    """
    source = recorded.model_copy(
        update={"steps": tuple(_afresh(step, recorded.task, grading) for step in recorded.steps)}
    )
    agent = ReplayAgent(source, NUDGE_TYPES.get(settings.nudge_mode))
    loop = TaskLoop(agent, recorded.task, prompts, settings, grading, _Quiet(), clock=lambda: 0.0)
    problem = None
    try:
        stop_reason = loop.run(())
    except CutOff as cut:
        stop_reason = str(cut)
    except NotInRecord as missing:
        stop_reason, problem = "unknown", f"counterfactual_unknown: no record of {missing}"
    result = assemble(
        recorded.transcript_id,
        recorded.task,
        source.steps[: agent.used],
        stop_reason,
        agent_name(recorded),
        settings,
        recorded_steps=len(recorded.steps),
        repeat=recorded.repeat,
    )
    if problem is not None:
        return result.model_copy(update={"problem": problem, "outcome": None})
    return result


def agent_name(recorded: Transcript) -> str:
    """The name of the agent in the replay of a transcript."""
    return f"replay of {recorded.agent or 'a record'}"


def _afresh(step: Step, task: Task, grading: GradeSettings) -> Step:
    return instrument(step.model_copy(update=dict.fromkeys(PARSED_FIELDS)), task, grading)
