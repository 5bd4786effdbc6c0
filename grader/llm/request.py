"""One question to one model, and what comes back: a reply or a failure."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from ipaddress import IPv4Address
from typing import Any, Literal, Protocol
from urllib.parse import urlsplit

from ..errors import UserError
from .budget import NOTHING, Spending

FailureKind = Literal[
    "budget",
    "timeout",
    "unreachable",
    "rate_limited",
    "server_error",
    "malformed",
    "rejected",
    "too_long",
    "wrong_model",
    "not_recorded",
    "interrupted",
]
ADDRESS_VARIABLE = "OPENAI_BASE_URL"
DEFAULT_KEY_VARIABLE = "OPENAI_API_KEY"
# Stated to the client library, which takes an empty OPENAI_BASE_URL for an address.
DEFAULT_SERVICE = "https://api.openai.com/v1"
CUT_OFF = "length"  # finish_reason of a reply that reached its token limit
# By any service, as `end_of` gives them.
CUT_OFF_WORDS = frozenset({CUT_OFF, "model_length", "max_tokens", "model_context_window_exceeded"})
REASONING_ROOM = 4096  # reply tokens for models that think before they answer
CHARACTERS_PER_TOKEN = 16  # far more than any tokeniser's average
_PIECES = re.compile(r"[^\W\d_]+|\d{1,3}")  # no tokeniser has more than one of these in a token
_CHARACTERS_OF_PROSE = 5  # at most, for each token
_FOUR_NUMBERS = re.compile(r"\d+(?:\.\d+){3}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
NO_KEY = "none"  # sent to a server that asks for no key; client libraries insist on one


def variable_name(text: str) -> str:
    """The name of an environment variable, unchanged. Raises `ValueError`, without quoting it, for
    what is none, as it may be the key itself, and is recorded."""
    if not _VARIABLE.fullmatch(text):
        raise ValueError(
            f"not the name of an environment variable. Set one to the key ({DEFAULT_KEY_VARIABLE}"
            "), and give its name here"
        )
    return text


@dataclass(frozen=True)
class Endpoint:
    """A model at an address. `base_url` "" is OpenAI's service.

    `key_variable` names the environment variable that holds the key; the key itself is never
    stored anywhere.
    """

    model: str
    base_url: str = ""
    key_variable: str = DEFAULT_KEY_VARIABLE

    @property
    def name(self) -> str:
        return f"{self.model} at {self.base_url}" if self.base_url else self.model


@dataclass(frozen=True)
class ChatRequest:
    """A request to a model, and the transcript it is for. Everything that can change the reply is
    part of `key`."""

    endpoint: Endpoint
    messages: tuple[tuple[str, str], ...]
    temperature: float
    max_tokens: int
    purpose: str
    prompt_id: str
    prompt_hash: str
    transcript_id: str = ""
    task_id: str = ""

    @property
    def parameters(self) -> dict[str, Any]:
        return {"temperature": self.temperature, "max_tokens": self.max_tokens}

    @cached_property
    def key(self) -> str:
        """SHA-256 over model, address, parameters and messages: equal keys, equal requests."""
        content = [
            self.endpoint.model,
            self.endpoint.base_url,
            sorted(self.parameters.items()),
            self.messages,
        ]
        return hashlib.sha256(json.dumps(content, ensure_ascii=True).encode()).hexdigest()

    @property
    def size(self) -> int:
        """Estimated prompt tokens."""
        return sum(estimate_tokens(text) for _, text in self.messages)


@dataclass(frozen=True)
class Reply:
    """The model's answer, with what it took. Token counts are None if the server gave none;
    `parameters` are the sent ones, None if unknown."""

    text: str
    finish_reason: str = ""
    served_model: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    latency: float | None = None
    parameters: Mapping[str, Any] | None = None

    @property
    def is_cut_off(self) -> bool:
        """Whether the reply was cut off by the limit of its tokens."""
        return end_of(self.finish_reason) in CUT_OFF_WORDS

    def within(self, max_tokens: int) -> Reply:
        """The reply unchanged; only its beginning, as one that was cut off, if it is far longer
        than `max_tokens` and any thinking allow: replies are kept, and some servers have no
        limit."""
        if len(self.text) <= CHARACTERS_PER_TOKEN * max(max_tokens, REASONING_ROOM):
            return self
        beginning = self.text[: CHARACTERS_PER_TOKEN * max_tokens]
        return replace(self, text=beginning, finish_reason=CUT_OFF)


@dataclass(frozen=True)
class Failure:
    """Why there is no reply. `detail` is for people and holds no key."""

    kind: FailureKind
    detail: str


@dataclass(frozen=True)
class Sent:
    """The result of sending a request: the reply or final failure, the reasons of earlier failed
    attempts, and what all attempts took from the budget."""

    result: Reply | Failure
    failed_attempts: tuple[str, ...] = ()
    charged: Spending = NOTHING

    def within(self, max_tokens: int) -> Sent:
        """The same with a reply that is bounded by `Reply.within`."""
        if not isinstance(self.result, Reply):
            return self
        return replace(self, result=self.result.within(max_tokens))


class Interrupted(asyncio.CancelledError):
    """Cancels a request with attempts that may be charged. charged: what they may have taken from
    the budget; failed_attempts: why each brought no reply, that on its way among them."""

    def __init__(self, charged: Spending, failed_attempts: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.charged, self.failed_attempts = charged, failed_attempts


class Transport(Protocol):
    """The protocol of a source of answers: a server, online or by batches, or a recording."""

    async def answer(self, request: ChatRequest) -> Reply | Failure: ...

    async def close(self) -> None: ...


def end_of(finish_reason: object) -> str:
    """The word for how a reply ended, in lower case; "" if its service states none. Some services
    write it in capitals, or with a reason behind a colon."""
    return str(finish_reason or "").partition(":")[0].strip().casefold()


_DIGITS = str.maketrans("", "", "0123456789")


def estimate_tokens(text: str) -> int:
    """The tokens of a text, estimated on the high side for the tokenisers in use: 1/1.5 a digit,
    1/3.5 another ASCII character, 1 any other. No vocabulary needed."""
    ascii_length = len(text.encode("ascii", errors="ignore"))
    digits = len(text) - len(text.translate(_DIGITS))
    return int(digits / 1.5 + (ascii_length - digits) / 3.5 + (len(text) - ascii_length)) + 1


def fewest_tokens(text: str) -> int:
    """The least tokens that a text can have, by any tokeniser or estimate in use."""
    return min(len(_PIECES.findall(text)), len(text) // _CHARACTERS_OF_PROSE)


def server_url(stated: str, environment: Mapping[str, str]) -> str:
    """A server's address for the record: the stated one, else OPENAI_BASE_URL, else "" for
    OpenAI's service. Raises `UserError` if it is not a URL, or holds a secret."""
    url = stated or environment.get(ADDRESS_VARIABLE, "")
    name = "a base URL" if stated else f"the base URL in {ADDRESS_VARIABLE}"
    if not url:
        return ""
    if not _is_address(url):
        raise UserError(f"{name} must look like http://127.0.0.1:8000/v1")
    parts = urlsplit(url)
    if parts.username or parts.password or parts.query:
        raise UserError(
            f"{name} must not hold a key, user name or query, for it is recorded. "
            "Put the key into an environment variable (OPENAI_API_KEY, or one that you name)"
        )
    return url.rstrip("/")


def _is_address(url: str) -> bool:
    """Whether a text is the URL of a server that can be asked."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
        if _FOUR_NUMBERS.fullmatch(host):
            IPv4Address(host)
    except ValueError:
        return False
    is_one_word = url.isprintable() and " " not in url
    return parts.scheme in ("http", "https") and bool(host) and is_one_word
