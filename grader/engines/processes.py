"""Grades in several processes on this machine.

Chunks go to the workers unread, results come back as text, in the order of the input, so that
the run is the same byte for byte as a serial one. A few chunks per worker are under way at a
time, whatever the input's size. When a worker is killed, all are started anew and the chunks
under way are graded again.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import signal
import tempfile
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Set
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import IO

from ..errors import UserError, cannot_write
from ..passes.engine import Batch
from ..passes.strict_pass import GradedTranscript, StrictPass
from ..readers import read_chunks
from ..readers.chunks import Chunk
from .relay import Relay, Teller, Told

log = logging.getLogger("grader")
UNDER_WAY = 3  # chunks per worker
MOST_DEATHS = 3  # in a row, with no chunk finished in between

_strict_pass: StrictPass  # in a worker: its own copy
_relay: Relay

Graded = tuple[list[GradedTranscript], list[Told]]


class ProcessEngine:
    """Grades with `workers` processes."""

    def __init__(self, workers: int) -> None:
        self._workers = workers

    def chunks(self, path: Path, format: str) -> Iterator[Chunk]:
        return read_chunks(path, format)

    def grade(self, strict_pass: StrictPass, chunks: Iterable[Chunk]) -> Iterator[Batch]:
        """Grade the chunks, in order. Raises `UserError` if workers keep dying; batches already
        yielded stay valid."""
        source = iter(chunks)
        waiting: deque[tuple[Chunk, Future[Graded]]] = deque()
        teller = Teller()
        deaths = 0
        others = set(multiprocessing.active_children())
        with _kept(strict_pass) as kept:
            pool = self._start(kept)
            try:
                while True:
                    try:
                        for chunk in islice(source, UNDER_WAY * self._workers - len(waiting)):
                            waiting.append((chunk, _submit(pool, chunk)))
                        if not waiting:
                            return
                        chunk, future = waiting[0]
                        graded, warnings = future.result()
                    except BrokenProcessPool:
                        deaths += 1
                        if deaths > MOST_DEATHS:
                            raise _keep_dying() from None
                        log.warning("a worker process died; what it had is graded again")
                        _give_up(pool, others)
                        pool = self._start(kept)
                        waiting = deque((c, _again(pool, c, f)) for c, f in waiting)
                        continue
                    deaths = 0
                    waiting.popleft()
                    teller.tell(warnings)
                    yield Batch(chunk, 0, graded)
            finally:
                try:
                    pool.shutdown(wait=True, cancel_futures=True)
                except KeyboardInterrupt:  # a second one
                    _give_up(pool, others)
                    raise

    def _start(self, kept: str) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")  # fork is unsafe beside threads
        return ProcessPoolExecutor(self._workers, context, _begin, (kept,))


@contextmanager
def _kept(strict_pass: StrictPass) -> Iterator[str]:
    """A temporary file with a pass, from which workers load it. Sent through the pipe by which they
    start, a large one would block this process for ever if one is killed before it has read it. On
    Linux it has no name, so that it does not outlive a killed command."""
    has_no_name = Path(f"/proc/{os.getpid()}/fd").exists()
    file: IO[bytes] = (
        tempfile.TemporaryFile() if has_no_name else tempfile.NamedTemporaryFile()  # noqa: SIM115
    )
    try:
        pickle.dump(strict_pass, file, pickle.HIGHEST_PROTOCOL)
        file.flush()
    except OSError as error:
        with suppress(OSError):  # what could not be written still cannot
            file.close()
        raise cannot_write(Path(tempfile.gettempdir()), error, continues=True) from error
    with file:
        yield f"/proc/{os.getpid()}/fd/{file.fileno()}" if has_no_name else file.name


def _give_up(pool: ProcessPoolExecutor, others: Set[BaseProcess]) -> None:
    """End a pool that is broken or not to be waited for. Its workers are killed, also those that
    were started while it broke. others: processes that are not of this engine."""
    for worker in set(multiprocessing.active_children()) - others:
        worker.kill()
    pool.shutdown(wait=True, cancel_futures=True)


def _submit(pool: ProcessPoolExecutor, chunk: Chunk) -> Future[Graded]:
    try:
        with _interrupts_blocked():  # in the workers that this starts, from their beginning
            return pool.submit(_work, chunk)
    except (BrokenProcessPool, OSError, ValueError) as error:  # also: it broke during a start
        broken: Future[Graded] = Future()
        broken.set_exception(BrokenProcessPool(str(error)))
        return broken


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C in workers: every process of a terminal gets it, but only the parent must act on
    it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _again(pool: ProcessPoolExecutor, chunk: Chunk, future: Future[Graded]) -> Future[Graded]:
    """Keep what is finished and grade the rest again."""
    if future.done() and not future.cancelled() and future.exception() is None:
        return future
    return _submit(pool, chunk)


def _keep_dying() -> UserError:
    return UserError(
        "worker processes keep being killed (out of memory?). What was graded is on disk: run "
        "the same command with fewer --workers to continue"
    )


def _begin(kept: str) -> None:
    """In a new worker: load the pass, and end with the parent, which may have ended already, or be
    about to after a second Ctrl-C: then the pass is gone."""
    global _strict_pass, _relay
    try:
        _strict_pass, _relay = pickle.loads(Path(kept).read_bytes()), Relay()
    except FileNotFoundError:
        os._exit(1)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _work(chunk: Chunk) -> Graded:
    return list(_strict_pass.grade_all(chunk.transcripts())), _relay.taken()
