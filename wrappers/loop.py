"""The two loops: revisions until the code runs, nudges until there is one answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from grader.records import InstructionType, Step, Task
from grader.settings import GradeSettings

from .agent import Agent, Turn
from .nudges import NUDGE_TYPES, nudge_reason
from .prompts import Prompts
from .settings import LoopSettings
from .steps import make_step

Clock = Callable[[], float]


class Observer(Protocol):
    """Receives every turn as it begins and as it ends, so that a turn that never ends is not
    lost. `turn_over`: the agent's part of the turn is over, and its step is being made."""

    def begins(self, instruction: str, kind: InstructionType) -> None: ...
    def turn_over(self) -> None: ...
    def ends(self, step: Step) -> None: ...


class TaskLoop:
    """Runs one agent on one task and keeps the steps (Zheng & Hsu 2026, fig. 1)."""

    def __init__(
        self,
        agent: Agent,
        task: Task,
        prompts: Prompts,
        settings: LoopSettings,
        grading: GradeSettings,
        observer: Observer,
        clock: Clock = time.monotonic,
    ) -> None:
        self.steps: list[Step] = []
        self._agent, self._task, self._prompts = agent, task, prompts
        self._settings, self._grading = settings, grading
        self._observer, self._clock = observer, clock

    def run(self, files: Sequence[Path]) -> str:
        """Run to the end and return why it stopped; `steps` then holds the record.

        `answered`: one unambiguous answer. `nudging_off`, `nudges_used_up`: there is none and
        no nudge is left. `revisions_used_up`, `agent_gave_up`: the code still fails.
        """
        names = [path.name for path in files]
        failing = self._inner_loop(self._prompts.original(self._task, names), "original_prompt")
        nudges, mode = 0, self._settings.nudge_mode
        while failing is None:
            if nudge_reason(self.steps[-1], self._task, self._settings.rules) is None:
                return "answered"
            if mode == "none":
                return "nudging_off"
            if nudges == self._settings.max_nudges:
                return "nudges_used_up"
            nudges += 1
            instruction = self._prompts.nudge(mode, self._task)
            failing = self._inner_loop(instruction, NUDGE_TYPES[mode])
        return failing

    def _inner_loop(self, instruction: str, kind: InstructionType) -> str | None:
        """Send, then revise while the code fails. None, or the reason why the code still fails."""
        turn = self._turn(lambda: self._sent(instruction), instruction, kind)
        for _ in range(self._settings.max_revisions):
            if turn is None or not turn.failed:
                break
            turn = self._turn(self._agent.revise, "", "inspector_revision")
        if turn is None:
            return "agent_gave_up"
        return "revisions_used_up" if turn.failed else None

    def _sent(self, instruction: str) -> Turn:
        """The turn that answers an instruction. Raises `TypeError` if there is none: only `revise`
        may decline."""
        turn: Turn | None = self._agent.send(instruction)
        if turn is None:
            raise TypeError("the agent's `send` returned None, not a Turn")
        return turn

    def _turn(
        self,
        act: Callable[[], Turn | None],
        instruction: str,
        kind: InstructionType,
    ) -> Turn | None:
        """One exchange, recorded. None if the agent made no attempt. Raises `TypeError` if it
        returned something else."""
        self._observer.begins(instruction, kind)
        started = self._clock()
        turn = _checked(act())
        elapsed = self._clock() - started
        self._observer.turn_over()
        if turn is not None:
            step = make_step(turn, instruction, kind, elapsed, self._task, self._grading)
            self.steps.append(step)
            self._observer.ends(step)
        return turn


def _checked(turn: object) -> Turn | None:
    """What an agent returned, which may be anything if it is somebody's own."""
    if turn is None or isinstance(turn, Turn):
        return turn
    found = type(turn).__name__
    raise TypeError(f"the agent returned a {found}, not a Turn of a text, as in Turn('It is 4.4.')")
