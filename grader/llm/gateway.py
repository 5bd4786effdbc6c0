"""Answers requests from the run's log, then the shared store, then the server; records all."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Protocol

from .batch_log import BatchLog
from .calls import CallLog, LlmCall
from .request import ChatRequest, Endpoint, Failure, Interrupted, Reply, Sent
from .store import ReplyStore
from .usage import Tally


class AnySender(Protocol):
    """The protocol for getting one request answered by one endpoint: a `Sender` or
    `BatchSender`."""

    async def send(self, request: ChatRequest) -> Sent: ...

    async def close(self) -> None: ...


class Gateway:
    """The live transport. The same request is paid for once, also when asked twice at once.

    batches: the senders' log of batches, which is closed here with the log of calls.
    """

    def __init__(
        self,
        senders: Mapping[Endpoint, AnySender],
        log: CallLog,
        store: ReplyStore | None,
        tally: Tally,
        batches: BatchLog | None = None,
    ) -> None:
        self._senders, self._log, self._store, self._tally = senders, log, store, tally
        self._batches = batches
        self._in_flight: dict[str, asyncio.Future[Reply | Failure]] = {}

    async def answer(self, request: ChatRequest) -> Reply | Failure:
        """The reply from the cheapest source, or the failure."""
        if (flying := self._in_flight.get(request.key)) is not None:
            result = await asyncio.shield(flying)
            if isinstance(result, Reply):
                self._log_cached(request, result)
            return result
        if (reply := self._find(request)) is not None:
            self._log_cached(request, reply)
            return reply
        return await self._pay(request)

    async def close(self) -> None:
        for sender in self._senders.values():
            await sender.close()
        if self._batches is not None:
            self._batches.close()
        self._log.close()

    def _find(self, request: ChatRequest) -> Reply | None:
        reply = self._log.find(request.key)
        if reply is None and self._store is not None:
            reply = self._store.find(request.key)
        return reply

    def _log_cached(self, request: ChatRequest, reply: Reply) -> None:
        call = LlmCall.of(request, Sent(reply), "cache")
        self._tally.count(call)
        if self._log.served(request.key, request.transcript_id) is None:
            self._log.add(call)

    async def _pay(self, request: ChatRequest) -> Reply | Failure:
        future: asyncio.Future[Reply | Failure] = asyncio.get_running_loop().create_future()
        self._in_flight[request.key] = future
        try:
            sent = await self._senders[request.endpoint].send(request)
            sent = sent.within(request.max_tokens)
            self._record(request, sent)
            future.set_result(sent.result)
            await asyncio.sleep(0)  # let waiting requests leave before this reply is graded
            return sent.result
        except Interrupted as stop:
            failure = Failure("interrupted", "cancelled before its reply came")
            self._record(request, Sent(failure, stop.failed_attempts, stop.charged))
            raise
        except Exception as error:
            future.set_exception(error)
            future.exception()  # seen, also if nobody else waits for the reply
            raise
        finally:
            del self._in_flight[request.key]
            future.cancel()  # those who wait for a call that was cancelled; else of no effect

    def _record(self, request: ChatRequest, sent: Sent) -> None:
        call = LlmCall.of(request, sent, "server")
        self._tally.count(call)
        if isinstance(sent.result, Reply) or sent.failed_attempts:
            self._log.add(call)
            if self._store is not None and isinstance(sent.result, Reply):
                self._store.add(call)
