"""Asking a server: waiting as it wants, many requests at a time, and giving up."""

from __future__ import annotations

import time
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest

from grader.lenient import LenientSettings, open_lenient
from grader.run import RunDirectory

from ..lenient.runs import GOOD, calls, grade, transcript
from .server import Act, Body, FaultServer, error_body


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


def test_a_pause_of_no_length_is_no_reason_not_to_back_off(tmp_path: Path) -> None:
    def script(body: Body, n: int) -> Act | str:
        is_busy = time.monotonic() < opens_at
        return Act(status=429, headers={"retry-after": "0"}) if is_busy else GOOD

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


def test_requests_that_are_never_served_do_not_keep_others_from_it(tmp_path: Path) -> None:
    """They are left to themselves in the end, and more of them than end the asking for good."""

    def script(body: Body, n: int) -> Act | str:
        text = body["messages"][-1]["content"]
        is_large = any(f"{i}: 0.28" in text.splitlines() for i in range(0, 30, 3))
        return Act(status=429, raw=error_body("slow down")) if is_large else GOOD

    items = [transcript(i, f"{i}: 0.28") for i in range(30)]
    settings: dict[str, Any] = {"concurrency": 3, "retries": 2, "first_wait": 0.01}
    with FaultServer(script) as server:
        grades, _ = grade(tmp_path, items, base_urls=(server.url,), **settings)
    assert [g.verdict for g in grades].count("correct") == 20


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


@pytest.mark.parametrize("status", [401, 404, 405])
def test_a_fault_that_must_repeat_ends_the_asking(tmp_path: Path, status: int) -> None:
    items = [transcript(i, f"{i}: 0.28") for i in range(20)]
    with FaultServer(lambda b, n: Act(status=status, raw=error_body("no"))) as server:
        grades, _ = grade(tmp_path, items, base_urls=(server.url,), concurrency=1)
    assert ({g.reason for g in grades}, len(server.requests)) == ({"rejected"}, 1)


def test_a_filter_that_refuses_one_text_refuses_no_other(tmp_path: Path) -> None:
    refused = Act(status=403, raw=error_body("flagged"))
    script = lambda b, n: refused if "1: 0.28" in b["messages"][-1]["content"] else GOOD  # noqa: E731
    with FaultServer(script) as server:
        items = [transcript(i, f"{i}: 0.28") for i in range(9)]
        grades, _ = grade(tmp_path, items, base_urls=(server.url,), concurrency=1)
    assert [g.reason for g in grades].count("rejected") == 1
    assert [g.verdict for g in grades].count("correct") == 8


@pytest.mark.parametrize("status", [402, 403])
def test_a_key_without_money_or_rights_is_refused_five_times_at_most(
    tmp_path: Path, status: int
) -> None:
    with FaultServer(lambda b, n: Act(status=status, raw=error_body("no"))) as server:
        items = [transcript(i, f"{i}") for i in range(20)]
        grades, _ = grade(tmp_path, items, base_urls=(server.url,), concurrency=1)
    assert (len(server.requests), {g.reason for g in grades}) == (5, {"rejected"})


def test_failures_with_replies_between_them_do_not_end_the_asking(tmp_path: Path) -> None:
    """Only five in a row do."""
    refused = Act(status=403, raw=error_body("flagged"))
    with FaultServer(lambda b, n: refused if n % 5 else GOOD) as server:
        items = [transcript(i, f"{i}: 0.28") for i in range(15)]
        grades, _ = grade(tmp_path, items, base_urls=(server.url,), concurrency=1)
        assert len(server.requests) == 15
    assert [g.verdict for g in grades].count("correct") == 3


def test_a_judge_that_waits_takes_no_slot_from_another(tmp_path: Path) -> None:
    def script(body: Body, n: int) -> Act | str:
        if body["model"] == "busy":
            return Act(status=429, raw=error_body("slow"), headers={"retry-after": "4"})
        return GOOD

    items = [transcript(i, f"{i}: 0.28") for i in range(4)]
    judges = {"models": ("busy", "free"), "retries": 1, "concurrency": 2}
    with FaultServer(script) as server:
        grade(tmp_path, items, base_urls=(server.url,), **judges)
    asked = [body["model"] for body in server.requests]
    assert asked.count("free") == 4
    assert "free" not in asked[-2:]  # all before the busy one is asked once more


def test_what_is_cut_on_its_way_may_be_billed(tmp_path: Path) -> None:
    with FaultServer(lambda b, n: Act("0.28", cut=True)) as server:
        items = [transcript(i, f"{i}: 0.28") for i in range(9)]
        grade(tmp_path, items, base_urls=(server.url,), max_calls=2, retries=3)
        assert len(server.requests) == 2
    assert sum(call.charged.calls for call in calls(tmp_path)) == 2


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
