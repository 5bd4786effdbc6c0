"""Records made from turns: a step with its fields, and a transcript of steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grader.instrument import instrument
from grader.outcome import outcome_of
from grader.records import InstructionType, Step, Task, Transcript
from grader.settings import GradeSettings

from .agent import Turn
from .nudges import nudge_log
from .settings import LoopSettings


def make_step(
    turn: Turn,
    instruction: str,
    kind: InstructionType,
    elapsed: float,
    task: Task,
    grading: GradeSettings,
) -> Step:
    """The record of one finished turn, with all instrumentation fields.

    instruction: what the loop sent; a turn that names its own (a revision) overrides it.
    elapsed: seconds from sending to the end of the turn.
    """
    step = Step(
        instruction_text=turn.instruction or instruction,
        instruction_type=kind,
        raw_output=turn.raw_output,
        execution_output=turn.execution_output,
        verbal_text=turn.verbal_text,
        elapsed_time=elapsed,
        execution_error=turn.failed,
        metadata=turn.metadata,
    )
    return instrument(step, task, grading)


def cut_off_step(
    instruction: str,
    kind: InstructionType,
    elapsed: float,
    task: Task,
    grading: GradeSettings,
    **metadata: Any,
) -> Step:
    """The record of a turn that never ended. Its partial output goes to the metadata, not to the
    output: half an answer is not an answer."""
    step = Step(
        instruction_text=instruction,
        instruction_type=kind,
        elapsed_time=elapsed,
        metadata=metadata,
    )
    return instrument(step, task, grading)


def assemble(
    transcript_id: str,
    task: Task,
    steps: Sequence[Step],
    stop_reason: str,
    agent: str,
    settings: LoopSettings,
    **metadata: Any,
) -> Transcript:
    """The transcript of a task that has ended, for whatever reason.

    stop_reason: why the loop stopped (see `loop.TaskLoop.run`), or how it was cut off.
    """
    transcript = Transcript(
        transcript_id=transcript_id,
        task=task,
        steps=tuple(steps),
        agent=agent,
        nudge_mode=settings.nudge_mode,
        metadata={
            "stop_reason": stop_reason,
            "nudges": nudge_log(steps, task, settings.rules),
            **metadata,
        },
    )
    return transcript.model_copy(update={"outcome": outcome_of(transcript)})
