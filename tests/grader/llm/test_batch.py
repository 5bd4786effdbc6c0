from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from grader.records import Grade
from tests.grader.lenient.runs import calls, grade, transcript
from tests.grader.llm.batch_server import BatchServer, Body
from tests.grader.llm.batches import FAST, distinct, value

MANY = [transcript(n, truth="0.28" if n % 2 else "0.4") for n in range(12)]


def by_batch(folder: Path, server: BatchServer, **more: Any) -> tuple[list[Grade], Any]:
    return grade(folder, MANY, mode="batch", base_urls=(server.url,), **{**FAST, **more})


def test_the_same_grades_and_cache_as_online(tmp_path: Path) -> None:
    with BatchServer(value) as server:
        batch, summary = by_batch(tmp_path / "batch", server)
        online, _ = grade(tmp_path / "online", MANY, base_urls=(server.url,), models=FAST["models"])
        assert batch == online
        assert [g.verdict for g in batch].count("correct") == 6
        assert [len(b) for b in server.batches.values()] == [1]  # equal prompts are paid for once
        again, later = grade(
            tmp_path / "batch", MANY, base_urls=(server.url,), models=FAST["models"]
        )
        assert (again, later.tally.usage.calls) == (batch, 0)
        assert len(server.online) == 1
    assert {c.key for c in calls(tmp_path / "batch")} == {c.key for c in calls(tmp_path / "online")}
    first = calls(tmp_path / "batch")[0]
    assert first.cost == pytest.approx((100 * 0.15 + 4 * 0.60) / 1e6 / 2)
    assert summary.tally.usage.cost == pytest.approx(first.cost)


def test_batches_are_filled_and_split(tmp_path: Path) -> None:
    with BatchServer(lambda body: "0.28") as server:
        grades, _ = grade(
            tmp_path, distinct(25), mode="batch", base_urls=(server.url,),
            batch_requests=10, **FAST,
        )  # fmt: skip
        assert sum(len(b) for b in server.batches.values()) == 25
        assert max(len(b) for b in server.batches.values()) <= 10
    assert [g.verdict for g in grades] == ["correct"] * 25


def test_replies_that_break_the_form_go_into_another_batch(tmp_path: Path) -> None:
    seen: set[str] = set()

    def stubborn(body: Body) -> str:
        key = hashlib.sha256(json.dumps(body).encode()).hexdigest()
        seen.add(key)
        return "It is hard to say what this means" if len(seen) <= 3 else "0.28"

    full = {**FAST, "batch_requests": 3, "batch_quiet": 100}  # a batch is submitted when full
    with BatchServer(stubborn) as server:
        grades, _ = grade(tmp_path, distinct(3), mode="batch", base_urls=(server.url,), **full)
        assert [len(b) for b in server.batches.values()] == [3, 3]
    assert [g.verdict for g in grades] == ["correct"] * 3


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"ends_as": "failed"}, "rejected"),
        ({"ends_as": "expired"}, "timeout"),
        ({"ends_as": "cancelled"}, "timeout"),
    ],
)
def test_a_batch_that_comes_to_nothing_is_ungraded(
    tmp_path: Path, settings: dict[str, Any], reason: str
) -> None:
    with BatchServer(value, **settings) as server:
        grades, _ = by_batch(tmp_path, server, retries=1)
        assert {(g.verdict, g.reason) for g in grades} == {("ungraded", reason)}
        server.ends_as = "completed"
        later, _ = by_batch(tmp_path, server, retries=1)
    assert {g.verdict for g in later} == {"correct", "incorrect"}


def test_one_bad_request_does_not_spoil_the_others(tmp_path: Path) -> None:
    def one_bad(body: Body) -> str | tuple[int, str]:
        if "set 3 " in body["messages"][-1]["content"]:
            return 400, "this request is not to the server's liking"
        return "0.28"

    with BatchServer(one_bad) as server:
        grades, _ = grade(tmp_path, distinct(6), mode="batch", base_urls=(server.url,), **FAST)
    verdicts = {g.transcript_id: (g.verdict, g.reason) for g in grades}
    assert verdicts.pop("t3") == ("ungraded", "rejected")
    assert set(verdicts.values()) == {("correct", "within_tolerance")}


def test_a_service_that_stumbles_is_asked_again(tmp_path: Path) -> None:
    with BatchServer(value, refuse_batches=2) as server:
        grades, _ = by_batch(tmp_path, server)
        assert len(server.batches) == 1
    assert [g.verdict for g in grades].count("correct") == 6


def test_a_batch_for_which_there_is_no_room_yet_is_submitted_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "grader")
    with BatchServer(value, full=2) as server:
        grades, _ = by_batch(tmp_path, server)
        assert len(server.batches) == 3
    assert [g.verdict for g in grades].count("correct") == 6
    assert "failed (Enqueued token limit reached), 0 of 1 answered" in caplog.text


