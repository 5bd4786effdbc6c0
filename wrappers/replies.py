"""The replies of an agent's model: whether there was one in a task, how those of a turn ended."""

from __future__ import annotations

from typing import Any

from grader.llm.completion import UNFINISHED, redacted, refusal_in
from grader.llm.request import end_of

from .agent import Requests, Turn


class Replies:
    """The replies of one agent; each request and reply is told to `requests`.

    limit: seconds after which a request without a reply counts as lost. secret: the key, which is
    kept out of what is recorded."""

    def __init__(self, requests: Requests, limit: float, secret: str) -> None:
        self._requests, self._limit, self._secret = requests, limit, secret
        self.begin_task()

    def begin_task(self) -> None:
        self.has_replied = self._is_awaited = False
        self.begin_turn()

    def begin_turn(self) -> None:
        self._finish_reasons: list[str | None] = []
        self._refusals: list[str] = []

    def asked(self) -> None:
        """A request begins."""
        self._is_awaited = True
        self._requests.asked(self._limit)

    def begun(self) -> None:
        """Something of the reply has come."""
        if self._is_awaited:
            self._is_awaited = False
            self._requests.replied()

    def ended(self, choice: dict[str, Any]) -> None:
        """The whole reply has come: a choice of a chat completion."""
        self.begun()
        self.has_replied = True
        reason = choice.get("finish_reason")
        self._finish_reasons.append(reason and redacted(str(reason), self._secret))
        if refusal := refusal_in(choice, self._secret):
            self._refusals.append(refusal)

    @property
    def is_cut_off(self) -> bool:
        """Whether the turn's last reply stopped at its token limit, by a content filter, or as its
        server failed."""
        return any(end_of(reason) in UNFINISHED for reason in self._finish_reasons[-1:])

    def turn(self, output: str, instruction: str, *, failed: bool = False, **notes: Any) -> Turn:
        """The turn that ends here, with how its replies ended. One that a reply ends which was cut
        off has no output: half an answer is not an answer."""
        notes["finish_reasons"] = self._finish_reasons
        if self._refusals:
            notes["refusals"] = self._refusals
        if self.is_cut_off and not failed:
            notes |= {"cut_off": self._finish_reasons[-1], "partial_output": output}
            output = ""
        return Turn(output, failed=failed, instruction=instruction, metadata=notes)
