"""Code execution: an IPython kernel in the sandbox, reached over local sockets.

Unlike a plain client, the one below cannot hang: it waits until the kernel is ready, ignores
messages of earlier cells, refuses `input()`, and turns the death of the kernel, or a cell that
runs too long, into an ordinary error followed by the end of the cell.
"""

from __future__ import annotations

import logging
import queue
import sys
import time
import uuid
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager

from .execution import Execution, Message, collect, is_end
from .isolation import clean_environment, namespaces_work, sandboxed
from .settings import IsolationSettings

PROCESS = Path(__file__).with_name("kernel_process.py")
READY_SECONDS = 60.0
POLL_SECONDS = 0.25
LOST_SECONDS = 2.0  # between a cell's reply and giving up on the broadcast of its end
GRACE_SECONDS = 5.0  # between interrupting a cell that runs too long and killing its kernel
# In namespaces the sandbox ends a kernel whose parent died. A kernel that checks for itself would
# take its parent there, the first process, as a sign that it was orphaned.
UNWATCHED = "--IPKernelApp.parent_handle=0"

log = logging.getLogger("grader")


class GuardedClient(BlockingKernelClient):
    """A blocking client whose cells always end."""

    cell_seconds: float | None = None
    _cell = ""
    _deadline: float | None = None
    _reply: Message | None = None
    _replied_at: float | None = None
    _checked_at = 0.0
    _interrupted_at: datetime | None = None
    _has_failed = False
    _pending: deque[Message]

    def start_channels(self, *arguments: Any, **named: Any) -> None:
        super().start_channels(*arguments, **named)
        self._pending = deque()
        self.allow_stdin = False
        self._wait_until_heard()

    def execute(self, code: str, *arguments: Any, **named: Any) -> str:
        self._cell = super().execute(code, *arguments, **named)
        self._pending.clear()
        self._reply = self._replied_at = None
        self._interrupted_at, self._has_failed = None, False
        if self.cell_seconds is not None:
            self._deadline = time.monotonic() + self.cell_seconds
        return self._cell

    def get_iopub_msg(self, *_: Any, timeout: float | None = None, **__: Any) -> Message:
        """The current cell's next message. Raises `queue.Empty` after `timeout` seconds. One that
        ran too long has an error before its end, also if the interrupt hit its printing, of which
        IPython tells nothing, or was caught."""
        message = self._next_message(timeout)
        self._has_failed |= message["msg_type"] == "error"
        if is_end(message) and not self._has_failed and self._was_interrupted(message):
            self._has_failed = True
            self._pending.appendleft(message)
            return self._error("CellTimeout", self._too_long())
        return message

    def _next_message(self, timeout: float | None) -> Message:
        until = None if timeout is None else time.monotonic() + timeout
        while not self._pending:
            if self._is_overdue():  # also a cell that never stops printing
                self._check_kernel()
                continue
            try:
                message: Message = super().get_iopub_msg(timeout=POLL_SECONDS)
                if message["parent_header"].get("msg_id") == self._cell:
                    return message
            except queue.Empty:
                self._check_kernel()
                self._check_reply()
                if not self._pending and until is not None and time.monotonic() > until:
                    raise
        return self._pending.popleft()

    def _wait_until_heard(self) -> None:
        """Wait for the kernel, and until its broadcasts arrive: a subscription takes a moment, and
        a cell whose end is missed in that moment would never end. Raises `RuntimeError`."""
        self.wait_for_ready(timeout=READY_SECONDS)
        until = time.monotonic() + READY_SECONDS
        while time.monotonic() < until:
            asked = self.kernel_info()
            try:
                while super().get_iopub_msg(timeout=1.0)["parent_header"].get("msg_id") != asked:
                    continue
                return
            except queue.Empty:
                log.debug("the kernel is not heard yet")
        raise RuntimeError(f"the kernel was not heard within {READY_SECONDS:g} s")

    def _check_reply(self) -> None:
        """End the cell if the kernel has replied to it but the broadcast of its end was lost."""
        self._take_reply(timeout=0)
        if self._replied_at and time.monotonic() > self._replied_at + LOST_SECONDS:
            self._pending.append(self._synthetic("status", {"execution_state": "idle"}))

    def _take_reply(self, timeout: float) -> None:
        try:
            while self._reply is None:
                message: Message = self.get_shell_msg(timeout=timeout)
                if message["parent_header"].get("msg_id") == self._cell:
                    self._reply, self._replied_at = message, time.monotonic()
        except queue.Empty:
            return

    def unseen_error(self) -> str | None:
        """The name and text of the error that the current cell ended in, by its reply: of some, as
        `ExceptionGroup`, nothing is broadcast but their text on stderr. None if it did not."""
        self._take_reply(timeout=LOST_SECONDS)
        said = self._reply["content"] if self._reply else {}
        return f"{said['ename']}: {said['evalue']}" if said.get("status") == "error" else None

    def _is_overdue(self) -> bool:
        """Whether the cell runs too long, and that was not just acted on."""
        since = time.monotonic() - POLL_SECONDS
        return self._deadline is not None and since > max(self._deadline, self._checked_at)

    def _check_kernel(self) -> None:
        self._checked_at = time.monotonic()
        manager: Any = self.parent
        if not manager.is_alive():
            self._replace_kernel("KernelDied", "the kernel died (memory or CPU limit, or exit)")
        elif self._deadline is not None and time.monotonic() > self._deadline + GRACE_SECONDS:
            self._replace_kernel("CellTimeout", self._too_long())
        elif self._deadline is not None and time.monotonic() > self._deadline:
            self._interrupted_at = self._interrupted_at or datetime.now(UTC)
            manager.interrupt_kernel()

    def _was_interrupted(self, end: Message) -> bool:
        """Whether the cell still ran when it was interrupted: its end may be read later."""
        ended_at = end["header"].get("date")
        return self._interrupted_at is not None and (
            ended_at is None or self._interrupted_at < ended_at
        )

    def _too_long(self) -> str:
        return f"the cell ran over {self.cell_seconds:g} s"

    def _replace_kernel(self, name: str, reason: str) -> None:
        """Start a new kernel behind the same sockets and end the cell with an error."""
        self._deadline = None
        manager: Any = self.parent
        manager.restart_kernel(now=True)
        self._wait_until_heard()
        lost = "; a new kernel was started, all variables are lost"
        self._pending.append(self._error(name, reason, lost))
        self._pending.append(self._synthetic("status", {"execution_state": "idle"}))

    def _error(self, name: str, reason: str, more: str = "") -> Message:
        traceback = [f"{name}: {reason}{more}"]
        error = {"ename": name, "evalue": reason, "traceback": traceback}
        return self._synthetic("error", error)

    def _synthetic(self, kind: str, content: dict[str, Any]) -> Message:
        return {
            "msg_type": kind,
            "header": {"msg_type": kind},
            "parent_header": {"msg_id": self._cell},
            "content": content,
        }