def test_several_full_batches_run_at_a_time(tmp_path: Path) -> None:
    settings = {**FAST, "batch_requests": 5, "batches_at_once": 2}
    with BatchServer(lambda body: "0.28", looks=None) as server:

        def both_run() -> bool:
            return len(server.batches) == 2

        server.ends_when = both_run
        grades, _ = grade(tmp_path, distinct(10), mode="batch", base_urls=(server.url,), **settings)
    assert [g.verdict for g in grades] == ["correct"] * 10


def test_no_service_at_all_is_ungraded(tmp_path: Path) -> None:
    grades, _ = grade(
        tmp_path, MANY, mode="batch", base_urls=("http://127.0.0.1:9/v1",), retries=1, **FAST
    )
    assert {(g.verdict, g.reason) for g in grades} == {("ungraded", "unreachable")}


@pytest.mark.parametrize("garbage", [b"<html>", b"[]", b"{}"])
def test_a_service_that_talks_nonsense_is_ungraded(tmp_path: Path, garbage: bytes) -> None:
    with BatchServer(value, garbage=garbage) as server:
        grades, _ = by_batch(tmp_path, server, retries=1)
    assert {(g.verdict, g.reason) for g in grades} == {("ungraded", "malformed")}


def verdicts(grades: list[Grade]) -> set[str]:
    return {grade.verdict for grade in grades}


@pytest.mark.parametrize("outage", [401, 403, 404, 500])
def test_a_batch_that_cannot_be_looked_at_is_not_paid_for_again(
    tmp_path: Path, outage: int
) -> None:
    with BatchServer(value, outage=outage) as server:
        first, _ = by_batch(tmp_path, server, retries=1)
        if outage != 404:  # which says, when the next session asks, that the batch is gone
            second, _ = by_batch(tmp_path, server, retries=1)
            assert verdicts(second) == {"ungraded"}
        server.outage = 0
        third, _ = by_batch(tmp_path, server, retries=1)
        assert len(server.batches) == 1
    assert (verdicts(first), verdicts(third)) == ({"ungraded"}, {"correct", "incorrect"})


def test_a_batch_that_is_gone_is_asked_anew(tmp_path: Path) -> None:
    with BatchServer(value, outage=500) as server:
        by_batch(tmp_path, server, retries=1)
        server.outage = 404
        grades, _ = by_batch(tmp_path, server, retries=1)
        assert verdicts(grades) == {"ungraded"}
        assert len(server.batches) == 2
        server.outage = 0
        grades, _ = by_batch(tmp_path, server, retries=1)
        assert len(server.batches) == 2
    assert verdicts(grades) == {"correct", "incorrect"}


@pytest.mark.parametrize("others", [0, 250])
@pytest.mark.parametrize("retries", [0, 2])
def test_a_batch_whose_start_was_not_answered_is_started_once(
    tmp_path: Path, retries: int, others: int
) -> None:
    with BatchServer(value, lose_answers=1, others=others) as server:
        by_batch(tmp_path, server, retries=retries)
        grades, _ = by_batch(tmp_path, server, retries=retries)
        assert len(server.batches) == 1
    assert verdicts(grades) == {"correct", "incorrect"}


def test_a_batch_that_was_refused_is_asked_for_by_the_next_command(tmp_path: Path) -> None:
    with BatchServer(value, refuse_batches=2) as server:
        refused, _ = by_batch(tmp_path, server, retries=1)
        grades, _ = by_batch(tmp_path, server, retries=1)
        assert len(server.batches) == 1
    assert (verdicts(refused), verdicts(grades)) == ({"ungraded"}, {"correct", "incorrect"})


def test_a_batch_whose_files_are_gone_is_asked_anew_by_the_next_command(tmp_path: Path) -> None:
    with BatchServer(value, without_files=True) as server:
        lost, _ = by_batch(tmp_path, server)
        assert len(server.batches) == 1
        assert sum(call.charged.calls for call in calls(tmp_path)) == 1
        server.without_files = False
        grades, _ = by_batch(tmp_path, server)
        assert len(server.batches) == 2
    assert {(g.verdict, g.reason) for g in lost} == {("ungraded", "malformed")}
    assert verdicts(grades) == {"correct", "incorrect"}


def test_a_batch_with_an_unknown_status_is_still_running(tmp_path: Path) -> None:
    with BatchServer(value, running="queued") as server:
        grades, _ = by_batch(tmp_path, server)
        assert len(server.batches) == 1
    assert verdicts(grades) == {"correct", "incorrect"}


@pytest.mark.parametrize("retries", [0, 6])
def test_a_parameter_that_a_model_refuses_is_left_out_for_all_requests(
    tmp_path: Path, retries: int
) -> None:
    def picky(body: Body) -> str | tuple[int, str]:
        for name in ("max_tokens", "temperature"):
            if name in body:
                return 400, f"Unsupported value: {name!r}"
        return "0.28"

    with BatchServer(picky) as server:
        given = {**FAST, "retries": retries}
        grades, _ = grade(tmp_path, distinct(5), mode="batch", base_urls=(server.url,), **given)
        assert [len(b) for b in server.batches.values()] == [5, 5, 5]
    assert [g.verdict for g in grades] == ["correct"] * 5
