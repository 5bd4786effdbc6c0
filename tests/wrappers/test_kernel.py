"""The kernel: what cells return, and that no cell can hang, hide or harm the next one."""

from __future__ import annotations

import os
import queue
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from jupyter_client.blocking.client import BlockingKernelClient

from wrappers.isolation import namespaces_work
from wrappers.kernel import Kernel
from wrappers.output import MAX_OUTPUT
from wrappers.settings import IsolationSettings


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    yield from kernel_with(IsolationSettings(memory_mb=2048, file_mb=1), tmp_path_factory)


@pytest.fixture(scope="module")
def hasty_kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    yield from kernel_with(IsolationSettings(cell_seconds=1.0), tmp_path_factory)


def kernel_with(isolation: IsolationSettings, folders: pytest.TempPathFactory) -> Iterator[Kernel]:
    """A kernel that must leave no process behind."""
    before = set(psutil.Process().children(recursive=True))
    with tempfile.TemporaryDirectory(prefix="g") as scratch:
        kernel = Kernel(isolation, folders.mktemp("work"), Path(scratch))
        started = set(psutil.Process().children(recursive=True)) - before
        yield kernel
        kernel.close()
    _, alive = psutil.wait_procs(started, timeout=10)
    assert alive == []


@pytest.mark.parametrize(
    ("code", "output"),
    [
        ("print('a'); 2", "a\n2"),
        ("x = 3", ""),
        ("x + 1", "4"),
        ("print('\\x1b[31mred\\x1b[0m')", "red"),
        ("import sys; print('noise', file=sys.stderr); 5", "5"),
        ("import numpy as np; np.float64(0.2)", "np.float64(0.2)"),
        ("print('The mean is 4.4 \\ud800é'); print('n = 3')", "The mean is 4.4 ?é\nn = 3"),
        ("import sys; [path for path in sys.path if 'wrappers' in path]", "[]"),
        ("open('mine.py', 'w').close(); import mine", ""),
    ],
)
def test_cells_give_their_text(kernel: Kernel, code: str, output: str) -> None:
    result = kernel.run(code)
    assert (result.output, result.error) == (output, None)


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("print('before'); 1/0", "ZeroDivisionError: division by zero"),
        ("input('name?')", "StdinNotImplementedError"),
        ("b = bytearray(3 * 10**9)", "MemoryError"),
        ("open('big', 'wb').write(b'0' * (2 << 20))", "File too large"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("def broken(:", "SyntaxError"),
        ("%nope", "UsageError: Line magic function `%nope` not found."),  # told on stderr alone
        ("raise ExceptionGroup('several', [ValueError('bad')])", "| ValueError: bad"),
    ],
)
def test_failures_are_errors_with_their_traceback(kernel: Kernel, code: str, error: str) -> None:
    result = kernel.run(code)
    assert result.error is not None and error in result.error
    assert "\x1b" not in result.error
    assert kernel.run("40 + 2").output == "42"


@pytest.mark.parametrize(
    "cell",
    ["while True: pass", "import time\nwhile True: print('x', flush=True); time.sleep(0.02)"],
)
def test_a_cell_that_runs_too_long_is_interrupted(hasty_kernel: Kernel, cell: str) -> None:
    result = hasty_kernel.run(cell)
    assert result.error is not None and "KeyboardInterrupt" in result.error
    assert hasty_kernel.run("40 + 2").output == "42"


@pytest.mark.parametrize(
    "cell",
    [
        "while True: print('x' * 1000)",
        "import time\ntry: time.sleep(60)\nexcept KeyboardInterrupt: print('The mean is 4.4.')",
    ],
)
def test_a_cell_that_ran_too_long_has_failed(hasty_kernel: Kernel, cell: str) -> None:
    """Also if the interrupt hits the printing, so that no error is told of, or is caught."""
    result = hasty_kernel.run(cell)
    assert result.output
    assert result.error is not None
    assert result.error.startswith("CellTimeout") or "KeyboardInterrupt" in result.error
    after = hasty_kernel.run("40 + 2")
    assert (after.output, after.error) == ("42", None)