class IsolatedKernelManager(KernelManager):
    """Starts kernels in the sandbox. Messages go over local sockets in a private folder, so
    that they pass into a process without a network."""

    isolation: IsolationSettings
    workspace: Path

    @property
    def kernel_spec(self) -> KernelSpec:
        command = [sys.executable, "-P", str(PROCESS), "-f", "{connection_file}"]
        if namespaces_work():
            command.append(UNWATCHED)
        return KernelSpec(argv=sandboxed(command, self.isolation), language="python")

    def start_kernel(self, **named: Any) -> None:
        """Start in the workspace with a clean environment. The caller's streams and environment are
        ignored (an unread pipe would block a talkative cell)."""
        kept = {name: named[name] for name in named if name not in ("env", "stdout", "stderr")}
        environment = clean_environment(self.isolation, self.workspace)
        scratch = Path(self.connection_file).parent
        environment |= {"MPLCONFIGDIR": str(scratch), "IPYTHONDIR": str(scratch / "ipython")}
        kept |= {"cwd": str(self.workspace), "stdout": DEVNULL, "stderr": DEVNULL}
        super().start_kernel(env=environment, **kept)

    def client(self, **named: Any) -> Any:
        client: Any = super().client(**named)
        client.cell_seconds = self.isolation.cell_seconds
        return client

    blocking_client = client  # the other name by which callers ask for one


def make_manager(
    isolation: IsolationSettings, workspace: Path, scratch: Path
) -> IsolatedKernelManager:
    """A manager for one kernel. `scratch` holds its sockets, so keep that path short (a socket's
    path has at most 107 bytes); code runs in `workspace`."""
    manager = IsolatedKernelManager(
        connection_file=str(scratch / f"k{uuid.uuid4().hex[:8]}.json"),
        transport="ipc",
        client_factory=GuardedClient,
    )
    manager.isolation, manager.workspace = isolation, workspace
    return manager


class Kernel:
    """One kernel and its one conversation."""

    def __init__(self, isolation: IsolationSettings, workspace: Path, scratch: Path) -> None:
        self._manager = make_manager(isolation, workspace, scratch)
        self._manager.start_kernel()
        self._client = self._manager.client()
        try:
            self._client.start_channels()
        except RuntimeError:
            self.close()
            raise

    def run(self, code: str) -> Execution:
        """Run a cell to its end and collect what it printed and returned."""
        self._client.execute(code)
        cell = collect(self._messages())
        if cell.error is None and (error := self._client.unseen_error()):
            return replace(cell, error=cell.complaints.strip("\n") or error)
        return cell

    def _messages(self) -> Iterator[Message]:
        """The messages of the current cell, to its end."""
        while True:
            message: Message = self._client.get_iopub_msg()
            yield message
            if is_end(message):
                return

    def close(self) -> None:
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=True)
        self._manager.cleanup_resources()
