"""A real server process and a real browser, for tests and benchmarks."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from tests.browser import CHROMIUM

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """`grader annotate DIR --web` in a process of its own, on a fixed port."""

    def __init__(self, run: Path, *extra: str) -> None:
        self.run, self.extra, self.port = run, extra, free_port()
        self.process: subprocess.Popen[str] | None = None
        self.address = ""

    def start(self) -> str:
        """Start it; returns the address with the token."""
        command = [sys.executable, "-m", "grader", "annotate", str(self.run), "--web"]
        command += ["--annotator", "ada", "--port", str(self.port), *self.extra]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        self.address = _address(self.process.stderr)
        return self.address

    def kill(self) -> None:
        """SIGKILL: no clean end."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            assert self.process.stderr is not None
            self.process.stderr.close()
            self.process = None

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


def _address(stderr: IO[str]) -> str:
    seen = []
    for line in stderr:
        seen.append(line)
        if found := re.search(r"http://\S+", line):
            return found[0]
    raise AssertionError("the server did not start: " + "".join(seen))


@contextmanager
def browser(**options: Any) -> Iterator[Any]:
    """A Chromium context (playwright), with a profile of its own."""
    from playwright.sync_api import sync_playwright

    # Chromium may still write to its profile while it ends.
    folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    with sync_playwright() as playwright, folder as profile:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=CHROMIUM, args=FLAGS, headless=True, **options
        )
        yield context
        context.close()


@contextmanager
def opened(run: Path, *extra: str, **options: Any) -> Iterator[tuple[Server, Any]]:
    """A server of all transcripts of a run, and its first page in a browser, whose requests can be
    caught from the start: one made right after the first rule is set may slip through."""
    with Server(run, "--design", "all", *extra) as server, browser(**options) as context:
        page = context.pages[0]
        page.route("**/never-asked-for", lambda route: route.abort())
        page.goto(server.address)
        yield server, page


def write_note(page: Any, note: str) -> None:
    """Write it by keyboard and leave its field."""
    page.keyboard.press("o")
    page.keyboard.type(note)
    page.keyboard.press("Enter")


def hold(page: Any, address: str, **options: Any) -> list[Any]:
    """Hold a page's requests to an address; returns the list that they are added to."""
    held: list[Any] = []
    page.route(address, lambda route: held.append(route), **options)
    return held


def wait_for(page: Any, held: list[Any], count: int = 1) -> None:
    """Wait until so many requests of a page are held; fails after half a minute."""
    for _ in range(1500):
        if len(held) >= count:
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"{len(held)} requests of {count} were made")


def label_with_kills(run: Path, labels: int, kills: int) -> dict[str, int]:
    """Label by scripted keys, killing the server every so often, right after a key press.

    Returns counts: labels given, stored (as history) and kills. After a kill the annotator does
    what a person would: starts the command again and opens the address it prints.
    """
    keys = ["m", "n", "a"]
    every = max(1, labels // (kills + 1))
    given = killed = 0
    with opened(run) as (server, page):
        while given < labels:
            number = page.evaluate("document.body.dataset.number")
            strike = killed < kills and given % every == every - 1
            if strike and killed % 2:
                server.kill()  # dead before the key: the label must wait in the browser
            page.keyboard.press(keys[given % 3])
            given += 1
            if strike:
                server.kill()  # or dead while the label is under way
                killed += 1
                page.goto(server.start())
            page.wait_for_function(
                "n => !busy && document.body.dataset.number !== n && !Object.keys(localStorage)"
                ".some(k => k.startsWith('grader.kept'))",
                arg=number,
            )
    return {"given": given, "kills": killed}
