"""A small programmer and inspector pair over any OpenAI-compatible model.

The programmer writes code, a kernel of the task's own runs it, and the programmer reads the
result; when the code fails, the inspector advises and the programmer tries again.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openai
from pydantic import Field

from grader.invisible import encodable
from grader.llm.completion import completion_in
from grader.llm.request import DEFAULT_SERVICE
from grader.records import Task

from ..agent import Surroundings, Turn
from ..kernel import Kernel
from ..model_server import PunctualClient, ServerSettings, failure
from ..replies import Replies

# As Markdown has it, no backtick stands in the line that opens a block.
CODE = re.compile(r"``` ?(?:python|py)[^\n`]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
# What a model thinks before it replies. Where its prompt ends in `<think>`, the reply lacks that.
REASONING = re.compile(
    r"\A(?:\s*<think>.*?(?:</think>|\Z)|.*?(?:^</think>|</think>$))", re.DOTALL | re.MULTILINE
)

Messages = list[dict[str, str]]


class Settings(ServerSettings):
    """max_rounds: cells that the programmer may run in one turn, and replies of it that may be cut
    off. shown_output: characters of a cell's output that the model sees."""

    temperature: float | None = None
    max_tokens: int | None = Field(default=None, ge=1)
    max_rounds: int = Field(default=4, ge=1)
    shown_output: int = Field(default=8000, ge=100)


def make(settings: Settings, surroundings: Surroundings) -> ChatAgent:
    settings.check_key()
    return ChatAgent(settings, surroundings)


def without_reasoning(reply: str) -> str:
    """What a model says once it has thought: the code in its thoughts is a draft."""
    return REASONING.sub("", reply)


class ChatAgent:
    """See `wrappers.agent.Agent`."""

    def __init__(self, settings: Settings, surroundings: Surroundings) -> None:
        self._settings = settings
        self._around = surroundings
        self._api = openai.OpenAI(
            base_url=settings.base_url or DEFAULT_SERVICE,
            api_key=settings.api_key,
            timeout=settings.request_timeout,
            http_client=PunctualClient(timeout=settings.request_timeout),
        )
        self._kernel: Kernel | None = None
        self._messages: Messages = []
        self._output: list[str] = []  # of the current turn
        self._bug: tuple[str, str] | None = None  # the failed code and its error
        self._replies = Replies(surroundings.requests, settings.request_timeout, settings.api_key)

    def start(self, task: Task, files: Sequence[Path], workspace: Path) -> None:
        self._kernel = Kernel(self._around.isolation, workspace, self._around.scratch)
        self._replies.begin_task()
        system = self._around.prompts.fill("chat_programmer", folder=str(workspace))
        self._messages = [{"role": "system", "content": system}]

    def send(self, instruction: str) -> Turn:
        self._begin_turn()
        return self._turn(instruction)

    def revise(self) -> Turn | None:
        if self._bug is None:
            return None
        code, error = self._bug
        self._begin_turn()
        error = self._shown(error)
        question = self._around.prompts.fill("chat_inspector", code=code, error=error)
        advice = without_reasoning(self._ask([{"role": "user", "content": question}]))
        return self._turn(
            self._around.prompts.fill("chat_revision", code=code, error=error, advice=advice)
        )

    def partial(self) -> str:
        return "\n".join(self._output)

    def reset(self) -> None:
        if self._kernel is not None:
            self._kernel.close()
            self._kernel = None
        self._messages = []

    def _begin_turn(self) -> None:
        self._output, self._bug = [], None
        self._replies.begin_turn()

    def _turn(self, instruction: str) -> Turn:
        """Let the programmer write and run cells until it replies without code, a cell fails, or
        the rounds are used up. A reply that was cut off uses a round up, and is asked for again."""
        assert self._kernel is not None
        message = instruction
        for _ in range(self._settings.max_rounds):
            code = self._reply(message)
            if code is None and self._replies.is_cut_off:
                self._output.pop()
                message = self._around.prompts.fill("chat_cut_off")
                continue
            if code is None:
                return self._replies.turn(self.partial(), instruction)
            cell = self._kernel.run(code)
            printed = "\n".join(filter(None, (cell.output, cell.error)))
            self._output.append(f"<pre>{html.escape(printed, quote=False)}</pre>")
            if cell.error is not None:
                self._bug = (code, printed)
                return self._replies.turn(self.partial(), instruction, failed=True)
            output = self._shown(cell.output) or "(nothing was printed)"
            message = self._around.prompts.fill("chat_result", output=output)
        self._reply(message)
        return self._replies.turn(self.partial(), instruction)

    def _reply(self, message: str) -> str | None:
        """Send a message to the programmer; the code of its reply, None if it holds none."""
        self._messages.append({"role": "user", "content": message})
        reply = self._ask(self._messages)
        self._messages.append({"role": "assistant", "content": reply})
        self._output.append(reply)
        return "\n".join(CODE.findall(without_reasoning(reply))) or None

    def _ask(self, messages: Messages) -> str:
        wanted = {
            "temperature": self._settings.temperature,
            "max_tokens": self._settings.max_tokens,
        }
        given: dict[str, Any] = {name: value for name, value in wanted.items() if value is not None}
        key = self._settings.api_key
        messages = [one | {"content": encodable(one["content"])} for one in messages]
        self._replies.asked()
        try:
            response = self._api.chat.completions.with_raw_response.create(
                model=self._settings.model,
                messages=messages,  # type: ignore[arg-type]
                **given,
            )
            data, text = completion_in(response.content, key)
        except (openai.APIError, ValueError) as error:
            raise failure(error, key, has_replied=self._replies.has_replied) from None
        self._replies.ended(data["choices"][0])
        return text

    def _shown(self, text: str) -> str:
        """The two ends of a long output, which the model sees."""
        limit = self._settings.shown_output
        if len(text) <= limit:
            return text
        return f"{text[: limit // 2]}\n[...]\n{text[-limit // 2 :]}"
