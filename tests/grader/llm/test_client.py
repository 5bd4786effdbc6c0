"""The client against a server that misbehaves in every way a server can."""

from __future__ import annotations

import json
import logging
import time
from dataclasses import replace
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest

from grader.errors import UserError
from grader.lenient import LenientSettings, open_lenient
from grader.llm.client import same_model
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
    "wrong model": (Act(GOOD, model="another-model"), "wrong_model"),
    "no such model": (Act(status=404, raw=error_body("no such model")), "rejected"),
    "bad key": (Act(status=401, raw=error_body("bad key secret-a")), "rejected"),
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
            timeout=patience(act),
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
            tmp_path, [transcript()], base_urls=(server.url,), retries=20, timeout=patience(act)
        )
    assert result.verdict == "correct"
    [call] = calls(tmp_path)
    failed = len(call.failed_attempts)
    # A busy machine may let a good reply time out as well.
    assert failed == 2 if reason != "timeout" else failed >= 2
    assert (call.attempts, call.reply) == (failed + 1, GOOD)
    assert all(why.startswith(reason) for why in call.failed_attempts)
    assert (summary.tally.usage.calls, summary.tally.usage.failed_attempts) == (1, failed)


@pytest.mark.parametrize(
    "header", [{"retry-after": "1"}, {"retry-after-ms": "700"}, {"retry-after": "DATE"}]
)
def test_retry_after_is_honoured_by_all_requests(tmp_path: Path, header: dict[str, str]) -> None:
    times: list[float] = []

    def script(body: Body, n: int) -> Act | str:
        times.append(time.monotonic())
        in_two_seconds = formatdate(time.time() + 2, usegmt=True)
        said = {name: text.replace("DATE", in_two_seconds) for name, text in header.items()}
        return Act(status=429, raw=error_body("slow"), headers=said) if n == 1 else GOOD

    with FaultServer(script) as server:
        grades, _ = grade(
            tmp_path,
            [transcript(i, f"{i}: 0.28") for i in range(4)],
            base_urls=(server.url,),
            concurrency=1,
        )
    assert [g.verdict for g in grades] == ["correct"] * 4
    assert min(times[1:]) - times[0] >= 0.65


@pytest.mark.parametrize("passed", ["0", "-1", "DATE"])
def test_a_time_that_has_passed_is_no_reason_not_to_back_off(tmp_path: Path, passed: str) -> None:
    def script(body: Body, n: int) -> Act | str:
        said = passed.replace("DATE", formatdate(time.time() - 5, usegmt=True))
        is_busy = time.monotonic() < opens_at
        return Act(status=429, headers={"retry-after": said}) if is_busy else GOOD

    items = [transcript(i, f"{i}: 0.28") for i in range(6)]
    with FaultServer(script) as server:
        opens_at = time.monotonic() + 1
        grades, _ = grade(tmp_path, items, base_urls=(server.url,), first_wait=0.1)
    assert [g.verdict for g in grades] == ["correct"] * 6


@pytest.mark.parametrize("header", [{"retry-after-ms": "50"}, {}])
def test_a_server_that_is_only_busy_answers_all_in_the_end(
    tmp_path: Path, header: dict[str, str]
) -> None:
    opens_at = 0.0

    def script(body: Body, n: int) -> Act | str:
        nonlocal opens_at
        if time.monotonic() < opens_at:
            return Act(status=429, raw=error_body("slow down"), headers=header)
        opens_at = time.monotonic() + 0.05
        return GOOD

    items = [transcript(i, f"{i}: 0.28") for i in range(30)]
    with FaultServer(script) as server:
        grades, _ = grade(tmp_path, items, base_urls=(server.url,), retries=4, first_wait=0.05)
    assert [g.verdict for g in grades] == ["correct"] * 30


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


def test_too_long_a_pause_is_not_waited_for(tmp_path: Path) -> None:
    act = Act(status=429, raw=error_body("tomorrow"), headers={"retry-after": "86400"})
    with FaultServer(lambda b, n: act) as server:
        [result], _ = grade(tmp_path, [transcript()], base_urls=(server.url,))
    assert (result.reason, len(server.requests)) == ("rate_limited", 1)


def test_exhausted_quota_ends_the_asking(tmp_path: Path) -> None:
    act = Act(status=429, raw=error_body("no money", "insufficient_quota"))
    with FaultServer(lambda b, n: act) as server:
        grades, _ = grade(
            tmp_path,
            [transcript(i, f"{i}") for i in range(20)],
            base_urls=(server.url,),
            concurrency=1,
        )
    assert len(server.requests) == 1
    assert {g.reason for g in grades} == {"rate_limited"}


