"""Terminal sessions without a terminal and in a pseudo-terminal, for tests."""

from __future__ import annotations

import io
import os
import pty
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from annotate.labels import LabelStore
from annotate.session import Session
from annotate.terminal import Ask, TerminalSession
from annotate.terminal.screen import draw
from annotate.terminal.session import PAUSE
from grader.run import RunDirectory
from grader.run.transcript_index import TranscriptIndex

SCREEN = "q quit"  # how every screen ends


def shown(terminal: TerminalSession, width: int = 80, height: int = 40) -> str:
    console = Console(width=width, height=height, record=True, file=io.StringIO())
    console.print(draw(console, terminal.session, terminal.screen))
    return console.export_text()


def answers(*texts: str | None) -> Ask:
    waiting = list(texts)
    return lambda prompt, text="": waiting.pop(0)


def terminal_on(run: RunDirectory, store: LabelStore) -> TerminalSession:
    """A session on all transcripts of a run, in file order."""
    archive = TranscriptIndex(run.transcripts_path)
    return TerminalSession(Session(archive, store, "ada", list(archive)), answers())


@contextmanager
def real_terminal(run: RunDirectory) -> Iterator[int]:
    """The command in a pseudo-terminal, at its first item; awaits its good end."""
    main, side = pty.openpty()
    command = [sys.executable, "-m", "grader", "annotate", str(run.path), "--terminal"]
    command += ["--annotator", "ada", "--design", "all"]
    process = subprocess.Popen(
        command,
        stdin=side,
        stdout=side,
        stderr=subprocess.PIPE,
        env={**os.environ, "TERM": "xterm"},
    )
    assert "1 / 12" in read_until(main, SCREEN)
    yield main
    read_until(main, "?1049l")
    _, errors = process.communicate(timeout=20)
    assert termios.tcgetattr(side)[3] & termios.ICANON
    os.close(side)
    os.close(main)
    assert process.returncode == 0
    assert b"of 12 labelled" in errors


def send(handle: int, keys: bytes) -> None:
    """Press keys once the item has been in sight for a while."""
    time.sleep(2 * PAUSE)
    os.write(handle, keys)


def read_until(handle: int, mark: str) -> str:
    seen, end = "", time.monotonic() + 20
    while mark not in seen and time.monotonic() < end:
        if select.select([handle], [], [], 0.5)[0]:
            seen += os.read(handle, 65536).decode("utf-8", "replace")
    return seen
