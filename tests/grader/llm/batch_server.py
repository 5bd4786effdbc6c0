"""A local service with OpenAI's /v1/files, /v1/batches and /v1/chat/completions, for tests.

`reply(body)` answers a request body as a model would: a text, or a status with a message.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

Body = dict[str, Any]
Replies = Callable[[Body], str | tuple[int, str]]


@dataclass
class BatchServer:
    """looks: how often a batch is still running when looked at; None = it never ends.
    ends_as: the status it ends with; only `completed` holds replies. refuse_batches: how many are
    refused before one is taken. usage: say how many tokens a reply took.
    garbage: this is what an upload is answered with. lose_answers: how many batches are started
    without saying so. outage: the status that looks at batches are answered with, 0 for none.
    running: the status of a batch that has not ended. without_files: the files of replies are gone.
    lines: what a batch's files hold in place of a line. problem: why a batch failed.
    listing: the status that listing batches is answered with, 0 if the service can list them.
    refused: batches are refused as not allowed. full: how many batches fail because too many tokens
    wait already. ends_when: running batches end once this holds. others: how many later batches of
    somebody else the service lists.
    spelling: how the service writes a status.
    `batches` holds the requests of each batch, `online` what was asked one by one."""

    reply: Replies
    looks: int | None = 1
    ends_as: str = "completed"
    refuse_batches: int = 0
    usage: bool = True
    garbage: bytes | None = None
    lose_answers: int = 0
    outage: int = 0
    running: str = "in_progress"
    without_files: bool = False
    lines: Callable[[Body], list[Body]] = lambda line: [line]
    problem: str = "token limit exceeded"
    listing: int = 0
    refused: bool = False
    full: int = 0
    others: int = 0
    ends_when: Callable[[], bool] | None = None
    spelling: Callable[[str], str | None] = str
    batches: dict[str, list[Body]] = field(default_factory=dict)
    online: list[Body] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._state: dict[str, Body] = {}
        self._looked: dict[str, int] = {}
        routes = [
            Route("/v1/files", self._upload, methods=["POST"]),
            Route("/v1/files/{file}/content", self._download),
            Route("/v1/batches", self._create, methods=["POST"]),
            Route("/v1/batches", self._list),
            Route("/v1/batches/{batch}", self._look),
            Route("/v1/chat/completions", self._chat, methods=["POST"]),
        ]
        config = uvicorn.Config(Starlette(routes=routes), port=0, log_level="critical")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    @property
    def url(self) -> str:
        port = self._server.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}/v1"

    def __enter__(self) -> BatchServer:
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        return self

    def __exit__(self, *error: object) -> None:
        self._server.should_exit = True
        self._thread.join()

    async def _upload(self, request: Request) -> Response:
        if self.garbage is not None:
            return Response(self.garbage, media_type="application/json")
        form = await request.form()
        assert form["purpose"] == "batch"
        name = f"file-{len(self.files)}"
        self.files[name] = await form["file"].read()  # type: ignore[union-attr]
        return JSONResponse({"id": name, "object": "file", "bytes": len(self.files[name]),
                             "created_at": 0, "filename": "x", "purpose": "batch",
                             "status": "processed"})  # fmt: skip

    async def _download(self, request: Request) -> Response:
        if self.without_files:
            return _error(404, "no such file")
        return Response(self.files[request.path_params["file"]])

    async def _create(self, request: Request) -> Response:
        if self.refused:
            return _error(400, "billing limit reached")
        if self.refuse_batches:
            self.refuse_batches -= 1
            return _error(503, "try later")
        asked = await request.json()
        name = f"batch_{len(self.batches)}"
        lines = self.files[asked["input_file_id"]].splitlines()
        self.batches[name] = [json.loads(line) for line in lines]
        assert asked["endpoint"] == "/v1/chat/completions"
        assert len({line["custom_id"] for line in self.batches[name]}) == len(lines)
        self._state[name] = {"id": name, "object": "batch", "endpoint": asked["endpoint"],
                             "input_file_id": asked["input_file_id"], "completion_window": "24h",
                             "created_at": 0, "status": "validating"}  # fmt: skip
        if self.lose_answers:
            self.lose_answers -= 1
            return _error(504, "gateway timeout")
        return JSONResponse(self._state[name])

    async def _list(self, request: Request) -> Response:
        if self.listing:
            return _error(self.listing, "batches cannot be listed")
        others = [{"id": f"other_{n}", "object": "batch", "endpoint": "/v1/x", "created_at": 0,
                   "input_file_id": f"other-{n}", "completion_window": "24h", "status": "completed"}
                  for n in range(self.others)]  # fmt: skip
        listed = [*others, *list(self._state.values())[::-1]]
        names = [batch["id"] for batch in listed]
        after = request.query_params.get("after")
        start = names.index(after) + 1 if after else 0
        end = start + int(request.query_params.get("limit", 20))
        return JSONResponse({"object": "list", "data": listed[start:end],
                             "has_more": end < len(listed)})  # fmt: skip

    async def _look(self, request: Request) -> Response:
        name = request.path_params["batch"]
        if self.outage:
            return _error(self.outage, "not now")
        if name not in self._state:
            return _error(404, "no such batch")
        looked = self._looked[name] = self._looked.get(name, 0) + 1
        state = self._state[name]
        runs_on = self.looks is None or looked <= self.looks
        if not self.ends_when() if self.ends_when else runs_on:
            state["status"] = self.running
        elif state["status"] != self.ends_as:
            self._end(name, state)
        return JSONResponse({**state, "status": self.spelling(state["status"])})

    def _end(self, name: str, state: Body) -> None:
        state["status"] = self.ends_as
        if self.full:
            self.full -= 1
            state["status"] = "failed"
            reason = {"code": "token_limit_exceeded", "message": "Enqueued token limit reached"}
            state["errors"] = {"object": "list", "data": [reason]}
            return
        if self.ends_as == "failed":
            state["errors"] = {"object": "list", "data": [{"message": self.problem}]}
            return
        output, errors = [], []
        for line in reversed(self.batches[name]):  # the order of a batch's replies is not kept
            status, body = self._answer(line["body"])
            response = {"status_code": status, "request_id": "r", "body": body}
            record = {"id": "x", "custom_id": line["custom_id"], "response": response}
            if self.ends_as != "completed":
                error = {"code": f"batch_{self.ends_as}", "message": "could not be done in time"}
                errors.append({**record, "response": None, "error": error})
            else:
                (output if status == 200 else errors).append({**record, "error": None})
        for field_name, records in (("output_file_id", output), ("error_file_id", errors)):
            if records:
                file = f"{name}-{field_name}"
                lines = [json.dumps(line) for record in records for line in self.lines(record)]
                self.files[file] = "\n".join(lines).encode()
                state[field_name] = file

    async def _chat(self, request: Request) -> Response:
        body = await request.json()
        self.online.append(body)
        status, answer = self._answer(body)
        return JSONResponse(answer, status_code=status)

    def _answer(self, body: Body) -> tuple[int, Body]:
        given = self.reply(body)
        if isinstance(given, tuple):
            status, message = given
            return status, {"error": {"message": message, "code": None, "param": None}}
        message = {"role": "assistant", "content": given}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        usage = {"prompt_tokens": 100, "completion_tokens": 4, "total_tokens": 104}
        return 200, {"id": "c", "object": "chat.completion", "created": 0,
                     "model": body["model"], "choices": [choice],
                     "usage": usage if self.usage else None}  # fmt: skip


def _error(status: int, message: str) -> Response:
    return JSONResponse({"error": {"message": message}}, status_code=status)
