"""What servers send: refusals, their words, pauses, names of models."""

from __future__ import annotations

import json
import time
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest

from grader.llm.completion import (
    breakdown_in,
    completion_in,
    is_too_long,
    refusal_in,
    retry_after,
    same_model,
)

from ..lenient.runs import GOOD, grade, transcript
from .server import Act, Body, FaultServer, error_body

WORDS: dict[str, tuple[bytes, str]] = {  # a refusal -> the reason of the grade
    "TGI": (b'{"error": "`inputs` must have less than 4096 tokens"}', "too_long"),
    "FastAPI": (b'{"detail": [{"msg": "must have less words"}]}', "rejected"),
    "text": (b"must have less words than secret-a", "rejected"),
    "message": (error_body("must have less words"), "rejected"),
}


@pytest.mark.parametrize(("raw", "reason"), WORDS.values(), ids=WORDS)
def test_what_a_server_says_is_kept_wherever_it_says_it(
    tmp_path: Path, raw: bytes, reason: str
) -> None:
    with FaultServer(lambda b, n: Act(status=422, raw=raw)) as server:
        [result], _ = grade(
            tmp_path, [transcript()], base_urls=(server.url,), key_variables=("KEY_A",)
        )
    assert result.reason == reason
    detail = result.evidence["judges"][0]["detail"]
    assert detail.startswith("HTTP 422: ") and "must have less" in detail
    assert "secret-a" not in detail


@pytest.mark.parametrize(
    "act",
    [
        Act(status=400, raw=error_body("no " * 100_000)),
        Act(GOOD, model="m" * 300_000),
        Act(GOOD, finish="stop" * 100_000),
    ],
    ids=["message", "model", "finish_reason"],
)
def test_a_long_word_of_a_server_is_not_kept_whole(tmp_path: Path, act: Act) -> None:
    with FaultServer(lambda b, n: act) as server:
        grade(tmp_path, [transcript()], base_urls=(server.url,))
    assert sum(path.stat().st_size for path in tmp_path.rglob("*.*")) < 20_000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("This model's maximum context length is 8192 tokens", True),
        ("This model's maximum prompt length is 131072 but the request contains 136973", True),
        ("The model returned: Input is too long for requested model.", True),
        ("InvalidParameter: Range of input length should be [1, 30720]", True),
        ("prompt is too long: 202128 tokens > 200000 maximum", True),
        ("Range of max_tokens should be [1, 8192]", False),
        ("the prompt was flagged", False),
    ],
)
def test_in_which_words_services_find_a_request_too_long(text: str, expected: bool) -> None:
    assert is_too_long(None, text) is expected


def test_a_request_beyond_the_tokens_of_a_minute_is_too_long(tmp_path: Path) -> None:
    """Waiting cannot help it, and it says nothing of the endpoint."""
    raw = error_body("Request too large for m: Limit 30000, Requested 47215", "rate_limit_exceeded")
    items = [transcript(i, f"{i}: 0.28") for i in range(12)]

    def script(body: Body, n: int) -> Act | str:
        text = body["messages"][-1]["content"]
        is_large = any(f"{i}: 0.28" in text.splitlines() for i in range(7))
        return Act(status=429, raw=raw) if is_large else GOOD

    with FaultServer(script) as server:
        grades, _ = grade(tmp_path, items, base_urls=(server.url,), concurrency=1)
    assert sorted(g.reason for g in grades) == ["too_long"] * 7 + ["within_tolerance"] * 5


TEXT = {"type": "text", "text": "0.28"}
THOUGHT = {"type": "thinking", "thinking": [{"type": "text", "text": "0.99?"}]}


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([TEXT], "0.28"),
        ([THOUGHT, {"type": "text", "text": "0."}, {"type": "text", "text": "28"}], "0.28"),
        ([THOUGHT], ""),
    ],
)
def test_content_in_parts_is_joined(content: list[Any], text: str) -> None:
    body = json.dumps({"choices": [{"message": {"content": content}}]}).encode()
    data, found = completion_in(body, "")
    assert (found, data["choices"][0]["message"]["content"]) == (text, text)


@pytest.mark.parametrize(
    "content", [[], ["0.28"], [{"text": "0.28"}], [{"type": "text", "text": 0.28}], 0.28, TEXT]
)
def test_content_of_another_form_is_none(content: object) -> None:
    body = json.dumps({"choices": [{"message": {"content": content}}]}).encode()
    with pytest.raises(ValueError, match="content is not text"):
        completion_in(body, "")


def test_a_refusal_in_parts_is_no_reply(tmp_path: Path) -> None:
    content = [{"type": "refusal", "refusal": "I can't help."}]
    body = json.dumps({"choices": [{"message": {"content": content}}]}).encode()
    with FaultServer(lambda b, n: Act(raw=body)) as server:
        [result], _ = grade(tmp_path, [transcript()], base_urls=(server.url,))
    assert (result.reason, len(server.requests)) == ("rejected", 1)


