"""Why a model gave an agent no reply, in its server's words."""

from __future__ import annotations

import os
import textwrap

import openai

from grader.llm.client import redacted

from ..agent import AgentUnavailable

LONGEST = 300  # characters of what a server said


def refusal(error: openai.APIError, key_variable: str) -> AgentUnavailable:
    """The error for a failed request, without the key that the environment variable holds."""
    said, reason = error.message, "the model is out of reach"
    if isinstance(error, openai.APIStatusError):
        reason = f"the model refused: HTTP {error.status_code}"
        said = error.body if isinstance(error.body, str) else said
        said = said.removeprefix(f"Error code: {error.status_code}").removeprefix(" - ")
    said = textwrap.shorten(redacted(said, os.environ.get(key_variable, "")), LONGEST)
    return AgentUnavailable(": ".join(filter(None, (reason, said))))
