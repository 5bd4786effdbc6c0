"""An agent without a model: it plays the turns that its settings hold for a task."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grader.records import Task
from grader.settings import StageSettings
from wrappers.agent import AgentUnavailable, Surroundings, Turn


class Settings(StageSettings):
    """turns: task id (or `*`) -> its turns, the last of which is repeated. A turn is a text, or
    an object with `text`, `failed`, and what it does before: `sleep` seconds, `exit` code,
    `raises`, `unavailable`, `spawn` a process that outlives the turn
    (`attached` or `detached`), `mark` the task as done
    in a folder, `meet` the other tasks in a folder until there are as many `guests`.
    `surrogate` ends the text in a broken character."""

    turns: dict[str, list[str | dict[str, Any]]]
    stubborn_reset: bool = False


def make(settings: Settings, surroundings: Surroundings) -> ScriptedAgent:
    return ScriptedAgent(settings)


class ScriptedAgent:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._turns: list[str | dict[str, Any]] = []
        self.instructions: list[str] = []
        self._partial = ""
        self._task_id = ""

    def start(self, task: Task, files: Sequence[Path], workspace: Path) -> None:
        self._task_id = task.task_id
        self._turns = list(self._settings.turns.get(task.task_id) or self._settings.turns["*"])
        self.instructions = []
        (workspace / "private.txt").write_text(task.task_id)
        assert all(path.is_file() and path.parent == workspace for path in files)

    def send(self, instruction: str) -> Turn:
        self.instructions.append(instruction)
        return self._play(instruction)

    def revise(self) -> Turn | None:
        return self._play("advice: try again")

    def partial(self) -> str:
        return self._partial

    def reset(self) -> None:
        if self._settings.stubborn_reset:
            time.sleep(3600)

    def _play(self, instruction: str) -> Turn:
        turn = self._turns.pop(0) if len(self._turns) > 1 else self._turns[0]
        if isinstance(turn, str):
            turn = {"text": turn}
        self._partial = turn.get("partial", "")
        if turn.get("spawn"):
            subprocess.Popen(["sleep", "3600"], start_new_session=turn["spawn"] == "detached")
        if "meet" in turn:
            meeting = Path(turn["meet"])
            (meeting / str(os.getpid())).touch()
            while len(list(meeting.iterdir())) < turn["guests"]:
                time.sleep(0.02)
        if "sleep" in turn:
            time.sleep(turn["sleep"])
        if "exit" in turn:
            os._exit(turn["exit"])
        if "mark" in turn:
            (Path(turn["mark"]) / self._task_id).touch()
        if "unavailable" in turn:
            raise AgentUnavailable(turn["unavailable"])
        if "raises" in turn:
            raise ValueError(turn["raises"])
        text = turn["text"] + ("\udc80" if turn.get("surrogate") else "")
        return Turn(text, failed=turn.get("failed", False), instruction=instruction)
