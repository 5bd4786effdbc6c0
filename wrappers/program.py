"""A program in the sandbox, run to its end: its exit code and its output, in bounded memory."""

from __future__ import annotations

import codecs
import os
import socket
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .isolation import clean_environment, sandboxed
from .output import Ends
from .settings import IsolationSettings

CHUNK = 1 << 16  # bytes read at a time


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
    given, holds meanwhile what it has written to stdout. Raises `Refused`
    if the sandbox cannot run it, which the sandbox tells through a socket that is closed once the
    program runs: a program can neither write to it nor open it again. Raises `OSError` for a
    command that is too long."""
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
            )
        with process, ThreadPoolExecutor() as threads:
            if refusal := ours.makefile(errors="replace").read():
                raise Refused(refusal.strip())
            assert process.stdin and process.stdout and process.stderr
            readers = [
                threads.submit(_read, process.stdout, output),
                threads.submit(_read, process.stderr, errors),
            ]
            with suppress(BrokenPipeError), process.stdin:
                process.stdin.write(given)
            code = process.wait()
            for reader in readers:
                reader.result()
            return Ended(code, output.text(), errors.text())


def _read(stream: IO[bytes], ends: Ends) -> None:
    """Put a stream's text into `ends`, until it ends."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while chunk := os.read(stream.fileno(), CHUNK):
        ends.add(decoder.decode(chunk))
    ends.add(decoder.decode(b"", final=True))
