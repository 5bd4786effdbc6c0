"""The replies of an agent's model in one task."""

from __future__ import annotations

from .agent import Requests


class Replies:
    """Whether the model has replied in this task; each request and reply is told to `requests`.

    limit: seconds after which a request without a reply counts as lost."""

    def __init__(self, requests: Requests, limit: float) -> None:
        self._requests, self._limit = requests, limit
        self.begin_task()

    def begin_task(self) -> None:
        self.has_replied = self._is_awaited = False

    def asked(self) -> None:
        """A request begins."""
        self._is_awaited = True
        self._requests.asked(self._limit)

    def begun(self) -> None:
        """Something of the reply has come."""
        if self._is_awaited:
            self._is_awaited = False
            self._requests.replied()

    def ended(self) -> None:
        """The whole reply has come."""
        self.begun()
        self.has_replied = True
