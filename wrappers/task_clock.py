"""The clock of one task, which stands still while the wrapper reads what the agent has said."""

from __future__ import annotations

import time

READING_SECONDS = 600.0  # for the step of one turn


class TaskClock:
    """Knows until when the worker has time: to make the agent ready, then for the agent's turns
    together. How long a step takes to be made is not the agent's time."""

    def __init__(self, start_timeout: float, task_timeout: float) -> None:
        self.deadline = time.monotonic() + start_timeout
        self._left = task_timeout

    def note(self, event: str) -> None:
        """Take in an event of the worker, by its name."""
        now = time.monotonic()
        if event in ("started", "step"):
            self.deadline = now + self._left
        elif event == "turn_over":
            self._left, self.deadline = self.deadline - now, now + READING_SECONDS
