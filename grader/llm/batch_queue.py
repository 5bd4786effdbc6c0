"""Collects requests until they make a batch."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

from .client import Fault
from .request import ChatRequest, Reply

MOST_BYTES = 150_000_000  # of prompts in one batch; the service takes files of 200 MB

Result = Reply | Fault
Futures = dict[str, asyncio.Future[Result]]


class BatchQueue:
    """The requests of the next batch. They are submitted when there are `most` of them, when
    their prompts are as long as a file may be, or when no further one came for `quiet` seconds.

    submit: takes the requests of a batch, and for each request key the future of its result.
    """

    def __init__(
        self, most: int, quiet: float, submit: Callable[[list[ChatRequest], Futures], None]
    ) -> None:
        self._most, self._quiet, self._submit = most, quiet, submit
        self._requests: list[ChatRequest] = []
        self._futures: Futures = {}
        self._bytes = 0
        self._timer: asyncio.TimerHandle | None = None

    def add(self, request: ChatRequest) -> asyncio.Future[Result]:
        """The future result of a request, which is submitted with others."""
        loop = asyncio.get_running_loop()
        future = self._futures[request.key] = loop.create_future()
        self._requests.append(request)
        self._bytes += len(json.dumps(request.messages))
        if self._timer is not None:
            self._timer.cancel()
        if len(self._requests) >= self._most or self._bytes >= MOST_BYTES:
            self._flush()
        else:
            self._timer = loop.call_later(self._quiet, self._flush)
        return future

    def _flush(self) -> None:
        requests, futures = self._requests, self._futures
        self._requests, self._futures, self._bytes = [], {}, 0
        self._submit(requests, futures)