def test_a_cell_whose_end_is_read_late_has_not_failed(
    hasty_kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    arriving = BlockingKernelClient.get_iopub_msg

    def slow(client: BlockingKernelClient, *args: Any, **named: Any) -> dict[str, Any]:
        time.sleep(0.2)
        return arriving(client, *args, **named)

    monkeypatch.setattr(BlockingKernelClient, "get_iopub_msg", slow)
    result = hasty_kernel.run("for i in range(9): print(i, flush=True)")
    assert (result.output[-3:], result.error) == ("7\n8", None)


def test_a_dead_kernel_is_replaced(kernel: Kernel) -> None:
    kernel.run("y = 1")
    result = kernel.run("import os; os._exit(3)")
    assert result.error is not None and result.error.startswith("KernelDied")
    assert kernel.run("'y' in globals()").output == "False"


def test_a_cell_that_cannot_be_interrupted_costs_its_kernel(
    hasty_kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wrappers.kernel.GRACE_SECONDS", 0.5)
    stubborn = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
    result = hasty_kernel.run(stubborn)
    assert result.error is not None and result.error.startswith("CellTimeout")
    assert hasty_kernel.run("1").output == "1"


def test_a_replaced_kernel_has_no_time_limit_before_its_next_cell(
    hasty_kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also for callers that read on after the end of a cell."""
    monkeypatch.setattr("wrappers.kernel.GRACE_SECONDS", 0.0)
    hasty_kernel.run("import os; os._exit(3)")
    time.sleep(1.1)
    with pytest.raises(queue.Empty):
        hasty_kernel._client.get_iopub_msg(timeout=0.1)


def test_a_lost_end_does_not_hang_a_cell(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    """The broadcast that a cell has ended is dropped on its way, as a slow subscription does."""
    arriving = BlockingKernelClient.get_iopub_msg

    def lossy(client: BlockingKernelClient, *args: Any, **named: Any) -> dict[str, Any]:
        message = arriving(client, *args, **named)
        if message["content"].get("execution_state") == "idle":
            raise queue.Empty
        return message

    monkeypatch.setattr("wrappers.kernel.LOST_SECONDS", 0.1)
    monkeypatch.setattr(BlockingKernelClient, "get_iopub_msg", lossy)
    assert kernel.run("6 * 7").output == "42"


def test_much_output_neither_blocks_nor_floods(kernel: Kernel) -> None:
    result = kernel.run("import os; os.system('yes | head -c 300000'); print('n' * 300_000)")
    assert result.error is None
    assert MAX_OUTPUT < len(result.output) < MAX_OUTPUT + 100
    assert "characters left out" in result.output


def test_of_a_long_error_both_ends_are_kept(kernel: Kernel) -> None:
    error = kernel.run("raise ValueError(300_000 * 'n' + 'END')").error
    assert error is not None and len(error) < MAX_OUTPUT + 100
    assert "characters left out" in error and error.endswith("nEND")


def test_the_environment_holds_no_secret(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    kernel.run("import os; os._exit(0)")  # a new kernel, started with the key about
    assert "sk-secret" not in kernel.run("import os; dict(os.environ)").output
    assert kernel.run("os.environ['HOME'] == os.getcwd()").output == "True"


def test_other_processes_cannot_be_read(kernel: Kernel) -> None:
    if not namespaces_work():
        pytest.skip("this system permits no namespaces")
    seen = kernel.run("import os; [p for p in os.listdir('/proc') if p.isdigit()]").output
    assert str(os.getpid()) not in seen.strip("[]").replace("'", "").split(", ")
    assert kernel.run("os.getpid(), os.getppid()").output == "(2, 1)"


def test_background_processes_end_with_the_kernel(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="g") as scratch:
        kernel = Kernel(IsolationSettings(), tmp_path, Path(scratch))
        sleep = ["sleep", f"3601.{os.getpid()}"]  # of this test run only
        kernel.run(f"import subprocess; subprocess.Popen({sleep}, start_new_session=True)")
        kernel.close()
    lines = [process.info["cmdline"] for process in psutil.process_iter(["cmdline"])]
    assert sleep not in lines


@pytest.mark.parametrize("network", [False, True])
def test_the_network_is_off_unless_allowed(tmp_path: Path, network: bool) -> None:
    """A server of this machine answers the code only if the network is on."""
    if not network and not namespaces_work():
        pytest.skip("this system permits no namespaces")
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    code = (
        "import socket\n"
        f"try: print('open', socket.create_connection(('127.0.0.1', {port}), 2) is not None)\n"
        "except OSError as error: print('closed', error.strerror)"
    )
    with tempfile.TemporaryDirectory(prefix="g") as scratch, listener:
        kernel = Kernel(IsolationSettings(network=network), tmp_path, Path(scratch))
        answer = kernel.run(code).output
        kernel.close()
    assert answer.startswith("open" if network else "closed")
