"""Usage of language models: by recorded calls, and by a pass as it goes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from .calls import LlmCall

Number = TypeVar("Number", int, float)


@dataclass(frozen=True)
class Usage:
    """Counts and sums over calls.

    `calls` were answered by a server and paid for; `reused` replies came from the cache or a
    recording; `failed` calls got no reply; `failed_attempts` were sent in vain. Tokens and `cost`
    (US dollars) are sums over the paid calls that state them, None if none does; `uncounted` calls
    lack tokens, `unpriced` ones a known price.
    """

    calls: int = 0
    reused: int = 0
    failed: int = 0
    failed_attempts: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    uncounted: int = 0
    unpriced: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            reused=self.reused + other.reused,
            failed=self.failed + other.failed,
            failed_attempts=self.failed_attempts + other.failed_attempts,
            prompt_tokens=_sum(self.prompt_tokens, other.prompt_tokens),
            completion_tokens=_sum(self.completion_tokens, other.completion_tokens),
            cost=_sum(self.cost, other.cost),
            uncounted=self.uncounted + other.uncounted,
            unpriced=self.unpriced + other.unpriced,
        )

    @classmethod
    def of(cls, calls: Iterable[LlmCall]) -> Usage:
        """The usage of some calls."""
        return sum(map(_of_one, calls), cls())


@dataclass
class Tally:
    """The usage of a pass so far."""

    usage: Usage = field(default_factory=Usage)

    def count(self, call: LlmCall) -> None:
        """Count a call, also one that is not recorded again."""
        self.usage += Usage.of([call])


def _of_one(call: LlmCall) -> Usage:
    if call.reply is None:
        return Usage(failed=1, failed_attempts=len(call.failed_attempts))
    if not call.is_paid:
        return Usage(reused=1)
    return Usage(
        calls=1,
        failed_attempts=len(call.failed_attempts),
        prompt_tokens=call.prompt_tokens,
        completion_tokens=call.completion_tokens,
        cost=call.cost,
        uncounted=None in (call.prompt_tokens, call.completion_tokens),
        unpriced=call.cost is None,
    )


def _sum(a: Number | None, b: Number | None) -> Number | None:
    if a is None or b is None:
        return b if a is None else a
    return a + b
