"""What a pass over the transcripts asked for, and what it took."""

from __future__ import annotations

from dataclasses import dataclass

from .request import Failure, Reply


@dataclass
class Tally:
    """Counts of one pass. `calls` were answered by a server and paid for; `cached` came from
    the log, the shared cache or a recording. `unpriced` calls have no known cost and are not
    part of `cost` (US dollars); `failed` requests got no reply, `failed_attempts` counts what
    was sent in vain."""

    calls: int = 0
    cached: int = 0
    failed: int = 0
    failed_attempts: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    unpriced: int = 0

    def count_cached(self) -> None:
        self.cached += 1

    def count_sent(self, result: Reply | Failure, failed_attempts: int) -> None:
        self.failed_attempts += failed_attempts
        if isinstance(result, Failure):
            self.failed += 1
            return
        self.calls += 1
        self.prompt_tokens += result.prompt_tokens or 0
        self.completion_tokens += result.completion_tokens or 0
        if result.cost is None:
            self.unpriced += 1
        else:
            self.cost += result.cost
