"""An event loop in a thread of its own, so that synchronous callers, notebooks included, can
drive asynchronous work."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Coroutine, Iterable
from concurrent.futures import Future
from typing import Any, TypeVar

Result = TypeVar("Result")

SWITCH_INTERVAL = 0.0005  # seconds; Python's own 5 ms would hold up every reply that long


class _Turns:
    """How often threads take turns: more often while any loop is open, then as before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loops = 0
        self._before = 0.0

    def add_loop(self) -> None:
        with self._lock:
            if not self._loops:
                self._before = sys.getswitchinterval()
                sys.setswitchinterval(SWITCH_INTERVAL)
            self._loops += 1

    def remove_loop(self) -> None:
        with self._lock:
            self._loops -= 1
            if not self._loops:
                sys.setswitchinterval(self._before)


_turns = _Turns()


class LoopThread:
    """Runs coroutines in the background; a context manager that cancels what is unfinished.

    While it is open, threads take turns more often, so that a caller that computes does not
    keep the loop from sending the next request.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="llm", daemon=True)

    def submit(self, work: Coroutine[Any, Any, Result]) -> Future[Result]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def cancel_together(self, futures: Iterable[Future[Any]]) -> None:
        """Cancel some work. None of it takes over what other of it has held, such as a free place
        to send a request from."""
        if unfinished := [future for future in futures if not future.done()]:
            self.submit(_cancel_each(unfinished)).result()

    def cancel(self) -> None:
        """Cancel what is unfinished, and wait until it has ended."""
        self.submit(self._cancel_all()).result()

    def __enter__(self) -> LoopThread:
        _turns.add_loop()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        _turns.remove_loop()

    async def _cancel_all(self) -> None:
        own = asyncio.current_task()
        tasks = [task for task in asyncio.all_tasks() if task is not own]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._loop.shutdown_asyncgens()


async def _cancel_each(futures: Iterable[Future[Any]]) -> None:
    """Cancel futures in one step of their loop, before any of them can go on."""
    for future in futures:
        future.cancel()
