"""The log of LLM calls where the disk refuses or a write was cut short."""

from __future__ import annotations

import asyncio
import json
from dataclasses import astuple, fields
from pathlib import Path

import pytest

from grader.errors import UserError
from grader.llm.batch_log import BatchLog
from grader.llm.calls import CallLog, LlmCall
from grader.llm.gateway import Gateway
from grader.llm.request import ChatRequest, Endpoint, Failure, Reply, Sent
from grader.llm.usage import Tally

from ..lenient.runs import GOOD, calls, grade, transcript
from .server import FaultServer


def test_full_disk_is_reported_not_swallowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: object, lines: object) -> None:
        raise UserError("cannot write: No space left on device")

    monkeypatch.setattr("grader.files.jsonl.Appender.write_many", refuse)
    with FaultServer(lambda b, n: GOOD) as server, pytest.raises(UserError, match="No space"):
        grade(tmp_path, [transcript(i, f"{i}") for i in range(5)], base_urls=(server.url,))


def test_a_failing_disk_reaches_all_who_wait_for_the_reply(tmp_path: Path) -> None:
    """Equal requests share one call; whatever stops that call stops them with the same error."""

    class FullDisk(CallLog):
        def add(self, call: LlmCall) -> None:
            raise UserError("cannot write: No space left on device")

    class Slow:
        async def send(self, request: ChatRequest) -> Sent:
            await asyncio.sleep(0)
            return Sent(Reply(GOOD))

        async def close(self) -> None: ...

    request = ChatRequest(Endpoint("m"), (("user", "?"),), 0.0, 8, "extract", "p/1", "hash")
    gateway = Gateway({request.endpoint: Slow()}, FullDisk(tmp_path / "calls"), None, Tally())

    async def ask_thrice() -> list[object]:
        asked = (gateway.answer(request) for _ in range(3))
        return list(await asyncio.gather(*asked, return_exceptions=True))

    errors = asyncio.run(ask_thrice())
    assert [type(error) for error in errors] == [UserError] * 3


def test_the_log_of_batches_is_open_until_all_judges_are_closed(tmp_path: Path) -> None:
    batches = BatchLog(tmp_path / "batches.jsonl")

    class Batching:
        async def send(self, request: ChatRequest) -> Sent:
            return Sent(Reply(GOOD))

        async def close(self) -> None:
            batches.fetched("file", [])

    senders = {Endpoint(name): Batching() for name in ("a", "b")}
    gateway = Gateway(senders, CallLog(tmp_path / "calls"), None, Tally(), batches)
    asyncio.run(gateway.close())
    assert len((tmp_path / "batches.jsonl").read_text().splitlines()) == 2
    with pytest.raises(ValueError, match="closed"):
        batches.fetched("file", [])


def test_torn_last_call_is_asked_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    items = [transcript(i, f"{i}: 0.28") for i in range(3)]
    with FaultServer(lambda b, n: GOOD) as server:
        grade(tmp_path, items, base_urls=(server.url,))
        log = tmp_path / "llm_calls.jsonl"
        log.write_bytes(log.read_bytes()[:-40])
        grades, _ = grade(tmp_path, items, base_urls=(server.url,))
    assert (len(server.requests), len(calls(tmp_path))) == (4, 3)
    assert [g.verdict for g in grades] == ["correct"] * 3
    assert "torn last line" in caplog.text


REQUEST = ChatRequest(Endpoint("m", "http://a"), (("user", "?"),), 0.0, 8, "extract", "p/1", "hash")
REPLY = Reply("0.28", "stop", "m-2024", 11, 12, 0.5, 1.5, {"temperature": 0.0})


def test_a_reply_is_recorded_and_read_back_whole() -> None:
    assert all(
        value != field.default for value, field in zip(astuple(REPLY), fields(REPLY), strict=True)
    )
    call = LlmCall.of(REQUEST, Sent(REPLY, ("timeout",)), "server")
    again = LlmCall.model_validate(json.loads(call.to_json()))
    assert again == call
    assert again.to_reply() == REPLY
    assert (again.key, again.model, again.base_url) == (REQUEST.key, "m", "http://a")
    assert (again.attempts, again.prompt_tokens, again.completion_tokens) == (2, 11, 12)
    unstated = LlmCall.of(REQUEST, Sent(Reply("0.28")), "server")
    assert unstated.parameters == {"temperature": 0.0, "max_tokens": 8}
    failed = LlmCall.of(REQUEST, Sent(Failure("timeout", "slow"), ("timeout",)), "server")
    assert (failed.reply, failed.error_kind, failed.error, failed.attempts) == (
        None, "timeout", "slow", 1
    )  # fmt: skip
    assert failed.to_reply() is None
    assert failed.parameters == unstated.parameters


def test_a_prompt_is_named_by_its_id_and_hash() -> None:
    call = LlmCall.of(REQUEST, Sent(REPLY), "server")
    assert call.prompt_name == "p/1 hash"
    long = call.model_copy(update={"prompt_hash": "0123456789abcdef"})
    assert long.prompt_name == "p/1 0123456789ab"
    assert call.model_copy(update={"prompt_id": "", "prompt_hash": ""}).prompt_name == ""
