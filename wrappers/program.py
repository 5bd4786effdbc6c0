"""A program in the sandbox, run to its end: its exit code and its output, in bounded memory."""

from __future__ import annotations

import codecs
import errno
import os
import selectors
import signal
import socket
import subprocess
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .isolation import clean_environment, sandboxed
from .output import Ends
from .settings import IsolationSettings

CHUNK = 1 << 16  # bytes read at a time
POLL_SECONDS = 0.1
GRACE_SECONDS = 1.0  # for the rest of what a program that has ended wrote


class Refused(Exception):
    """The sandbox did not run the program; the message says why."""


@dataclass(frozen=True)
class Ended:
    """A program's exit code, and both ends of what it wrote to stdout and to stderr."""

    code: int
    output: str
    errors: str


def run_program(
    command: Sequence[str],
    isolation: IsolationSettings,
    workspace: Path,
    given: bytes,
    output: Ends | None = None,
) -> Ended:
    """Run a program in the workspace, with `given` on stdin, and wait for its end. `output`, if
    given, holds meanwhile what it has written to stdout. What it leaves running is killed; what
    detached itself may still hold its streams, which are then read no further.

    Raises `Refused` if the sandbox cannot run it, which the sandbox tells through a socket that is
    closed once the program runs: a program can neither write to it nor open it again. Raises
    `OSError` if the system cannot, as for a command that is too long."""
    output, errors = output or Ends(), Ends()
    ours, sandboxs = socket.socketpair()
    with ours:
        with sandboxs:
            process = subprocess.Popen(
                sandboxed(command, isolation, report=sandboxs.fileno()),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=workspace,
                env=clean_environment(isolation, workspace),
                pass_fds=[sandboxs.fileno()],
                process_group=0,
            )
        with process:
            if refusal := ours.makefile(errors="replace").read():
                raise Refused(refusal.strip())
            code = _attended(process, given, output, errors)
    return Ended(code, output.text(), errors.text())


def _attended(process: subprocess.Popen[bytes], given: bytes, output: Ends, errors: Ends) -> int:
    """The exit code of a program that is fed and read meanwhile."""
    assert process.stdin and process.stdout and process.stderr
    over, attendants = threading.Event(), []
    with ThreadPoolExecutor() as threads:
        try:
            attendants.append(threads.submit(_read, process.stdout, output, over))
            attendants.append(threads.submit(_read, process.stderr, errors, over))
            attendants.append(threads.submit(_feed, process.stdin, given, over))
            code = process.wait()
        except RuntimeError as error:  # no thread is to be had
            raise OSError(errno.EAGAIN, str(error)) from error
        finally:
            with suppress(ProcessLookupError, PermissionError):  # nothing of its group is left
                os.killpg(process.pid, signal.SIGKILL)
            wait(attendants, GRACE_SECONDS)
            over.set()
        for attendant in attendants:
            attendant.result()
    return code


def _feed(stream: IO[bytes], given: bytes, over: threading.Event) -> None:
    """Write what is given to a stream, until the reader closes it or all is over."""
    left = memoryview(given)
    os.set_blocking(stream.fileno(), False)
    with suppress(BrokenPipeError), stream, selectors.DefaultSelector() as ready:
        ready.register(stream, selectors.EVENT_WRITE)
        while left and not over.is_set():
            if ready.select(POLL_SECONDS):
                left = left[os.write(stream.fileno(), left) :]


def _read(stream: IO[bytes], ends: Ends, over: threading.Event) -> None:
    """Put a stream's text into `ends`, until it ends or all is over."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    with selectors.DefaultSelector() as ready:
        ready.register(stream, selectors.EVENT_READ)
        while not over.is_set():
            if not ready.select(POLL_SECONDS):
                continue
            if not (chunk := os.read(stream.fileno(), CHUNK)):
                break
            ends.add(decoder.decode(chunk))
    ends.add(decoder.decode(b"", final=True))
