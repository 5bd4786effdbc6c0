"""Reading what servers send with care: completions, refusals, pauses, and texts that echo the
key."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import unquote

from ..invisible import encodable
from .request import CUT_OFF_WORDS, end_of

SHORTEST_SECRET = 8  # a shorter key ("none", "EMPTY") is no secret, and may be part of a reply
# The finish_reason (`end_of`) of a reply that a service stopped, the last ones Gemini's.
FILTERED = frozenset(
    {
        "content_filter",
        "sensitive",
        "safety",
        "recitation",
        "blocklist",
        "prohibited_content",
        "spii",
    }
)
# And of one that failed on its way, the last two from Z.ai and DeepSeek.
BROKEN_OFF = frozenset({"error", "abort", "network_error", "insufficient_system_resource"})
UNFINISHED = CUT_OFF_WORDS | FILTERED | BROKEN_OFF
EXCERPT = 120  # characters quoted of a response that is no chat completion
LONGEST_MESSAGE = 1000  # characters quoted of what a server says of a failure
TOO_LONG = re.compile(
    r"context.?(?:length|size|window)|maximum context|too many tokens|prompt is too long"
    r"|maximum number of tokens|`inputs` (?:tokens|must have less)|maximum prompt length"
    r"|input is too long|range of input length",
    re.I,
)


def completion_in(body: bytes, secret: str) -> tuple[dict[str, Any], str]:
    """The chat completion in the body of a response, and the text of its first choice without
    the key. In that choice, content in parts is joined, and `finish_reason`, which is recorded, is
    a text without the key, or None. Raises `ValueError`, quoting the body, if there is none."""
    try:
        data = json.loads(body)
        choice = data["choices"][0]
        message = choice["message"]
        content = message.get("content")
    except (ValueError, RecursionError):
        raise ValueError(f"not JSON: {excerpt(body, secret)}") from None
    except (KeyError, IndexError, TypeError, AttributeError):
        raise ValueError(f"no choices: {excerpt(body, secret)}") from None
    if isinstance(content, list):
        content = message["content"] = _joined(content)
    if not isinstance(content, str | None):
        raise ValueError(f"content is not text: {excerpt(body, secret)}")
    finish_reason = choice.get("finish_reason")
    choice["finish_reason"] = (
        redacted(str(finish_reason), secret)[:EXCERPT] if finish_reason else None
    )
    return data, redacted(content or "", secret)


def _joined(content: list[Any]) -> object:
    """The text of content in parts: those of type `text`, without thoughts and the like. The
    content unchanged if it is no list of parts."""
    if not content or not all(isinstance(part, dict) and "type" in part for part in content):
        return content
    texts = [part.get("text") for part in content if part.get("type") == "text"]
    return "".join(texts) if all(isinstance(text, str) for text in texts) else content


def breakdown_in(choice: dict[str, Any], secret: str) -> str | None:
    """The reason why a server could not finish a choice, whose text is then the beginning of a
    reply at best; None if it could."""
    finish_reason = choice.get("finish_reason")
    if end_of(finish_reason) not in BROKEN_OFF:
        return None
    error = choice.get("error")
    stated = error.get("message") if isinstance(error, dict) else error
    why = f": {redacted(str(stated), secret)[:EXCERPT]}" if stated else ""
    return f"the reply broke off (finish_reason {finish_reason!r}){why}"


def refusal_in(choice: dict[str, Any], secret: str) -> str | None:
    """The reason why a choice is no answer: the model refused, a filter stopped it, or it is empty.
    None for an answer or its beginning."""
    end, message = end_of(choice.get("finish_reason")), choice["message"]
    if end in FILTERED:
        return "the reply was stopped by the service's content filter"
    if (message.get("content") or "").strip() or end in CUT_OFF_WORDS:
        return None
    if refusal := message.get("refusal"):
        return f"the model refused: {redacted(str(refusal), secret)[:EXCERPT]}"
    return "the reply is empty"


def same_model(asked: str, served: str) -> bool:
    """True if a served name is the model asked for: equal, a dated snapshot or tag of it, or the
    same name with a provider's prefix. A server that names none is taken at its word."""
    if not served:
        return True
    a, b = (name.rsplit("/", 1)[-1].casefold() for name in (asked, served))
    return a == b or re.fullmatch(re.escape(a) + r"(?:-20\d\d|-latest|:).*", b) is not None


def served_model(completion: dict[str, Any]) -> str:
    """The model that a completion names, "" if it names none; a file's path on the server
    (llama.cpp) without its folders."""
    name = completion.get("model")
    if not isinstance(name, str):
        return ""
    is_path = name.startswith("/") or name[1:3] == ":\\"
    return re.split(r"[/\\]", name)[-1] if is_path else name


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds after which the server may be asked again: `retry-after-ms`, or `Retry-After` as
    seconds or as a date, which is measured from the response's own `Date` if it has one, as clocks
    differ. None if it does not say, or names a time that has passed."""
    milliseconds, value = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        if milliseconds:
            pause = float(milliseconds) / 1000
        elif value and value.strip().replace(".", "", 1).isdigit():
            pause = float(value)
        elif value:
            pause = _seconds_at(value) - _server_time(headers)
        else:
            return None
    except (ValueError, TypeError):
        return None
    return pause if pause > 0 else None


def _server_time(headers: Mapping[str, str]) -> float:
    """The time of a response, in seconds: by the server's clock, else by the local one."""
    try:
        return _seconds_at(headers["date"])
    except (KeyError, ValueError, TypeError):
        return time.time()


def _seconds_at(date: str) -> float:
    """The time of an HTTP date, in seconds; it is GMT, also where it does not say so. Raises
    `ValueError` or `TypeError` for what is no date."""
    try:
        at = parsedate_to_datetime(date)
    except OverflowError as error:
        raise ValueError(f"no date: {error}") from None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


def is_too_long(code: str | None, text: str) -> bool:
    """Whether a server says that the request exceeds the model's context."""
    return code == "context_length_exceeded" or TOO_LONG.search(text) is not None


def is_too_large(text: str) -> bool:
    """Whether a server says that one request alone exceeds what it takes in a minute."""
    return "request too large" in text.lower()


def redacted(text: str, secret: str) -> str:
    """Text from outside, made storable: valid Unicode, and without the key."""
    if len(secret) >= SHORTEST_SECRET:
        text = text.replace(secret, "[key]")
    return encodable(text)


def holds_key(url: str, secret: str) -> bool:
    """Whether a URL holds the key, plain or percent-encoded."""
    return any(redacted(text, secret) != encodable(text) for text in (url, unquote(url)))


def excerpt(body: bytes, secret: str) -> str:
    """The beginning of what a server sent, quoted, without the key."""
    text = redacted(body.decode("utf-8", errors="replace"), secret)
    return repr(text if len(text) <= EXCERPT else text[:EXCERPT] + "…")
