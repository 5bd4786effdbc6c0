"""The model server that an agent asks: its settings, and what becomes of a request that fails."""

from __future__ import annotations

import os
from typing import Annotated

import openai
from pydantic import AfterValidator, Field

from grader import settings as grader_settings
from grader.lenient.settings import ADDRESS_VARIABLE, DEFAULT_KEY_VARIABLE
from grader.llm.completion import is_too_long, redacted
from grader.llm.request import NO_KEY, checked_url

from .agent import AgentUnavailable

LONGEST = 300  # characters of what a server said


class ServerSettings(grader_settings.Settings):
    """model, base_url: an OpenAI-compatible endpoint; without base_url that of OPENAI_BASE_URL,
    "" = the client library's default service. api_key_env: the environment variable that holds
    the key. request_timeout: seconds per request."""

    model: str
    base_url: Annotated[str, AfterValidator(checked_url)] = Field(
        default_factory=lambda: os.environ.get(ADDRESS_VARIABLE, ""), validate_default=True
    )
    api_key_env: str = DEFAULT_KEY_VARIABLE
    request_timeout: float = Field(120.0, gt=0)

    @property
    def api_key(self) -> str:
        """The key. It must not get into any record, nor where the agent's code can read it."""
        return os.environ.get(self.api_key_env) or NO_KEY


class ConversationTooLong(Exception):
    """The conversation has outgrown what the model can read: the agent's own failure."""


def failure(error: Exception, key: str) -> AgentUnavailable | ConversationTooLong:
    """What a failed request means, in the server's words without the key."""
    if not isinstance(error, openai.APIError):
        said = redacted(str(error), key)
        return AgentUnavailable(f"the model's server sent no chat completion: {_short(said)}")
    if not isinstance(error, openai.APIStatusError):
        return AgentUnavailable(
            f"the model is out of reach: {_short(redacted(error.message, key))}"
        )
    status = error.status_code
    said = error.body if isinstance(error.body, str) else error.message
    said = said.removeprefix(f"Error code: {status}").removeprefix(" - ")
    reason = ": ".join(filter(None, (f"HTTP {status}", _short(redacted(said, key)))))
    if is_too_long(status, error.code, said):
        return ConversationTooLong(reason)
    return AgentUnavailable(f"the model refused: {reason}")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"
