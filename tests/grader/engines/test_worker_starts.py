"""Workers that are killed while they start."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from pathlib import Path

import psutil

from grader.passes.summary import Summary
from tests.grader.strict_runs import contents

from .test_engines import grade, made


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
