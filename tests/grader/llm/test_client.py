"""The client against a server that misbehaves in every way a server can."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path

import pytest

from grader.errors import UserError
from grader.lenient import LenientSettings, open_lenient
from grader.llm.client import Client, Fault
from grader.llm.request import DEFAULT_SERVICE, Endpoint
from grader.llm.retry import RetryPolicy
from grader.run import RunDirectory

from ..lenient.runs import GOOD, calls, grade, transcript
from .server import Act, Body, FaultServer, error_body

FAULTS: dict[str, tuple[Act, str]] = {  # a fault that lasts -> the reason of the grade
    "429": (Act(status=429, raw=error_body("slow down")), "rate_limited"),
    "500": (Act(status=500, raw=error_body("oops")), "server_error"),
    "503 as HTML": (Act(status=503, raw=b"<html>busy</html>"), "server_error"),
    "hang": (Act(hang=True), "timeout"),
    "slow": (Act(GOOD, latency=5), "timeout"),
    "dropped": (Act(drop=True), "unreachable"),
    "truncated": (Act(GOOD, cut=True), "unreachable"),
    "malformed JSON": (Act(raw=b'{"choices": [{"mess'), "malformed"),
    "not an object": (Act(raw=b"[]"), "malformed"),
    "empty body": (Act(raw=b""), "malformed"),
    "deep JSON": (Act(raw=b"[" * 100_000), "malformed"),
    "empty choices": (Act(raw=b'{"model": "judge-model", "choices": []}'), "malformed"),
    "null message": (Act(raw=b'{"choices": [{"message": null}]}'), "malformed"),
    "list content": (Act(raw=b'{"choices": [{"message": {"content": []}}]}'), "malformed"),
    "no content": (Act(None), "rejected"),
    "filtered": (Act(finish="content_filter"), "rejected"),
    "filtered halfway": (Act(GOOD[:2], finish="content_filter"), "rejected"),
    "broken off": (Act(GOOD[:3], finish="error"), "server_error"),
    "filtered by Gemini": (Act(GOOD[:3], finish="SAFETY"), "rejected"),
    "filtered, with a reason": (Act(GOOD[:3], finish="content_filter: RECITATION"), "rejected"),
    "filtered by Z.ai": (Act(GOOD[:3], finish="sensitive"), "rejected"),
    "broken off by DeepSeek": (
        Act(GOOD[:3], finish="insufficient_system_resource"),
        "server_error",
    ),
    "broken off by Z.ai": (Act(GOOD[:3], finish="network_error"), "server_error"),
    "broken off, nothing": (Act(None, finish="abort"), "server_error"),
    "wrong model": (Act(GOOD, model="another-model"), "wrong_model"),
    "no such model": (Act(status=404, raw=error_body("no such model")), "rejected"),
    "bad key": (Act(status=401, raw=error_body("bad key secret-a")), "rejected"),
    "no text in its charset": (
        Act(status=500, raw=b"oops", headers={"content-type": "text/plain; charset=base64"}),
        "malformed",
    ),
    "sent on to no port": (
        Act(status=307, headers={"location": "http://127.0.0.1:99999/v1"}),
        "malformed",
    ),
    "bad request": (Act(status=400, raw=error_body("no")), "rejected"),
}


def patience(act: Act) -> float:
    """Seconds to wait for a reply: few where there will be none, else more than enough."""
    return 0.3 if act.hang or act.latency else 30


@pytest.mark.parametrize(("act", "reason"), FAULTS.values(), ids=FAULTS)
def test_lasting_fault_is_ungraded_never_incorrect(
    tmp_path: Path, act: Act, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    with FaultServer(lambda b, n: act) as server:
        [result], _ = grade(
            tmp_path,
            [transcript()],
            base_urls=(server.url,),
            retries=2,
            request_timeout=patience(act),
            key_variables=("KEY_A",),
        )
    assert (result.verdict, result.reason) == ("ungraded", reason)
    everything = caplog.text + result.model_dump_json()
    everything += (tmp_path / "llm_calls.jsonl").read_text()
    assert "secret-a" not in everything


RECOVERABLE = [name for name, (act, reason) in FAULTS.items() if reason in (
    "rate_limited", "server_error", "timeout", "unreachable", "malformed"
)]  # fmt: skip


@pytest.mark.parametrize("name", RECOVERABLE)
def test_passing_fault_is_overcome(tmp_path: Path, name: str) -> None:
    act, reason = FAULTS[name]
    with FaultServer(lambda b, n: act if n <= 2 else GOOD) as server:
        [result], summary = grade(
            tmp_path,
            [transcript()],
            base_urls=(server.url,),
            retries=20,
            request_timeout=patience(act),
        )
    assert result.verdict == "correct"
    [call] = calls(tmp_path)
    failed = len(call.failed_attempts)
    # A busy machine may let a good reply time out as well.
    assert failed == 2 if reason != "timeout" else failed >= 2
    assert (call.attempts, call.reply) == (failed + 1, GOOD)
    assert all(why.startswith(reason) for why in call.failed_attempts)
    assert (summary.tally.usage.calls, summary.tally.usage.failed_attempts) == (1, failed)


def picky(body: Body, n: int) -> Act | str:
    """Refuses `max_tokens`, then `temperature`, as models that think before they answer do."""
    if "max_tokens" in body:
        text = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        return Act(status=400, raw=error_body(text, "unsupported_parameter", "max_tokens"))
    if "temperature" in body:
        text = "Unsupported value: 'temperature' does not support 0."
        return Act(status=400, raw=error_body(text, "unsupported_value", "temperature"))
    return GOOD


def test_model_that_refuses_temperature_and_max_tokens(tmp_path: Path) -> None:
    items = [transcript(i, f"{i}: 0.28") for i in range(5)]
    with FaultServer(picky) as server:
        grades, _ = grade(tmp_path, items, base_urls=(server.url,), concurrency=1)
        assert len(server.requests) == 7
        assert server.requests[0]["temperature"] == 0
        assert server.requests[-1]["max_completion_tokens"] == 4096
        grade(tmp_path, [transcript("new", "the mean is 0.28"), items[0]], base_urls=(server.url,))
    assert {g.verdict for g in grades} == {"correct"}
    assert all(call.parameters == {"max_completion_tokens": 4096} for call in calls(tmp_path))


@pytest.mark.parametrize("retries", [0, 6])  # asking without a refused parameter is no retry
def test_parameters_refused_while_other_requests_are_on_their_way(
    tmp_path: Path, retries: int
) -> None:
    def script(body: Body, n: int) -> Act | str:
        given = picky(body, n)
        return replace(given, company=8) if isinstance(given, Act) else given

    with FaultServer(script) as server:
        items = [transcript(i, f"{i}: 0.28") for i in range(20)]
        grades, _ = grade(tmp_path, items, base_urls=(server.url,), retries=retries)
    assert [g.verdict for g in grades] == ["correct"] * 20


def test_a_parameter_that_is_refused_again_and_again_is_an_end(tmp_path: Path) -> None:
    text = "Unsupported parameter: 'max_tokens'."
    act = Act(status=400, raw=error_body(text, "unsupported_parameter", "max_tokens"))
    with FaultServer(lambda body, n: act) as server:
        grades, _ = grade(tmp_path, [transcript()], base_urls=(server.url,), retries=1)
        assert len(server.requests) == 4
    assert [g.reason for g in grades] == ["rejected"]


@pytest.mark.parametrize("key", ["sec\nret-abcdef", "sécret-abcdef", "secret\x00abcdef"])
def test_key_that_cannot_be_sent_is_refused_unquoted(tmp_path: Path, key: str) -> None:
    run = RunDirectory.create(tmp_path)
    settings = LenientSettings(models=("m",), base_urls=("http://127.0.0.1:9/v1",))
    with pytest.raises(UserError, match="OPENAI_API_KEY holds characters") as caught:
        open_lenient(settings, run, environment={"OPENAI_API_KEY": key})
    assert "ret" not in str(caught.value)


def test_an_empty_variable_names_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "")
    client = Client(Endpoint("m"), None, timeout=1)
    assert str(client.api.base_url) == f"{DEFAULT_SERVICE}/"


def test_key_is_taken_out_of_what_a_server_sends_back(tmp_path: Path) -> None:
    act = Act("your key is secret-a, 0.28", finish="stop of secret-a")
    with FaultServer(lambda b, n: act) as server:
        settings = {"base_urls": (server.url,), "key_variables": ("KEY_A",)}
        grade(tmp_path / "run", [transcript()], cache=tmp_path / "cache", **settings)
        assert server.authorizations[0] == "Bearer secret-a"
    [first, *_] = calls(tmp_path / "run")
    assert (first.reply, first.finish_reason) == ("your key is [key], 0.28", "stop of [key]")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 3
    assert not [path for path in files if b"secret-a" in path.read_bytes()]


@pytest.mark.parametrize("finish_reason", [None, {"why": "secret-a"}])
def test_a_finish_reason_that_is_no_text(tmp_path: Path, finish_reason: object) -> None:
    choices = [{"message": {"content": GOOD}, "finish_reason": finish_reason}]
    with FaultServer(lambda b, n: Act(raw=json.dumps({"choices": choices}).encode())) as server:
        settings = {"base_urls": (server.url,), "key_variables": ("KEY_A",)}
        [result], _ = grade(tmp_path, [transcript()], **settings)
    assert result.verdict == "correct"
    assert "secret-a" not in calls(tmp_path)[0].finish_reason


def test_libraries_stay_quiet_about_requests(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO), FaultServer(lambda b, n: GOOD) as server:
        grade(tmp_path, [transcript()], base_urls=(server.url,), key_variables=("KEY_A",))
    assert "secret-a" not in caplog.text
    record = json.loads((tmp_path / "llm_calls.jsonl").read_text())
    assert record["source"] == "server" and record["latency"] > 0


def test_however_often_it_is_tried_again_the_wait_is_a_number() -> None:
    policy = RetryPolicy(retries=5000, first_wait=0.5, longest_wait=60.0)
    fault = Fault("unreachable", "", retryable=True)
    assert [policy.wait(fault, retry, 0.99) for retry in (1023, 1024, 4999)] == [
        pytest.approx(59.7)
    ] * 3
