"""The model server of an agent: its settings, and the errors of failed requests."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Annotated, Any

import httpx2  # what the openai client is built on
import openai
from openai.types.chat import ChatCompletion
from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from grader.errors import UserError
from grader.llm.completion import completion_in, holds_key, is_too_long, redacted
from grader.llm.request import DEFAULT_KEY_VARIABLE, NO_KEY, server_url, variable_name
from grader.settings import StageSettings

from .agent import AgentUnavailable, TaskUnsuitable
from .replies import Replies
from .settings import MOST_SECONDS

LONGEST = 300  # characters of what a server said


class ServerSettings(StageSettings):
    """Address, key and time limit of a model server.

    model, base_url: an OpenAI-compatible endpoint; an empty base_url means
    OPENAI_BASE_URL, else OpenAI's service. key_variable: the environment
    variable that holds the key. request_timeout: seconds per request; of a streamed reply, for each
    part of it."""

    model: str
    key_variable: Annotated[str, AfterValidator(variable_name)] = DEFAULT_KEY_VARIABLE
    base_url: str = Field(default="", validate_default=True)
    request_timeout: float = Field(default=120.0, gt=0, le=MOST_SECONDS)

    @field_validator("base_url")
    @classmethod
    def _resolved(cls, url: str, others: ValidationInfo) -> str:
        try:
            url = server_url(url, os.environ)
        except UserError as error:
            raise ValueError(str(error)) from None
        variable = others.data.get("key_variable", "")
        key = os.environ.get(variable, "")
        if holds_key(url, key):
            raise ValueError(f"must not hold the key that is in {variable}, for it is recorded")
        return url

    def check_key(self) -> None:
        """Raise `UserError` if the library's default service would be asked without a key."""
        if not self.base_url and self.api_key == NO_KEY:
            raise UserError(
                f"no key: set {self.key_variable}, or name a server of your own (--base-url)"
            )

    @property
    def api_key(self) -> str:
        """The key. It must not reach any record, or any place that the agent's code can read."""
        return os.environ.get(self.key_variable) or NO_KEY


class ConversationTooLong(Exception):
    """The conversation has outgrown what the model can read: the agent's own failure."""


def failure(
    error: Exception, key: str, *, has_replied: bool
) -> AgentUnavailable | ConversationTooLong:
    """The exception for a failed request, in the server's words without the key. has_replied:
    whether the model has replied in this task; before that, a request that is too long is not the
    agent's own failure."""
    if not isinstance(error, openai.APIError):
        said = redacted(str(error), key)
        return AgentUnavailable(f"the model's server sent no chat completion: {_short(said)}")
    said = error.body if isinstance(error.body, str) else error.message
    if isinstance(error, openai.APIConnectionError):
        said += f" ({error.request.url})"
        return AgentUnavailable(f"the model is out of reach: {_short(redacted(said, key))}")
    status = ""
    if isinstance(error, openai.APIStatusError):
        status = f"HTTP {error.status_code}"
        said = said.removeprefix(f"Error code: {error.status_code}").removeprefix(" - ")
    reason = ": ".join(filter(None, (status, _short(redacted(said, key)))))
    is_busy = isinstance(error, openai.RateLimitError)
    if not is_busy and is_too_long(error.code, said):
        return ConversationTooLong(reason) if has_replied else TaskUnsuitable(_refused(reason))
    return AgentUnavailable(_refused(reason))


class PunctualClient(openai.DefaultHttpxClient):
    """Limits a whole reply to the time that a read may take, so that one that comes bit by bit is
    given up too (unless it is streamed, which is to come so). The limit is looked at whenever
    something comes: with a last silence, such a reply may take nearly twice as long."""

    def send(self, request: httpx2.Request, *, stream: bool = False, **named: Any) -> Any:
        until = time.monotonic() + (self.timeout.read or math.inf)
        response = super().send(request, stream=True, **named)
        if stream:
            return response
        try:
            response.stream = _Until(until, response.stream)
            response.read()
        except BaseException:
            response.close()
            raise
        return response


class _Until(httpx2.SyncByteStream):
    """A stream that raises `ReadTimeout` for what comes too late."""

    def __init__(self, until: float, stream: Any) -> None:
        self._until, self._stream = until, stream

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            if time.monotonic() > self._until:
                raise httpx2.ReadTimeout("the reply is not complete in time")
            yield chunk

    def close(self) -> None:
        self._stream.close()


class WatchedClient:
    """Replaces an `openai` client in code that ignores failed requests and replies that are no chat
    completion. It keeps the last `failure` of a task, and removes the key from errors, which such
    code prints."""

    def __init__(self, client: openai.OpenAI, replies: Replies) -> None:
        self._client, self._replies = client, replies
        self.chat = SimpleNamespace(completions=self)
        self.begin_task()

    def begin_task(self) -> None:
        self.failure: AgentUnavailable | ConversationTooLong | None = None
        self._replies.begin_task()

    def create(self, **parameters: Any) -> Any:
        self._replies.asked()
        with self._watching():
            if parameters.get("stream"):
                return self._chunks(self._client.chat.completions.create(**parameters))
            answer = self._client.chat.completions.with_raw_response.create(**parameters)
            data, _ = completion_in(answer.content, self._client.api_key)
            self._replies.ended(data["choices"][0])
            return ChatCompletion.construct(**data)

    def _chunks(self, stream: Any) -> Iterator[Any]:
        """The chunks that are not empty. A stream is complete if it has a `finish_reason`."""
        with self._watching():
            finish_reason, said, refused = None, "", ""
            for chunk in stream:
                self._replies.begun()
                choices = chunk.choices or []
                for choice in choices:
                    finish_reason = choice.finish_reason or finish_reason
                    said += (choice.delta and choice.delta.content) or ""
                    refused += (choice.delta and choice.delta.refusal) or ""
                if any(choice.delta for choice in choices):
                    yield chunk
            if finish_reason is None:
                raise ValueError("its stream ended without a finish_reason")
            message = {"content": said, "refusal": refused}
            self._replies.ended({"finish_reason": finish_reason, "message": message})

    @contextmanager
    def _watching(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever a server's reply can lead to
            key = self._client.api_key
            self.failure = failure(error, key, has_replied=self._replies.has_replied)
            raise self.failure from None


def _refused(reason: str) -> str:
    return f"the model refused: {reason}"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"
