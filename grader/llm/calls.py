"""`llm_calls.jsonl`: every call, one a line. It is the audit trail, the cache and the replay
source at once. A reply is written before anything is done with it, and survives the process being
killed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from ..errors import InputError, first_fault
from ..files.jsonl import Appender, read_records
from ..records import Identifier, Record
from .budget import NOTHING, Spending
from .request import ChatRequest, Failure, FailureKind, Reply, Sent

Origin = Literal["server", "cache", "replay"]


def _shared(kind: type[ChatRequest | Reply]) -> tuple[str, ...]:
    """The fields of a request or reply that a recorded call has too."""
    return tuple(field.name for field in fields(kind) if field.name in LlmCall.model_fields)


class LlmCall(Record):
    """One request to a model and what became of it.

    `source` says where the reply came from; only `server` was paid for. `cost` is in US
    dollars, None if unknown; `latency` in seconds; `at` is ISO 8601, UTC. `attempts` counts what
    was sent, `failed_attempts` says why earlier ones failed. `charged` is what all attempts took
    from the budget, estimated if the server did not say. `parameters` were sent; for a batch, or a
    call without reply, they were asked for.
    """

    key: str
    at: str
    transcript_id: Identifier
    task_id: Identifier
    purpose: str
    model: str
    base_url: str
    prompt_id: str
    prompt_hash: str
    parameters: dict[str, Any]
    messages: tuple[tuple[str, str], ...]
    source: Origin
    reply: str | None = None
    finish_reason: str = ""
    served_model: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    latency: float | None = None
    attempts: int = 1
    failed_attempts: tuple[str, ...] = ()
    charged: Spending = NOTHING
    error_kind: FailureKind | None = None
    error: str | None = None

    @classmethod
    def of(cls, request: ChatRequest, sent: Sent, source: Origin) -> LlmCall:
        """The record of a request and its result, with the present time."""
        result = sent.result
        found: dict[str, Any] = {name: getattr(request, name) for name in _OF_REQUEST}
        attempts = len(sent.failed_attempts)
        if isinstance(result, Failure):
            found |= {"error_kind": result.kind, "error": result.detail}
        else:
            attempts += 1
            found |= {name: getattr(result, name) for name in _OF_REPLY} | {"reply": result.text}
        if found["parameters"] is None:
            found["parameters"] = request.parameters
        return cls(
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            model=request.endpoint.model,
            base_url=request.endpoint.base_url,
            source=source,
            attempts=attempts,
            failed_attempts=sent.failed_attempts,
            charged=sent.charged,
            **found,
        )

    @property
    def prompt_name(self) -> str:
        """The prompt's id and the beginning of its hash; "" if no prompt is recorded."""
        return f"{self.prompt_id} {self.prompt_hash[:12]}" if self.prompt_id else ""

    @property
    def is_paid(self) -> bool:
        """Whether a server gave the reply."""
        return self.source == "server" and self.reply is not None

    @property
    def is_plain(self) -> bool:
        """Whether a plain reply was replayed: one to a transcript, by an unknown prompt."""
        return not self.messages

    @classmethod
    def read(cls, record: dict[str, Any], path: Path, number: int) -> LlmCall:
        """The call that a line of a file records. Raises `InputError` if it is not a call."""
        try:
            return cls.model_validate(record)
        except ValidationError as error:
            problem = f"not an LLM call: {first_fault(error)}"
            remedy = "Repair that line, or remove it: its reply is asked for again"
            raise InputError(path, problem, remedy, number) from None

    def to_json(self) -> str:
        """One line of ASCII: identifiers may hold lone surrogates, which UTF-8 cannot."""
        return json.dumps(self.model_dump(mode="python"), ensure_ascii=True)

    def to_reply(self) -> Reply | None:
        """The reply as it was recorded; None for a failed call."""
        if self.reply is None:
            return None
        return Reply(text=self.reply, **{name: getattr(self, name) for name in _OF_REPLY})


# What a call has of its request and of its reply: the fields with the same names.
_OF_REQUEST = ("key", "parameters", *_shared(ChatRequest))
_OF_REPLY = _shared(Reply)


def read_calls(path: Path) -> Iterator[LlmCall]:
    """Every recorded call, oldest first. Raises `InputError` on a line that is not a call."""
    if not path.exists():
        return
    for number, record in read_records(path):
        yield LlmCall.read(record, path, number)


class CallLog:
    """The open log: replies by request key, and appending."""

    def __init__(self, path: Path) -> None:
        self._appender = Appender(path)
        self._replies: dict[str, Reply] = {}
        self._served: dict[tuple[str, str], Reply] = {}
        self.spent = NOTHING
        for call in read_calls(path):
            self._remember(call)

    def find(self, key: str) -> Reply | None:
        """The reply to a request. A plain reply is none, as nobody knows what it replied to."""
        return self._replies.get(key)

    def served(self, key: str, transcript_id: str) -> Reply | None:
        """The reply that is recorded for this very transcript, not just for an equal one."""
        return self._served.get((key, transcript_id))

    def add(self, call: LlmCall) -> None:
        """Append one call. Raises `UserError` if the disk refuses."""
        self._appender.write(call.to_json())
        self._remember(call)

    def close(self) -> None:
        self._appender.close()

    def _remember(self, call: LlmCall) -> None:
        self.spent += call.charged
        if (reply := call.to_reply()) is not None:
            self._served[call.key, call.transcript_id] = reply
            if not call.is_plain:
                self._replies[call.key] = reply