def test_refused_connection(tmp_path: Path) -> None:
    with FaultServer(lambda b, n: GOOD) as server:
        url = server.url
    grades, _ = grade(tmp_path, [transcript(i) for i in range(3)], base_urls=(url,), retries=1)
    assert {(g.verdict, g.reason) for g in grades} == {("ungraded", "unreachable")}


def test_server_dying_in_the_middle_and_coming_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    items = [transcript(i, f"{i}: 0.28") for i in range(60)]
    with FaultServer(lambda b, n: "0.28") as server:
        run = RunDirectory.create(tmp_path)
        settings = LenientSettings(
            models=("m",), base_urls=(server.url,), concurrency=4, retries=1, first_wait=0.01
        )
        grades = []
        lenient = open_lenient(settings, run)
        assert lenient is not None
        with lenient:
            for one in lenient.grade_many(items):
                grades.append(one)
                if len(grades) == 20:
                    server.die()
        port = int(server.url.split(":")[2].split("/")[0])
    answered = {g.transcript_id for g in grades if g.verdict == "correct"}
    lost = {g.transcript_id for g in grades if g.verdict == "ungraded"}
    assert len(grades) == 60 and len(answered) >= 20 and len(lost) >= 20
    assert {g.reason for g in grades if g.verdict == "ungraded"} == {"unreachable"}
    assert caplog.text.count("is not asked any more") == 1
    with FaultServer(lambda b, n: "0.28", port) as revived:
        again, _ = grade(tmp_path, items, models=("m",), base_urls=(revived.url,))
    assert {g.verdict for g in again} == {"correct"}
    assert len(revived.requests) == len(lost)


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


def test_parameters_refused_while_other_requests_are_on_their_way(tmp_path: Path) -> None:
    def script(body: Body, n: int) -> Act | str:
        given = picky(body, n)
        return replace(given, company=8) if isinstance(given, Act) else given

    with FaultServer(script) as server:
        grades, _ = grade(
            tmp_path, [transcript(i, f"{i}: 0.28") for i in range(20)], base_urls=(server.url,)
        )
    assert [g.verdict for g in grades] == ["correct"] * 20


def test_concurrency_is_used_and_kept(tmp_path: Path) -> None:
    """No request is answered before twelve are there at once, and a thirteenth has time to come."""
    with FaultServer(lambda b, n: Act(GOOD, latency=0.05, company=12)) as server:
        grades, _ = grade(
            tmp_path,
            (transcript(i, f"{i}: 0.28") for i in range(60)),
            base_urls=(server.url,),
            concurrency=12,
        )
    assert (len(grades), server.busiest) == (60, 12)


def test_input_is_read_no_faster_than_it_is_judged(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path)
    ahead = read = 0

    def endless() -> Any:
        nonlocal read
        while True:
            read += 1
            yield transcript(read, f"{read}: 0.28")

    with FaultServer(lambda b, n: GOOD) as server:
        settings = LenientSettings(models=("m",), base_urls=(server.url,), concurrency=4)
        lenient = open_lenient(settings, run)
        assert lenient is not None
        with lenient:
            for done, _ in enumerate(lenient.grade_many(endless()), 1):
                ahead = max(ahead, read - done)
                if done == 50:
                    break
    assert ahead <= 8


@pytest.mark.parametrize("key", ["sec\nret-abcdef", "sécret-abcdef", "secret\x00abcdef"])
def test_key_that_cannot_be_sent_is_refused_unquoted(tmp_path: Path, key: str) -> None:
    run = RunDirectory.create(tmp_path)
    settings = LenientSettings(models=("m",), base_urls=("http://127.0.0.1:9/v1",))
    with pytest.raises(UserError, match="OPENAI_API_KEY holds characters") as caught:
        open_lenient(settings, run, environment={"OPENAI_API_KEY": key})
    assert "ret" not in str(caught.value)


def test_key_is_taken_out_of_what_a_server_sends_back(tmp_path: Path) -> None:
    with FaultServer(lambda b, n: "your key is secret-a, 0.28") as server:
        grade(tmp_path, [transcript()], base_urls=(server.url,), key_variables=("KEY_A",))
        assert server.authorizations[0] == "Bearer secret-a"
    assert calls(tmp_path)[0].reply == "your key is [key], 0.28"
    assert "secret-a" not in (tmp_path / "manifest.json").read_text()


def test_libraries_stay_quiet_about_requests(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO), FaultServer(lambda b, n: GOOD) as server:
        grade(tmp_path, [transcript()], base_urls=(server.url,), key_variables=("KEY_A",))
    assert "secret-a" not in caplog.text
    record = json.loads((tmp_path / "llm_calls.jsonl").read_text())
    assert record["source"] == "server" and record["latency"] > 0
