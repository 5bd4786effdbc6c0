"""One attempt at one request over HTTP, with the official `openai` client.

Every fault of a server becomes a `Fault` that says whether trying again can help. Nothing that the
server sends raises past this file, and no key leaves it.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import httpx2  # what the openai client is built on
import openai

from .completion import (
    LONGEST_MESSAGE,
    breakdown_in,
    completion_in,
    excerpt,
    is_too_large,
    is_too_long,
    redacted,
    refusal_in,
    retry_after,
    same_model,
    served_model,
)
from .request import (
    DEFAULT_SERVICE,
    NO_KEY,
    REASONING_ROOM,
    ChatRequest,
    Endpoint,
    FailureKind,
    Reply,
    fewest_tokens,
)

_MOST_TOKENS = 10**12  # a count above it is no count
_SHORTEST_CUT = 1000  # tokens of a prompt; every model in use can read more


@dataclass(frozen=True)
class Fault:
    """A failed attempt. `retry_after` in seconds if the server named a time; `fatal` means
    that every further request to this endpoint would fail the same way, `may_recur` that it may;
    `is_billed` that the model may have done, and the server billed, the work; `is_adapted` that the
    model refused a parameter, which the next attempt leaves out."""

    kind: FailureKind
    detail: str
    retryable: bool = False
    retry_after: float | None = None
    fatal: bool = False
    may_recur: bool = False
    is_billed: bool = False
    is_adapted: bool = False

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}"


UNSUPPORTED = re.compile(
    r"unsupported|not support|only the default|does not accept|unrecognized|unknown param", re.I
)
ADAPTABLE = ("max_tokens", "temperature")
# What stops a request before the server has it.
NOT_SENT = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.UnsupportedProtocol,
)


class Client:
    """Speaks to one endpoint."""

    def __init__(
        self,
        endpoint: Endpoint,
        api_key: str | None,
        timeout: float,
        accept_served_model: bool = False,
    ) -> None:
        self._endpoint = endpoint
        self._secret = api_key or ""
        self._timeout = timeout
        self._accept_served_model = accept_served_model
        self._refused: set[str] = set()
        self.api = openai.AsyncOpenAI(
            api_key=api_key or NO_KEY,
            base_url=endpoint.base_url or DEFAULT_SERVICE,
            timeout=timeout,
            max_retries=0,
        )

    async def send(self, body: Mapping[str, Any]) -> Reply | Fault:
        """The result of one attempt at posting the body of a request. The time limit covers the
        whole attempt, not each read."""
        started = time.monotonic()
        try:
            async with asyncio.timeout(self._timeout):
                response = await self.api.post(
                    "/chat/completions", cast_to=httpx2.Response, body=body
                )
        except TimeoutError:
            return self._timed_out()
        except Exception as error:  # noqa: BLE001 - the library lets some answers raise anything
            return self.fault_of(error)
        reply = self.read(response.content, round(time.monotonic() - started, 4))
        if isinstance(reply, Reply):
            if (cut := _cut_prompt(reply, body)) is not None:
                return cut
            sent = {name: body[name] for name in body if name not in ("model", "messages")}
            return replace(reply, parameters=sent)
        return reply

    async def close(self) -> None:
        await self.api.close()

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """The body to post for a request, without the parameters that the model has refused. The
        client's typed `create` would build the same, but more slowly than all the rest of a
        call."""
        parameters = request.parameters
        if "temperature" in self._refused:
            del parameters["temperature"]
        if "max_tokens" in self._refused:
            room = max(parameters.pop("max_tokens"), REASONING_ROOM)
            parameters["max_completion_tokens"] = room
        return {
            "model": request.endpoint.model,
            "messages": [{"role": role, "content": text} for role, text in request.messages],
            **parameters,
        }

    def fault_of(self, error: Exception) -> Fault:
        """The fault that an exception raised in the client library means."""
        if isinstance(error, openai.APITimeoutError):
            return self._timed_out()
        if isinstance(error, openai.APIStatusError):
            stated = error.body.get("message") if isinstance(error.body, dict) else None
            text = str(stated or excerpt(error.response.content, self._secret))
            headers = error.response.headers
            return self.status_fault(error.status_code, text, error.code, error.param, headers)
        if isinstance(error, openai.APIConnectionError):
            cause = error.__cause__ or error
            detail = self.redact(f"{type(cause).__name__}: {cause}")
            is_sent = not isinstance(cause, NOT_SENT)
            return Fault("unreachable", detail, retryable=True, is_billed=is_sent)
        detail = self.redact(f"{type(error).__name__}: {error}")[:LONGEST_MESSAGE]
        return Fault("malformed", detail, retryable=True, is_billed=True)

    def status_fault(
        self, status: int, message: str, code: str | None, param: str | None, headers: Any
    ) -> Fault:
        """The fault that a response with another status than 200 means."""
        text = self.redact(message)
        detail = f"HTTP {status}: {text[:LONGEST_MESSAGE]}"
        if status == 413 or is_too_large(text):
            return Fault("too_long", detail)
        if status == 429:
            exhausted = code == "insufficient_quota"
            return Fault(
                "rate_limited",
                detail,
                retryable=not exhausted,
                retry_after=retry_after(headers),
                fatal=exhausted,
            )
        if status in (408, 409) or status >= 500:
            return Fault("server_error", detail, retryable=True, retry_after=retry_after(headers))
        if status in (401, 404, 405):
            return Fault("rejected", detail, fatal=True)
        # No money, or too little for this text; a key without rights, or a filter of this text.
        if status in (402, 403):
            return Fault("rejected", detail, may_recur=True)
        if is_too_long(code, text):
            return Fault("too_long", detail)
        is_adapted = self._adapt(param, text)
        return Fault("rejected", detail, retryable=is_adapted, is_adapted=is_adapted)

    def _timed_out(self) -> Fault:
        detail = f"no reply within {self._timeout:g} s"
        return Fault("timeout", detail, retryable=True, is_billed=True)

    def _adapt(self, param: str | None, text: str) -> bool:
        """Leave out, from now on, a parameter that the model refuses; True if it names one.
        Requests sent with it are then worth another try, including those on their way."""
        is_refusal = UNSUPPORTED.search(text)
        refused = {n for n in ADAPTABLE if param == n or (is_refusal and n in text)}
        self._refused |= refused
        return bool(refused)

    def read(self, body: bytes, latency: float | None) -> Reply | Fault:
        """The reply in the body of a response with status 200, or what is wrong with it."""
        try:
            data, text = completion_in(body, self._secret)
        except ValueError as error:
            return Fault("malformed", str(error), retryable=True, is_billed=True)
        served = self.redact(served_model(data))[:LONGEST_MESSAGE]
        if not (self._accept_served_model or same_model(self._endpoint.model, served)):
            return Fault(
                "wrong_model",
                f"asked for {self._endpoint.model!r}, {served!r} answered; if that is the same "
                "model under another name, use --accept-served-model",
                fatal=True,
                is_billed=True,
            )
        choice = data["choices"][0]
        if (breakdown := breakdown_in(choice, self._secret)) is not None:
            return Fault("server_error", breakdown, retryable=True, is_billed=True)
        if (refusal := refusal_in(choice, self._secret)) is not None:
            return Fault("rejected", refusal, is_billed=True)
        usage = data.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        return Reply(
            text=text,
            finish_reason=choice.get("finish_reason") or "",
            served_model=served,
            prompt_tokens=_count(usage.get("prompt_tokens")),
            completion_tokens=_count(usage.get("completion_tokens")),
            latency=latency,
        )

    def redact(self, text: str) -> str:
        """A text from the server, made storable: valid Unicode, and without the key."""
        return redacted(text, self._secret)


def _cut_prompt(reply: Reply, body: Mapping[str, Any]) -> Fault | None:
    """The fault of a server that silently cut a prompt to its context, by its own count of tokens;
    None if it may have read all, or does not say."""
    fewest = sum(fewest_tokens(message["content"]) for message in body["messages"])
    if not reply.prompt_tokens or reply.prompt_tokens >= fewest or fewest < _SHORTEST_CUT:
        return None
    return Fault(
        "too_long",
        f"by its own count the server read {reply.prompt_tokens} tokens of a prompt of {fewest} or "
        "more; give it a longer context (Ollama: OLLAMA_CONTEXT_LENGTH), or here the one it has "
        "(--context-tokens)",
        is_billed=True,
    )


def _count(value: object) -> int | None:
    """A count of tokens; None for what is none."""
    return value if isinstance(value, int) and 0 <= value <= _MOST_TOKENS else None
