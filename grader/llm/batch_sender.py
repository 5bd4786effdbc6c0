"""Answering requests through a batch service: submits batches, polls them, hands out replies.

Takes the place of `sender.Sender`, so cache, log and grades are the same as online.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, repeat
from typing import Any

from .attempts import Attempts, sent
from .batch_api import BatchApi, BatchState
from .batch_log import BatchLog, OpenBatch
from .batch_queue import BatchQueue, Futures, Result
from .budget import NOTHING, Budget, Spending
from .client import Client, Fault
from .meter import Meter
from .request import ChatRequest, Endpoint, Failure, FailureKind, Reply, Sent
from .retry import MOST_DOUBLINGS, RetryPolicy, tell_given_up

log = logging.getLogger("grader")
DISCOUNT = 0.5  # batch requests cost half the list price


@dataclass(frozen=True)
class BatchPolicy:
    """most_requests: in one batch. quiet: a batch is submitted when no further request has come
    for this many seconds. poll: seconds between looks at a running batch."""

    most_requests: int
    quiet: float
    poll: float


class BatchSender:
    """Answers requests to one endpoint through batches. Batches that an earlier session left
    running are polled on, and requests they hold are not submitted again. After a fault that must
    repeat (another model answers, a bad key) no further batch is submitted."""

    def __init__(
        self,
        endpoint: Endpoint,
        client: Client,
        budget: Budget,
        retries: RetryPolicy,
        policy: BatchPolicy,
        price: tuple[float, float] | None,
        batches: BatchLog,
        is_answered: Callable[[str], bool],
    ) -> None:
        self._endpoint, self._client, self._api = endpoint, client, BatchApi(client)
        self._retries, self._poll = retries, policy.poll
        self._meter, self._log = Meter(budget, price, DISCOUNT), batches
        self._left = batches.open_batches(endpoint, is_answered)
        self._queue = BatchQueue(policy.most_requests, policy.quiet, self._submit)
        self._running: Futures = {}
        self._held: dict[str, Spending] = {}  # set aside for requests of earlier sessions
        self._budget = budget
        self._given_up: Failure | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def send(self, request: ChatRequest) -> Sent:
        """Put a request into batches until there is a reply, or trying again cannot help."""
        self._take_up()
        return await sent(partial(self._settle, request))

    async def _settle(self, request: ChatRequest, attempts: Attempts) -> Reply | Failure:
        """The reply to a request, or the failure of the last batch that held it."""
        retry = 0
        while True:
            result, taken = await self._attempt(request)
            attempts.add(result, taken)
            if not isinstance(result, Fault):
                return result
            if attempts.next_is_no_retry:
                continue
            if self._retries.wait(result, retry, random.random()) is None:
                return self._failure(result)
            if result.kind == "rate_limited":  # until other batches have ended
                await asyncio.sleep(self._poll * 2.0 ** min(retry, MOST_DOUBLINGS))
            retry += 1

    async def close(self) -> None:
        """Stop waiting. Batches go on at the service, and a later session finds them."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._client.close()

    def _failure(self, fault: Fault) -> Failure:
        """The failure of a request that is not tried again; of all requests if it must repeat."""
        failure = Failure(fault.kind, fault.detail)
        if fault.fatal and self._given_up is None:
            tell_given_up(self._endpoint, fault)
            self._given_up = failure
        return failure

    async def _attempt(self, request: ChatRequest) -> tuple[Result | Failure, Spending]:
        """The result of a request in one batch, and what it took from the budget."""
        estimate = self._meter.estimate(request, self._client.body(request))
        if (running := self._running.get(request.key)) is not None:
            held = self._held.pop(request.key, None)
            try:
                result = await asyncio.shield(running)
            finally:
                self._release(held)
            self._running.pop(request.key, None)
            return self._meter.charged(result, estimate)
        if self._given_up is not None:
            return self._given_up, NOTHING
        return await self._meter.metered(lambda: self._queue.add(request), estimate)

    def _estimate(self, requests: list[ChatRequest]) -> Spending:
        estimates = [self._meter.estimate(one, self._client.body(one)) for one in requests]
        return sum(estimates, NOTHING)

    def _submit(self, requests: list[ChatRequest], futures: Futures) -> None:
        self._start(self._run(requests, futures), futures)

    def _start(self, work: Coroutine[Any, Any, None], futures: Futures) -> None:
        task = asyncio.create_task(_tell_of_errors(work, futures))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _take_up(self) -> None:
        """Wait, once, for the batches that an earlier session left running."""
        left, self._left = self._left, []
        loop = asyncio.get_running_loop()
        for batch in left:
            log.info("batch %s: waiting for %d replies", batch.batch_id or "?", len(batch.keys))
            futures: Futures = {key: loop.create_future() for key in batch.keys}
            self._running.update(futures)
            for key in batch.keys:
                self._held[key] = batch.estimate
                self._budget.hold(batch.estimate)
            self._start(self._resume(batch, futures), futures)

    async def _run(self, requests: list[ChatRequest], futures: Futures) -> None:
        """Submit a batch, wait for it and hand out its results."""
        file_id = await self._retries.persist(self._api.upload, requests)
        if isinstance(file_id, Fault):
            _give_up(futures, file_id)
            return
        self._log.named(self._endpoint, file_id, list(futures), self._estimate(requests))
        state = await self._started(file_id)
        if isinstance(state, BatchState):
            self._log.started(file_id, state.batch_id)
            log.info("batch %s: %d requests submitted", state.batch_id, len(futures))
        elif not state.retryable:  # refused, so there is no batch to look for later
            self._log.fetched(file_id, list(futures))
        await self._finish(file_id, state, futures)

    async def _started(self, file_id: str) -> BatchState | Fault:
        """The batch of an uploaded file. After an attempt that failed, it is looked for before
        another is made: only the answer may have been lost."""
        ways = chain([self._api.create], repeat(self._api.find_or_create))
        return await self._retries.persist(lambda: next(ways)(file_id))

    async def _resume(self, batch: OpenBatch, futures: Futures) -> None:
        """Wait for a batch of an earlier session. Its requests are asked anew if it is gone."""
        try:
            state = await self._retries.persist(self._api.find, batch.file_id, batch.batch_id)
            if state is None:
                self._log.fetched(batch.file_id, list(futures))
                _settle(futures, Fault("server_error", "the batch is gone", retryable=True))
            else:
                await self._finish(batch.file_id, state, futures)
        finally:
            for key in futures:  # those that nobody has asked for
                self._release(self._held.pop(key, None))

    def _release(self, held: Spending | None) -> None:
        if held is not None:
            self._budget.release(held)

    async def _finish(self, file_id: str, state: BatchState | Fault, futures: Futures) -> None:
        """Wait for a batch to end, and hand out its results. A batch whose state cannot be read
        stays open in the log, as it may be running; a later session tries again."""
        while isinstance(state, BatchState) and not state.has_ended:
            await asyncio.sleep(self._poll)
            seen = await self._retries.persist(self._api.look, state.batch_id)
            if isinstance(seen, Fault):
                state = replace(seen, fatal=False)  # of this batch: others may be there
                continue
            if seen.status != state.status:
                log.info("batch %s: %s", seen.batch_id, seen.status)
            state = seen
        if isinstance(state, Fault):
            _give_up(futures, state)
            return
        results = await self._retries.persist(self._api.results, state)
        if isinstance(results, Fault):
            _give_up(futures, results)
            return
        self._hand_out(file_id, state, results, futures)

    def _hand_out(
        self,
        file_id: str,
        state: BatchState,
        results: dict[str, Reply | Fault],
        futures: Futures,
    ) -> None:
        missing = _why_missing(state, results)
        outcome = {key: results.get(key, missing) for key in futures}
        failed = [key for key, result in outcome.items() if isinstance(result, Fault)]
        why = f" ({state.problem})" if state.problem else ""
        log.info(
            "batch %s: %s%s, %d of %d answered",
            state.batch_id, state.status, why, len(outcome) - len(failed), len(outcome),
        )  # fmt: skip
        self._log.fetched(file_id, failed)
        for key, future in futures.items():
            _resolve(future, outcome[key])


