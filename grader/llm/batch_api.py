"""OpenAI's Batch API over HTTP: files of requests in, files of replies out, within a day.

Every way in which the service can fail ends as a `Fault`, as in `client`.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import openai

from .client import Client, Fault
from .request import ChatRequest, Reply

log = logging.getLogger("grader")
ENDPOINT: Final = "/v1/chat/completions"
WINDOW: Final = "24h"
ENDED = frozenset({"completed", "failed", "expired", "cancelled"})  # any other status is running
_QUEUE_FULL = "token_limit_exceeded"  # by all batches that wait at the service
_CANCELLED = "batch_cancelled"  # by somebody, who does not want it started again
_MOST_PAGES = 200  # of a hundred batches each
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class BatchState:
    """A batch as the service describes it. `status` is the service's word; `files` hold replies and
    errors once it has ended; `problem` says why it failed as a whole; `is_for_now`, that it may be
    taken once others have ended."""

    batch_id: str
    status: str
    files: tuple[str, ...] = ()
    problem: str = ""
    is_for_now: bool = False

    @property
    def has_ended(self) -> bool:
        return self.status in ENDED


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
            return _id(await self._api.files.create(file=name, purpose="batch"))

        return await self._safely(send)

    async def create(self, file_id: str) -> BatchState | Fault:
        """Start a batch of an uploaded file."""

        async def send() -> BatchState:
            return self._state(
                await self._api.batches.create(
                    input_file_id=file_id, endpoint=ENDPOINT, completion_window=WINDOW
                )
            )

        return await self._safely(send)

    async def find_or_create(self, file_id: str) -> BatchState | Fault:
        """The batch of an uploaded file, started unless the service has it already: the answer to
        an earlier attempt may have been lost. Services need not list batches."""
        found = await self.find(file_id)
        if found is None or (isinstance(found, Fault) and not found.retryable):
            return await self.create(file_id)
        return found

    async def find(self, file_id: str, batch_id: str = "") -> BatchState | Fault | None:
        """The batch of that id, or without an id the batch of a file; None if the service has no
        such batch."""

        async def send() -> BatchState | None:
            try:
                if batch_id:
                    return self._state(await self._api.batches.retrieve(batch_id))
                return await self._of_file(file_id)
            except openai.NotFoundError:
                return None

        return await self._safely(send)

    async def _of_file(self, file_id: str) -> BatchState | None:
        """The batch of a file, among all that the service lists: last ones first, many of which may
        be somebody else's."""
        page, seen = await self._api.batches.list(limit=100), set[str]()
        for _ in range(_MOST_PAGES):
            for batch in page.data:
                if batch.input_file_id == file_id:
                    return self._state(batch)
            listed = {batch.id for batch in page.data}
            if listed <= seen or not page.has_next_page():
                return None
            seen |= listed
            page = await page.get_next_page()
        return None

    async def look(self, batch_id: str) -> BatchState | Fault:
        """How far a batch is."""

        async def send() -> BatchState:
            return self._state(await self._api.batches.retrieve(batch_id))

        return await self._safely(send)

    async def results(self, state: BatchState) -> dict[str, Reply | Fault] | Fault:
        """The result of each request of an ended batch, by request key. Of several lines for one
        request, a reply counts before a failure."""

        async def send() -> bytes:
            return b"\n".join([await self._content(file, state) for file in state.files])

        content = await self._safely(send)
        if isinstance(content, Fault):
            return content
        results: dict[str, Reply | Fault] = {}
        for key, result in self._read(content):
            if not isinstance(results.get(key), Reply):
                results[key] = result
        return results

    async def _content(self, file: str, state: BatchState) -> bytes:
        """A file of a batch; empty, with a warning, if the service no longer has it."""
        try:
            return (await self._api.files.content(file)).content
        except openai.NotFoundError:
            log.warning("batch %s: its file %s is no longer there", state.batch_id, file)
            return b""

    def _line(self, request: ChatRequest) -> dict[str, Any]:
        return {
            "custom_id": request.key,
            "method": "POST",
            "url": ENDPOINT,
            "body": self._client.body(request),
        }

    def _read(self, content: bytes) -> Iterator[tuple[str, Reply | Fault]]:
        """The request key and the result of each line. A line of another form is left out, and its
        request is reported as having no result."""
        for line in content.splitlines():
            try:
                record = json.loads(line)
                key, result = str(record["custom_id"]), self._result(record)
            except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
                continue
            yield key, result

    def _result(self, record: dict[str, Any]) -> Reply | Fault:
        """The reply or the failure in one line of a batch's files."""
        response = record.get("response") or {}
        status, body = response.get("status_code"), response.get("body")
        if status == 200:
            return self._client.read(json.dumps(body).encode(), None)
        error = _error(record.get("error") or body)
        text, code, param = error.get("message") or error, error.get("code"), error.get("param")
        if isinstance(status, int) and status:
            return self._client.status_fault(status, str(text), code, param, {})
        never_run = self._client.redact(str(text))  # expired or cancelled
        return Fault("timeout", never_run, retryable=code != _CANCELLED)

    def _state(self, batch: Any) -> BatchState:
        """A batch in the client library's form. Raises `ValueError` if the service sent none."""
        files = tuple(f for f in (batch.output_file_id, batch.error_file_id) if f)
        errors = batch.errors.data if batch.errors and batch.errors.data else []
        problem = self._client.redact("; ".join(error.message or "" for error in errors))
        is_for_now = any(error.code == _QUEUE_FULL for error in errors)
        return BatchState(_id(batch), batch.status.lower(), files, problem, is_for_now)

    async def _safely(self, send: Callable[[], Awaitable[Answer]]) -> Answer | Fault:
        try:
            return await send()
        except Exception as error:  # noqa: BLE001 - also what is not JSON, or not of this form
            return self._client.fault_of(error)


def _error(stated: Any) -> dict[str, Any]:
    """The error that a service states, as a mapping or a text, with or without the name `error`."""
    if isinstance(stated, dict):
        stated = stated.get("error") or stated
    return stated if isinstance(stated, dict) else {"message": stated or "no reason given"}


def _id(answer: Any) -> str:
    """The id in a service's description. Raises `ValueError` if there is none."""
    if not isinstance(answer.id, str):
        raise ValueError("the service's answer holds no id")
    return answer.id
