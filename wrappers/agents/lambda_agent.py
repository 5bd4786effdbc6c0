"""The real LAMBDA (Sun et al. 2026), in-process: its own agents and workflow, without its UI.

LAMBDA's code is neither changed nor copied. Two modules that it imports but does not need here
(its web UI toolkit, its knowledge base) are replaced by empty stand-ins, and its kernels are
started in the sandbox. LAMBDA's one workflow generator runs both the first attempt and the
repairs; it is paused where a repair begins, so that each attempt becomes a step of its own.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Generator, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import jupyter_client
from pydantic import Field, field_validator

from grader.errors import UserError
from grader.llm.completion import redacted
from grader.llm.request import DEFAULT_SERVICE, NO_KEY
from grader.records import Task
from grader.text.formats import LAMBDA_PROGRAM_ERROR, LAMBDA_REPAIR

from ..agent import Surroundings, Turn
from ..execution import plain_traceback
from ..kernel import make_manager
from ..model_server import ServerSettings, WatchedClient
from ..replies import Replies

HOME_VARIABLE = "LAMBDA_HOME"
REPAIR_BANNER = re.compile(rf"⭕ {LAMBDA_REPAIR}, attempts: \d+\.+\n")
PROGRAM_ERROR = f"\n{LAMBDA_PROGRAM_ERROR}"

Chat = list[list[str | None]]


class Settings(ServerSettings):
    """home: LAMBDA's folder (else the one named by LAMBDA_HOME, else an installed copy).
    inspector_model: its name at the endpoint (None = the same model).
    as_in_paper: after the first task leave LAMBDA's state as its own reset leaves it (system
    prompt unformatted, nothing imported beforehand), as the published runs had it."""

    home: Path | None = Field(
        default_factory=lambda: os.environ.get(HOME_VARIABLE) or None, validate_default=True
    )
    inspector_model: str | None = None
    as_in_paper: bool = False

    @field_validator("home")
    @classmethod
    def _in_full(cls, home: Path | None) -> Path | None:
        """The full path, so that a run continues whichever way the folder is named."""
        return home and home.resolve()


def make(settings: Settings, surroundings: Surroundings) -> LambdaAgent:
    agent = LambdaAgent(settings, surroundings)
    settings.check_key()
    return agent


class LambdaAgent:
    """See `wrappers.agent.Agent`."""

    def __init__(self, settings: Settings, surroundings: Surroundings) -> None:
        self._settings = settings
        self._around = surroundings
        self._module = import_lambda(settings.home)
        self._sessions = surroundings.scratch / "lambda"
        self._lambda: Any = None
        self._chat: Chat = []
        self._flow: Generator[Chat, None, str | None] | None = None
        self._client: WatchedClient | None = None
        self._replies = Replies(surroundings.requests, settings.request_timeout, settings.api_key)

    def start(self, task: Task, files: Sequence[Path], workspace: Path) -> None:
        self._chat = []
        if self._lambda is None:
            self._lambda = self._construct()
        else:
            self._lambda.clear_all("", [])
            self._restore()
        if self._client is not None:
            self._client.begin_task()
        for path in files:
            self._lambda.add_file(SimpleNamespace(name=str(path)))

    def send(self, instruction: str) -> Turn:
        _, self._chat = self._lambda.chat_streaming(instruction, self._chat, code=None)
        self._flow = self._lambda.conv.stream_workflow(self._chat, code=None)
        return self._advance(instruction)

    def revise(self) -> Turn | None:
        if self._flow is None:
            return None
        return self._advance(None)

    def partial(self) -> str:
        text = (self._chat[-1][1] or "") if self._chat else ""
        return redacted(text, self._settings.api_key)

    def reset(self) -> None:
        """Stop the kernel; the session's files and messages go when the next task starts."""
        self._flow = None
        if self._lambda is None:
            return
        kernel = self._lambda.conv.kernel
        kernel.kernel.stop_channels()
        kernel.kernel_manager.shutdown_kernel(now=True)
        kernel.kernel_manager.cleanup_resources()
        self._lambda.conv.kernel = SimpleNamespace(shutdown=lambda: None)

    def _advance(self, instruction: str | None) -> Turn:
        """Continue the workflow until it ends or begins a repair. If `instruction` is None,
        LAMBDA's own message to its programmer is recorded."""
        assert self._flow is not None
        self._replies.begin_turn()
        messages = self._lambda.conv.programmer.messages
        before = len(messages)
        text = self.partial()
        failed = False
        while True:
            try:
                next(self._flow)
            except StopIteration as end:
                failed = end.value is not None
                self._flow = None
                break
            now = self.partial()
            if REPAIR_BANNER.fullmatch(now):
                failed = True
                break
            text = now
        self._raise_failure()
        if instruction is None:
            told = (m["content"] for m in messages[before:] if m["role"] == "user")
            instruction = redacted(next(told, ""), self._settings.api_key)
        notes: dict[str, Any] = {"traceback": self._last_error()} if failed else {}
        if text.endswith(PROGRAM_ERROR):
            notes["program_error"] = True
            text = text.removesuffix(PROGRAM_ERROR)
        return self._replies.turn(text, instruction, failed=failed, **notes)

    def _raise_failure(self) -> None:
        """Raise a failed request: LAMBDA prints it and goes on as if the model had said nothing."""
        if self._client is not None and self._client.failure is not None:
            failure, self._client.failure = self._client.failure, None
            raise failure

    def _last_error(self) -> str:
        cells = self._lambda.conv.kernel.nb["cells"]
        errors = [out for out in cells[-1]["outputs"] if out["output_type"] == "error"]
        return plain_traceback(errors[-1]["traceback"]) if errors else ""

    # -- LAMBDA's own state --------------------------------------------------------------

    def _construct(self) -> Any:
        config = self._around.scratch / "lambda.yaml"
        config.write_text(self._configuration(), encoding="utf-8")
        self._sessions.mkdir(exist_ok=True)
        os.chdir(self._around.scratch)  # LAMBDA writes a config.yaml where it is started,
        os.environ["JUPYTER_DATA_DIR"] = str(self._around.scratch)  # and installs a kernel here
        setattr(jupyter_client, "KernelManager", self._kernel_manager)  # noqa: B010
        lam = self._module.LAMBDA(config_path=str(config))
        conversation = lam.conv
        self._client = WatchedClient(
            conversation.programmer.client.with_options(
                api_key=self._settings.api_key, timeout=self._settings.request_timeout
            ),
            self._replies,
        )
        conversation.programmer.client = conversation.inspector.client = self._client
        return lam

    def _configuration(self) -> str:
        """LAMBDA's settings file, as JSON, which is also YAML. It omits the key, because the
        agent's code can read the file; only the clients get the key. LAMBDA may repair once more
        than the wrapper asks it to: after its last repair it gives code that printed nothing up as
        failed."""
        settings = self._settings
        url = settings.base_url or DEFAULT_SERVICE
        return json.dumps(
            {
                "conv_model": settings.model,
                "programmer_model": settings.model,
                "inspector_model": settings.inspector_model or settings.model,
                "api_key": NO_KEY,
                "base_url_conv_model": url,
                "base_url_programmer": url,
                "base_url_inspector": url,
                "project_cache_path": str(self._sessions),
                "max_attempts": self._around.loop.max_revisions + 1,
                "max_exe_time": 1,
                "load_chat": False,
                "retrieval": False,
            }
        )

    def _kernel_manager(self, **_: Any) -> Any:
        """Stands in for `jupyter_client.KernelManager`: the same, but sandboxed."""
        session = max(self._sessions.iterdir(), key=lambda path: path.stat().st_mtime)
        return make_manager(self._around.isolation, session, self._around.scratch)

    def _restore(self) -> None:
        """Restore the state of a first task, which LAMBDA's own reset does not."""
        if self._settings.as_in_paper:
            return
        conversation = self._lambda.conv
        prompts = import_module("prompt_engineering.prompts")
        conversation.programmer.messages[0]["content"] = prompts.PROGRAMMER_PROMPT.format(
            working_path=self._lambda.session_cache_path
        )
        conversation.run_code(prompts.IMPORT)
        conversation.error_count = conversation.repair_count = 0
        conversation.file_list.clear()
        conversation.figure_list.clear()


def import_lambda(home: Path | None) -> ModuleType:
    """LAMBDA's main module. Raises `UserError` if it is not in `home` or cannot be imported."""
    if home is not None:
        if not (home / "LAMBDA.py").is_file():
            raise UserError(f"{home}: no LAMBDA.py there. Give LAMBDA's folder by --lambda-home")
        sys.path.insert(0, str(home))
    for name, content in (("gradio", {}), ("knw_in", {"retrieval_knowledge": None})):
        stand_in = ModuleType(name)
        stand_in.__dict__.update(content)
        sys.modules[name] = stand_in
    try:
        module = import_module("LAMBDA")
        if not hasattr(module, "LAMBDA"):
            raise ImportError("of that name the import path holds a folder or another module only")
        return module
    except ImportError as error:
        raise UserError(
            f"cannot import LAMBDA: {error}. Give its folder by --lambda-home (or {HOME_VARIABLE}) "
            "and install what it needs: pip install 'grading-cascade[lambda]'"
        ) from error