def _why_missing(state: BatchState, results: dict[str, Reply | Fault]) -> Fault:
    """The fault of a request without a result in an ended batch."""
    if state.status == "failed":
        kind: FailureKind = "rate_limited" if state.is_for_now else "rejected"
        detail = f"batch failed: {state.problem or 'no reason given'}"
        return Fault(kind, detail, retryable=state.is_for_now)
    if state.status in ("expired", "cancelled"):
        return Fault("timeout", f"batch {state.status}", retryable=state.status == "expired")
    if not results:  # if a service loses a whole batch, do not pay for another at once
        return Fault("malformed", "the batch holds no replies", is_billed=True)
    detail = "the batch holds no reply to this request"
    return Fault("malformed", detail, retryable=True, is_billed=True)


def _give_up(futures: Futures, fault: Fault) -> None:
    """Stop trying in this session, whatever the cause. No model was asked."""
    _settle(futures, replace(fault, retryable=False, is_billed=False))


def _settle(futures: Futures, result: Result) -> None:
    for future in futures.values():
        _resolve(future, result)


async def _tell_of_errors(work: Coroutine[Any, Any, None], futures: Futures) -> None:
    """Do the work, and pass any error that stops it (a full disk) on to the waiting requests."""
    try:
        await work
    except Exception as error:  # noqa: BLE001 - raised again where the reply is waited for
        for future in futures.values():
            if not future.done():
                future.set_exception(error)


def _resolve(future: asyncio.Future[Result], result: Result) -> None:
    if not future.done():
        future.set_result(result)
