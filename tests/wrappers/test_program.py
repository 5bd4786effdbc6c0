"""Programs that print without end, say nothing, or do not listen."""

from __future__ import annotations

import os
import resource
import sys
import time
from pathlib import Path

import psutil
import pytest

from wrappers.output import MAX_OUTPUT
from wrappers.program import Refused, run_program
from wrappers.settings import IsolationSettings

FREE = IsolationSettings(cpu_seconds=None, memory_mb=None, file_mb=None)


def memory() -> int:
    """The most memory that this process has used so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def test_both_ends_of_a_flood_are_kept_in_little_memory(tmp_path: Path) -> None:
    before = memory()
    flood = "yes 'row 1' | head -c 200000000 | tee /dev/stderr; echo 'The mean is 0.28.'"
    ended = run_program(["sh", "-c", flood], FREE, tmp_path, b"")
    assert ended.code == 0
    assert ended.output.startswith("row 1\nrow 1\n") and ended.output.endswith("mean is 0.28.\n")
    for kept in (ended.output, ended.errors):
        assert "characters left out" in kept and len(kept) < MAX_OUTPUT + 100
    assert memory() - before < 100


def test_what_a_program_does_not_read_is_no_error(tmp_path: Path) -> None:
    ended = run_program(["sh", "-c", "exec <&-; echo done"], FREE, tmp_path, b"x" * 1_000_000)
    assert (ended.code, ended.output, ended.errors) == (0, "done\n", "")


def test_a_character_in_two_pieces_is_one(tmp_path: Path) -> None:
    code = (
        "import os, time\nfor piece in (b'\\xc3', b'\\xa9', b'\\xc3'):\n"
        "    os.write(1, piece); time.sleep(0.05)"
    )
    ended = run_program([sys.executable, "-c", code], FREE, tmp_path, b"")
    assert ended.output == "\u00e9\ufffd"


def test_a_program_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"^sandbox: no-such-program: No such file or directory$"):
        run_program(["no-such-program"], FREE, tmp_path, b"")


@pytest.mark.parametrize("is_detached", [False, True])
def test_what_a_program_leaves_running_does_not_delay_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_detached: bool
) -> None:
    """Where nothing else would end it. It holds the streams, and more is given than they take."""
    monkeypatch.setattr("wrappers.isolation.namespaces_work", lambda: False)
    sleep = ["sleep", f"3604.{os.getpid()}"]  # of this test run only
    program = (
        f"import subprocess; subprocess.Popen({sleep}, start_new_session={is_detached})\n"
        "print('The mean is 4.4.')"
    )
    began = time.monotonic()
    ended = run_program([sys.executable, "-c", program], FREE, tmp_path, b"x" * 1_000_000)
    assert time.monotonic() - began < 20
    assert (ended.code, ended.output, ended.errors) == (0, "The mean is 4.4.\n", "")
    left = [one for one in psutil.process_iter(["cmdline"]) if one.info["cmdline"] == sleep]
    for process in left:
        process.kill()
    assert len(left) == is_detached


def test_a_system_without_threads_is_no_failure_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("wrappers.program.ThreadPoolExecutor.submit", fails)
    with pytest.raises(OSError, match="can't start new thread"):
        run_program(["sleep", "3604"], FREE, tmp_path, b"")
