"""A scripted OpenAI-compatible server on loopback, for agents.

A scenario is a list of replies to one conversation. Which scenario a request belongs to is told
by a marker in its messages; which reply is due, by the number of assistant messages it holds.
So the server keeps no state, and any number of conversations may run at once.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

INSPECTORS = ("You review Python code that failed", "You are an experienced and insightful")
ADVICE = "The variable is not defined. Define it before it is used."


@dataclass(frozen=True)
class Reply:
    """A reply: its text, or an HTTP status of failure, or the `raw` body of either; `hang`
    seconds before anything comes; `drip` seconds before each byte. `finish`: why the text ends
    where it does."""

    text: str = ""
    status: int = 200
    hang: float = 0.0
    drip: float = 0.0
    raw: str = ""
    finish: str = "stop"


@dataclass
class ScriptedServer:
    """scenarios: marker -> replies, the last of which is repeated for ever."""

    scenarios: dict[str, Sequence[Reply | str]]
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    base_url: str = ""

    def reply_to(self, messages: Sequence[dict[str, str]]) -> Reply:
        text = "\n".join(message["content"] for message in messages)
        if any(text.startswith(start) or f"\n{start}" in text for start in INSPECTORS):
            return Reply(ADVICE)
        due = sum(message["role"] == "assistant" for message in messages)
        for marker, replies in self.scenarios.items():
            if marker in text:
                reply = replies[min(due, len(replies) - 1)]
                return Reply(reply) if isinstance(reply, str) else reply
        return Reply(status=400)


@contextmanager
def serving(scenarios: dict[str, Sequence[Reply | str]]) -> Iterator[ScriptedServer]:
    """Serve until the block ends."""
    script = ScriptedServer(scenarios)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            script.requests.append(body)
            script.keys.add(self.headers["Authorization"].removeprefix("Bearer "))
            reply = script.reply_to(body["messages"])
            time.sleep(reply.hang)
            if reply.raw or reply.status != 200:
                raw = reply.raw or '{"error": {"message": "scripted"}}'
                kind = "application/json" if raw.startswith("{") else "text/html"
                self._send(reply.status, kind, raw.encode())
            elif body.get("stream"):
                pieces = [reply.text[i : i + 40] for i in range(0, len(reply.text), 40)]
                chunks = [*map(_chunk, pieces), _chunk("", finish_reason=reply.finish)]
                lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
                data = "".join([*lines, "data: [DONE]\n\n"]).encode()
                self._send(200, "text/event-stream", data)
            else:
                self._send(
                    200, "application/json", json.dumps(_completion(reply)).encode(), reply.drip
                )

        def _send(self, status: int, kind: str, data: bytes, drip: float = 0) -> None:
            try:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                for byte in data if drip else b"":
                    time.sleep(drip)
                    self.wfile.write(bytes([byte]))
                self.wfile.write(b"" if drip else data)
            except OSError:
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            return None

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    script.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()


def _completion(reply: Reply) -> dict[str, Any]:
    message = {"role": "assistant", "content": reply.text}
    return {
        "id": "scripted",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def _chunk(text: str, finish_reason: str | None = None) -> dict[str, Any]:
    return {
        "id": "scripted",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish_reason}],
    }
