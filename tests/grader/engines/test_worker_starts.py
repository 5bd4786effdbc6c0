"""Workers that are killed, or whose parent is, while they start, or that are not waited for."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from grader.engines.processes import ProcessEngine
from grader.passes.strict_pass import StrictPass
from grader.passes.summary import Summary
from grader.readers.native_lines import Lines
from grader.records import Transcript
from grader.run.ledger import Ledger
from grader.run.validity import Validity
from tests.grader.strict_runs import STRICT, contents
from tests.shared_data import ROOT
from tests.waiting import wait_until

from .test_engines import grade, importing, made


def kill_the_first_worker(others: set[int]) -> None:
    """Kill a worker as soon as it appears."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        for child in psutil.Process().children():
            with suppress(psutil.Error):  # it may have ended meanwhile
                if child.pid not in others and "spawn_main" in " ".join(child.cmdline()):
                    child.kill()
                    return


def test_a_worker_killed_while_it_starts_blocks_nothing(tmp_path: Path) -> None:
    source = made(tmp_path / "all.jsonl", each=900)
    grade(tmp_path / "run", source)
    before = contents(tmp_path / "run")
    done: list[Summary] = []
    for _ in range(4):
        others = {child.pid for child in psutil.Process().children()}
        killing = threading.Thread(target=kill_the_first_worker, args=(others,))
        grading = threading.Thread(
            target=lambda: done.append(grade(tmp_path / "run", source, workers=2)), daemon=True
        )
        killing.start()
        grading.start()
        killing.join()
        grading.join(90)
        assert contents(tmp_path / "run") == before
    assert [one.transcripts for one in done] == 4 * [900]


def test_workers_that_start_when_the_parent_is_killed_end_in_silence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "grader", "grade", str(made(tmp_path / "in.jsonl", each=300)),
               "--run", str(tmp_path / "run"), "--lenient", "off", "--workers", "2"]  # fmt: skip
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    parent = psutil.Process(process.pid)
    wait_until(lambda: any(importing(child) for child in parent.children()))
    process.kill()
    _, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors


class Slow:
    """A chunk that takes long to read."""

    def transcripts(self) -> Iterator[Transcript]:
        time.sleep(30)
        return iter(())


def test_a_second_interrupt_waits_for_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = ProcessPoolExecutor.shutdown, []

    def interrupted(pool: ProcessPoolExecutor, **options: Any) -> None:
        calls.append(options)
        if len(calls) == 1:
            raise KeyboardInterrupt
        real(pool, **options)

    monkeypatch.setattr(ProcessPoolExecutor, "shutdown", interrupted)
    before = set(multiprocessing.active_children())
    strict_pass = StrictPass(STRICT, Ledger(Validity()), None)
    batches = ProcessEngine(1).grade(strict_pass, [Lines("x", ()), Slow()])
    next(batches)
    with pytest.raises(KeyboardInterrupt):
        batches.close()  # type: ignore[attr-defined]
    assert set(multiprocessing.active_children()) == before
