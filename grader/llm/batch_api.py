"""OpenAI's Batch API over HTTP: files of requests in, files of replies out, within a day.

Every way in which the service can fail ends as a `Fault`, as in `client`.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import openai

from .client import Client, Fault
from .request import ChatRequest, Reply

ENDPOINT: Final = "/v1/chat/completions"
WINDOW: Final = "24h"
RUNNING = frozenset({"validating", "in_progress", "finalizing", "cancelling"})
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class BatchState:
    """A batch as the service describes it. `status` is one of its words; `files` hold replies
    and errors once it has ended; `problem` says why it failed as a whole."""

    batch_id: str
    status: str
    files: tuple[str, ...] = ()
    problem: str = ""

    @property
    def has_ended(self) -> bool:
        return self.status not in RUNNING


class BatchApi:
    """Speaks to one endpoint, through its client's connection and with its reading of replies."""

    def __init__(self, client: Client) -> None:
        self._client, self._api = client, client.api

    async def upload(self, requests: Iterable[ChatRequest]) -> str | Fault:
        """Upload requests as one file; returns the file's id."""
        lines = (json.dumps(self._line(request)) + "\n" for request in requests)
        content = "".join(lines).encode("ascii")

        async def send() -> str:
            name = ("requests.jsonl", content, "application/jsonl")
            return (await self._api.files.create(file=name, purpose="batch")).id

        return await self._safely(send)

    async def create(self, file_id: str) -> BatchState | Fault:
        """Start a batch of an uploaded file."""

        async def send() -> BatchState:
            return _state(
                await self._api.batches.create(
                    input_file_id=file_id, endpoint=ENDPOINT, completion_window=WINDOW
                )
            )

        return await self._safely(send)

    async def find(self, file_id: str) -> BatchState | Fault | None:
        """The batch that was started of a file, None if there is none among the last hundred."""

        async def send() -> BatchState | None:
            page = await self._api.batches.list(limit=100)
            return next((_state(b) for b in page.data if b.input_file_id == file_id), None)

        return await self._safely(send)

    async def look(self, batch_id: str) -> BatchState | Fault:
        """How far a batch is."""

        async def send() -> BatchState:
            return _state(await self._api.batches.retrieve(batch_id))

        return await self._safely(send)

    async def results(self, state: BatchState) -> dict[str, Reply | Fault] | Fault:
        """What became of each request of a batch that has ended, by request key."""

        async def send() -> bytes:
            parts = [(await self._api.files.content(file)).content for file in state.files]
            return b"\n".join(parts)

        content = await self._safely(send)
        return content if isinstance(content, Fault) else dict(self._read(content))

    def _line(self, request: ChatRequest) -> dict[str, Any]:
        return {
            "custom_id": request.key,
            "method": "POST",
            "url": ENDPOINT,
            "body": self._client.body(request),
        }

    def _read(self, content: bytes) -> Iterator[tuple[str, Reply | Fault]]:
        for line in content.splitlines():
            try:
                record = json.loads(line)
                key, response = record["custom_id"], record.get("response") or {}
                status, body = response.get("status_code"), response.get("body")
                error = record.get("error") or (body or {}).get("error") or {}
            except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
                continue  # its request stays without a reply, which is reported
            if not isinstance(key, str):
                continue
            if status == 200:
                yield key, self._client.read(json.dumps(body).encode(), None)
            elif isinstance(status, int):
                code, param = error.get("code"), error.get("param")
                text = str(error.get("message") or body)
                yield key, self._client.status_fault(status, text, code, param, {})
            else:  # never run: expired or cancelled
                yield key, Fault("timeout", str(error.get("message") or error), retryable=True)

    async def _safely(self, send: Callable[[], Awaitable[Answer]]) -> Answer | Fault:
        try:
            return await send()
        except openai.OpenAIError as error:
            return self._client.fault_of(error)
        except (ValueError, AttributeError, TypeError) as error:  # not JSON, or not of this form
            return Fault("malformed", f"{type(error).__name__}: {error}", retryable=True)


def _state(batch: Any) -> BatchState:
    files = tuple(f for f in (batch.output_file_id, batch.error_file_id) if f)
    errors = batch.errors.data if batch.errors and batch.errors.data else []
    return BatchState(batch.id, batch.status, files, "; ".join(e.message or "" for e in errors))