@pytest.mark.parametrize(
    ("message", "finish_reason", "why"),
    [
        ({"content": "0.28"}, "stop", None),
        ({"content": None}, "length", None),
        ({"content": None, "refusal": "I can't help."}, "stop", "the model refused: I can't help."),
        ({"content": "", "refusal": None}, "stop", "the reply is empty"),
        ({}, "stop", "the reply is empty"),
        ({"content": "0.2"}, "content_filter", "the reply was stopped by the service's "),
    ],
)
def test_why_a_choice_is_no_answer(
    message: dict[str, Any], finish_reason: str, why: str | None
) -> None:
    found = refusal_in({"message": message, "finish_reason": finish_reason}, "")
    assert found == why or (found and why and found.startswith(why))


@pytest.mark.parametrize("finish_reason", [[], {}, "", 0])
def test_an_empty_finish_reason_of_any_kind_is_none(finish_reason: object) -> None:
    choice = {"message": {"content": "0.28"}, "finish_reason": finish_reason}
    data, text = completion_in(json.dumps({"choices": [choice]}).encode(), "")
    assert (text, data["choices"][0]["finish_reason"]) == ("0.28", None)


@pytest.mark.parametrize(
    ("error", "why"),
    [
        ({}, "the reply broke off (finish_reason 'error')"),
        ({"error": {"message": "secret-a is gone"}}, "(finish_reason 'error'): [key] is gone"),
        ({"error": "gone"}, "(finish_reason 'error'): gone"),
    ],
)
def test_why_a_reply_broke_off(error: dict[str, Any], why: str) -> None:
    choice = {"message": {"content": "0.2"}, "finish_reason": "error", **error}
    assert (breakdown_in(choice, "secret-a") or "").endswith(why)
    assert breakdown_in({**choice, "finish_reason": "stop"}, "secret-a") is None


def test_a_refusal_is_asked_again_by_the_same_command(tmp_path: Path) -> None:
    """It is on record as a failed attempt, not as the reply, and says nothing of the endpoint."""
    refused = [Act(None), Act(" "), Act("0.2", finish="content_filter"), Act(None), Act(None)]
    items = [transcript(i, f"{i}: 0.28") for i in range(6)]
    with FaultServer(lambda b, n: refused[n - 1] if n <= 5 else GOOD) as server:
        settings: dict[str, Any] = {"base_urls": (server.url,), "cache": tmp_path / "cache"}
        first, _ = grade(tmp_path / "run", items, concurrency=1, **settings)
        again, _ = grade(tmp_path / "run", items, **settings)
        other, _ = grade(tmp_path / "other", items, **settings)
    assert [g.reason for g in first] == ["rejected"] * 5 + ["within_tolerance"]
    assert [g.verdict for g in again + other] == ["correct"] * 12


PAUSES = [  # what a server says -> seconds, or None
    ({"retry-after": "2"}, 2.0),
    ({"retry-after": " 1.5 "}, 1.5),
    ({"retry-after": "9", "retry-after-ms": "250"}, 0.25),
    ({}, None),
    ({"retry-after": "soon"}, None),
    ({"retry-after": "0"}, None),
    ({"retry-after": "-1"}, None),
    ({"retry-after-ms": "0"}, None),
    ({"retry-after": formatdate(0, usegmt=True)}, None),
    ({"retry-after": f"Mon, 01 Jan {10**20} 00:00:00 GMT"}, None),
]


@pytest.mark.parametrize(("headers", "seconds"), PAUSES)
def test_when_to_ask_again(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


@pytest.mark.parametrize("offset", [-3600, 0, 3600], ids=["behind", "equal", "ahead"])
@pytest.mark.parametrize("form", ["GMT", "-0000", "asctime"])
def test_a_date_to_wait_for_is_measured_by_the_clock_that_named_it(offset: int, form: str) -> None:
    now = time.time() + offset
    until = formatdate(now + 2, usegmt=form == "GMT")
    if form == "asctime":
        until = time.asctime(time.gmtime(now + 2))
    assert retry_after({"retry-after": until, "date": formatdate(now, usegmt=True)}) == 2


@pytest.mark.parametrize("date", ["", "soon", f"Mon, {10**20} Jan 2024 00:00:00 GMT"])
def test_a_date_to_wait_for_without_the_servers_time(date: str) -> None:
    until = formatdate(time.time() + 60, usegmt=True)
    assert retry_after({"retry-after": until, "date": date}) == pytest.approx(60, abs=30)


@pytest.mark.parametrize(
    ("asked", "served", "same"),
    [
        ("gpt-4o-mini", "gpt-4o-mini-2024-07-18", True),
        ("openai/gpt-4o-mini", "gpt-4o-mini", True),
        ("llama3", "llama3:latest", True),
        ("Qwen3", "qwen3", True),
        ("m", "", True),
        ("gpt-4o", "gpt-4o-mini", False),
        ("gpt-4", "gpt-4o", False),
        ("a.c", "abc", False),
    ],
)
def test_which_served_names_are_the_model_asked_for(asked: str, served: str, same: bool) -> None:
    assert same_model(asked, served) is same
