"""What servers send, read with care: chat completions, refusals, and texts that echo the key."""

from __future__ import annotations

import json
import re
from typing import Any

from ..invisible import encodable

SHORTEST_SECRET = 8  # what is shorter ("none", "EMPTY") is no secret, and may be part of a reply
EXCERPT = 120  # characters quoted of what is no chat completion
TOO_LONG = re.compile(
    r"context.?(?:length|size|window)|maximum context|too many tokens|prompt is too long"
    r"|maximum number of tokens|`inputs` (?:tokens|must have less)",
    re.I,
)


def completion_in(body: bytes, secret: str) -> tuple[dict[str, Any], str]:
    """The chat completion in the body of a response, and the text of its first choice without
    the key. Raises `ValueError` that quotes what is there instead."""
    try:
        data = json.loads(body)
        text = data["choices"][0]["message"].get("content")
    except (ValueError, RecursionError):
        raise ValueError(f"not JSON: {excerpt(body, secret)}") from None
    except (KeyError, IndexError, TypeError, AttributeError):
        raise ValueError(f"no choices: {excerpt(body, secret)}") from None
    if not isinstance(text, str | None):
        raise ValueError(f"content is not text: {excerpt(body, secret)}")
    return data, redacted(text or "", secret)


def is_too_long(code: str | None, text: str) -> bool:
    """Whether a server says that the model cannot read as much at a time."""
    return code == "context_length_exceeded" or TOO_LONG.search(text) is not None


def redacted(text: str, secret: str) -> str:
    """Text from outside, made storable: valid Unicode, and without the key."""
    if len(secret) >= SHORTEST_SECRET:
        text = text.replace(secret, "[key]")
    return encodable(text)


def excerpt(body: bytes, secret: str) -> str:
    """The beginning of what a server sent, quoted, without the key."""
    text = redacted(body.decode("utf-8", errors="replace"), secret)
    return repr(text if len(text) <= EXCERPT else text[:EXCERPT] + "…")
