"""The sandbox script on its own: limits, namespaces, and that nothing survives it."""

from __future__ import annotations

import io
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import psutil
import pytest

from tests.waiting import wait_until
from wrappers import isolation
from wrappers.isolation import SANDBOX, clean_environment, describe, namespaces_work
from wrappers.plan import make_plan
from wrappers.settings import IsolationSettings
from wrappers.worker import Channel, Job

SLEEP = ["sleep", f"3602.{os.getpid()}"]  # of this test run only
needs_namespaces = pytest.mark.skipif(
    not namespaces_work(), reason="this system permits no namespaces"
)


def command(*words: str, **spec: Any) -> list[str]:
    defaults = {
        "cpu_seconds": None,
        "memory_mb": None,
        "file_mb": None,
        "network": False,
        "namespaces": True,
        "report": 2,
        "parent": os.getpid(),
    }
    return [sys.executable, "-I", str(SANDBOX), json.dumps(defaults | spec), *words]


def starts(*words: str) -> str:
    """Python code that starts the words in a sandbox of its own."""
    code = (
        "import subprocess; from wrappers.isolation import sandboxed as s, IsolationSettings as I"
    )
    return f"{code}; subprocess.Popen(s({words!r}, I(), namespaces=True))"


def outcome(*words: str, **spec: Any) -> tuple[int, str]:
    done = subprocess.run(command(*words, **spec), capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("namespaces", [pytest.param(True, marks=needs_namespaces), False])
class TestBothWays:
    def test_exit_codes_pass_through(self, namespaces: bool) -> None:
        assert outcome("sh", "-c", "exit 7", namespaces=namespaces) == (7, "")

    def test_a_missing_command_is_said(self, namespaces: bool) -> None:
        code, text = outcome("no-such-program", namespaces=namespaces)
        assert (code, text) == (127, "sandbox: no-such-program: No such file or directory\n")

    def test_processor_time_is_limited(self, namespaces: bool) -> None:
        code, _ = outcome("sh", "-c", "while :; do :; done", namespaces=namespaces, cpu_seconds=1)
        assert code == (128 + signal.SIGXCPU if namespaces else -signal.SIGXCPU)

    def test_a_signal_to_itself_ends_a_program(self, namespaces: bool) -> None:
        program = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV); print(7)"
        code, text = outcome(sys.executable, "-c", program, namespaces=namespaces)
        assert (code, text) == (128 + signal.SIGSEGV if namespaces else -signal.SIGSEGV, "")

    def test_limits_reach_children(self, namespaces: bool) -> None:
        script = "sh -c 'ulimit -v; ulimit -f; ulimit -c'"
        _, text = outcome("sh", "-c", script, namespaces=namespaces, memory_mb=512, file_mb=2)
        assert text.split() == [str(512 * 1024), str(2 * 2048), "0"]

    def test_no_core_is_left(self, namespaces: bool) -> None:
        """Also where the user's own shell permits them."""
        words = shlex.join(command("sh", "-c", "ulimit -c", namespaces=namespaces))
        raised = f'ulimit -S -c "$(ulimit -H -c)"; exec {words}'
        done = subprocess.run(["sh", "-c", raised], capture_output=True, text=True, check=False)
        assert done.stdout == "0\n"

    def test_a_lower_limit_that_is_in_force_stays(self, namespaces: bool) -> None:
        words = shlex.join(command("sh", "-c", "ulimit -v", namespaces=namespaces, memory_mb=4096))
        done = subprocess.run(
            ["sh", "-c", f"ulimit -v 700000; exec {words}"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.stdout, done.stderr, done.returncode) == ("700000\n", "", 0)


@needs_namespaces
def test_nothing_outlives_the_sandbox() -> None:
    """A process that detached itself goes with the sandbox, even one killed outright."""
    process = subprocess.Popen(
        command("sh", "-c", f"setsid {shlex.join(SLEEP)} & {shlex.join(SLEEP)}")
    )
    sleepers = _sleepers(2)
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(sleepers, timeout=10)
    assert alive == []


@needs_namespaces
def test_the_sandbox_dies_with_the_process_that_started_it() -> None:
    starter = f"{starts(*SLEEP)}; input()"
    process = subprocess.Popen([sys.executable, "-c", starter], stdin=subprocess.PIPE)
    sleepers = _sleepers(1)
    process.kill()
    process.wait()
    assert process.stdin is not None
    process.stdin.close()
    _, alive = psutil.wait_procs(sleepers, timeout=10)
    assert alive == []


@needs_namespaces
def test_a_sandbox_whose_starter_died_before_it_began_runs_nothing() -> None:
    starter = f"{starts(*SLEEP)}; import os; os._exit(0)"
    subprocess.run([sys.executable, "-c", starter], check=True)
    wait_until(lambda: not _running(lambda line: SLEEP[1] in " ".join(line)))


@needs_namespaces
def test_a_sandbox_that_gets_no_file_refuses() -> None:
    """It is not taken for a program that failed."""
    words = shlex.join(command("echo", "4.4"))
    done = subprocess.run(
        ["sh", "-c", f"ulimit -n 5; exec {words}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 125, done.stderr
    assert done.stderr.startswith("sandbox: namespaces refused: [Errno 24]")


@needs_namespaces
def test_an_ordinary_user_has_namespaces_too() -> None:
    """Without root the script takes a user namespace; where even that is refused it says so."""
    if os.getuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("needs root, to become an ordinary user")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        words = command("sh", "-c", "id -u; ls /proc | grep -c '^[0-9]'; ls /sys/class/net")
        words[0], words[2] = "/usr/bin/python3", shutil.copy(SANDBOX, folder)
        drop = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        done = subprocess.run([*drop, *words], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 125), done.stderr
    if done.returncode == 0:
        user, processes, *_ = done.stdout.split()
        assert (user, int(processes) < 10) == ("65534", True)


def test_without_namespaces_the_description_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wrappers.isolation.namespaces_work", lambda: False)
    said = describe(IsolationSettings())
    assert (said["network"], said["own_processes"]) == ("open: not permitted", False)
    assert describe(IsolationSettings(network=True))["network"] == "open"


@pytest.mark.parametrize("told", [True, False])
def test_what_a_process_was_told_of_namespaces_holds(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, told: bool
) -> None:
    monkeypatch.setattr(isolation, "_probe", lambda: told)
    config = make_plan("command", {"command": "true"}).worker_config(tmp_path)
    monkeypatch.setattr(isolation, "_probe", lambda: not told)
    monkeypatch.setattr(isolation, "_told", None)
    Job(config, Channel(io.StringIO()))
    assert isolation.namespaces_work() == told
    spec = json.loads(isolation.sandboxed(["true"], IsolationSettings())[3])
    assert spec["namespaces"] == told


@pytest.mark.parametrize(
    "outcome", [subprocess.CompletedProcess([], 125), OSError(), subprocess.TimeoutExpired([], 1)]
)
def test_a_probe_that_fails_finds_no_namespaces(
    monkeypatch: pytest.MonkeyPatch, outcome: object
) -> None:
    monkeypatch.setattr(subprocess, "run", Mock(side_effect=[outcome]))
    isolation._probe.cache_clear()
    assert isolation.namespaces_work() is False
    isolation._probe.cache_clear()


def test_only_named_variables_are_passed(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("MY_SETTING", "1")
    kept = clean_environment(IsolationSettings(pass_env=("MY_SETTING",)), tmp_path)
    assert kept["MY_SETTING"] == "1" and kept["HOME"] == str(tmp_path)
    assert "OPENAI_API_KEY" not in kept
    assert kept["PYTHONNOUSERSITE"] == "1"


def _sleepers(count: int) -> list[psutil.Process]:
    """The processes of this file that sleep, once there are as many as expected."""

    wait_until(lambda: len(_running(lambda line: line == SLEEP)) == count)
    return _running(lambda line: line == SLEEP)


def _running(chosen: Callable[[list[str]], bool]) -> list[psutil.Process]:
    """The running processes whose command line is chosen."""
    processes = psutil.process_iter(["cmdline"])
    return [process for process in processes if chosen(process.info["cmdline"] or [])]
