"""A scripted OpenAI-compatible server on loopback, for tests and benchmarks.

`FaultServer(script)` asks `script(body, number)` what to do with each request: a text is
answered as a model would; an `Act` can also be slow, hang, fail, or cut the connection. Run as
a program it serves one fixed behaviour, in a process of its own:

    python llm_server.py --latency 0.2 --log served.jsonl
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True)
class Act:
    """What the server does with one request.

    raw: this body instead of a well-formed one. cut: send half of the body, then close.
    hang: never answer. drop: close without a word. model: claim to be this one.
    finish: why the reply ends where it does. tokens: what it says that the prompt had.
    company: answer only once so many requests have been held at the same time.
    """

    text: str | None = "UNCLEAR"
    status: int = 200
    latency: float = 0.0
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    cut: bool = False
    hang: bool = False
    drop: bool = False
    model: str | None = None
    usage: bool = True
    tokens: int | None = None
    finish: str = "stop"
    company: int = 1


Script = Callable[[Body, int], Act | str]


def error_body(message: str, code: str = "", param: str | None = None) -> bytes:
    return json.dumps(
        {"error": {"message": message, "type": "error", "code": code or None, "param": param}}
    ).encode()


def completion(body: Body, act: Act) -> bytes:
    """A chat completion with invented but consistent token counts."""
    data: dict[str, Any] = {
        "id": "scripted",
        "object": "chat.completion",
        "created": 0,
        "model": act.model or body["model"],
        "choices": [
            {
                "index": 0,
                "finish_reason": act.finish,
                "message": {"role": "assistant", "content": act.text},
            }
        ],
    }
    if act.usage:
        prompt = sum(len(m["content"]) for m in body["messages"]) // 4
        reply = len(act.text or "") // 4 + 1
        data["usage"] = {
            "prompt_tokens": prompt if act.tokens is None else act.tokens,
            "completion_tokens": reply,
            "total_tokens": prompt + reply,
        }
    return json.dumps(data).encode()


class FaultServer:
    """The server, on a thread of its own. `requests` holds every body received, in order,
    `served` counts full answers, `busiest` is the most requests held at once."""

    def __init__(self, script: Script, port: int = 0) -> None:
        self._script, self._port = script, port
        self.requests: list[Body] = []
        self.authorizations: list[str] = []
        self.served = self.busiest = self._held = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    def __enter__(self) -> FaultServer:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self.start(), self._loop).result()
        return self

    def __exit__(self, *error: object) -> None:
        self.die()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def die(self) -> None:
        """Close the port and every connection, as a killed server does."""
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()

    async def start(self) -> None:
        self._writers: set[asyncio.StreamWriter] = set()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def _stop(self) -> None:
        self._server.close()
        for writer in list(self._writers):
            writer.transport.abort()
        await asyncio.sleep(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head.split("\r\n")[1:])
        }
        body = json.loads(await reader.readexactly(int(headers["content-length"])))
        self.requests.append(body)
        self.authorizations.append(headers.get("authorization", ""))
        self._held += 1
        self.busiest = max(self.busiest, self._held)
        try:
            given = self._script(body, len(self.requests))
            act = Act(given) if isinstance(given, str) else given
            return await self._perform(act, body, writer)
        finally:
            self._held -= 1

    async def _perform(self, act: Act, body: Body, writer: asyncio.StreamWriter) -> bool:
        if act.hang:
            await asyncio.sleep(3600)
        while self.busiest < act.company:
            await asyncio.sleep(0.01)
        await asyncio.sleep(act.latency)
        if act.drop:
            writer.transport.abort()
            return False
        payload = act.raw if act.raw is not None else completion(body, act)
        headers = {"content-type": "application/json", **act.headers}
        lines = [
            f"HTTP/1.1 {act.status} Scripted",
            f"content-length: {len(payload)}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n")
        writer.write(payload[: len(payload) // 2] if act.cut else payload)
        await writer.drain()
        self.served += act.status == 200 and not act.cut
        return not act.cut


def steady_value(body: Body) -> str:
    """A number that depends on the prompt alone, so that every run gets the same replies."""
    digest = hashlib.sha256(body["messages"][-1]["content"].encode()).hexdigest()
    return str(int(digest[:4], 16) / 100)


def main() -> None:
    """Serve `steady_value` replies; append the time and a hash of each request to a log.
    Requests beyond the number in the file `--limit`, if there is one, are never answered."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--limit", type=Path)
    options = parser.parse_args()
    log = options.log.open("a") if options.log else None

    def script(body: Body, number: int) -> Act:
        if log:
            text = json.dumps(body["messages"])
            log.write(f"{time.time():.4f} {hashlib.sha256(text.encode()).hexdigest()}\n")
            log.flush()
        if options.limit and options.limit.exists() and number > int(options.limit.read_text()):
            return Act(hang=True)
        return Act(steady_value(body), latency=options.latency)

    async def serve() -> None:
        server = FaultServer(script)
        await server.start()
        sys.stdout.write(server.url + "\n")
        sys.stdout.flush()
        await asyncio.Event().wait()

    asyncio.run(serve())


if __name__ == "__main__":
    main()
