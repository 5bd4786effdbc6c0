from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.grader.lenient.runs import grade, transcript
from tests.grader.llm.batch_server import BatchServer, Body
from tests.grader.llm.test_batch import FAST


def failed(**more: Any) -> Body:
    """What differs in the line of a request that got no reply."""
    return {"response": None, "error": None, **more}


def status_500(body: Any) -> Body:
    return failed(response={"status_code": 500, "body": body})


@pytest.mark.parametrize(
    ("line", "reason", "detail"),
    [
        (failed(error="expired"), "timeout", "expired"),
        (failed(error={"code": "batch_expired", "message": "too late"}), "timeout", "too late"),
        (failed(error={"code": "batch_expired"}), "timeout", "{'code': 'batch_expired'}"),
        (failed(), "timeout", "no reason given"),
        (failed(response={"status_code": 0, "body": None}), "timeout", "no reason given"),
        (status_500({"error": "broken"}), "server_error", "HTTP 500: broken"),
        (status_500({"error": {"message": "broken"}}), "server_error", "HTTP 500: broken"),
        (status_500("broken"), "server_error", "HTTP 500: broken"),
        (status_500(None), "server_error", "HTTP 500: no reason given"),
        (failed(response=[1]), "malformed", "the batch holds no reply to this request"),
    ],
)
def test_one_failed_line_costs_one_request_however_its_error_is_stated(
    tmp_path: Path, line: Body, reason: str, detail: str
) -> None:
    broken: set[str] = set()

    def break_one(record: Body) -> list[Body]:
        broken.add(record["custom_id"] if not broken else "")
        return [{**record, **line} if record["custom_id"] in broken else record]

    with BatchServer(lambda body: "0.28", lines=break_one) as server:
        grades, _ = graded(tmp_path, server)
        assert len(server.batches) == 1
    assert sorted(g.verdict for g in grades) == ["correct"] * 3 + ["ungraded"]
    [ungraded] = [g for g in grades if g.verdict == "ungraded"]
    assert ungraded.reason == reason
    assert ungraded.evidence["judges"][0]["detail"] == detail


@pytest.mark.parametrize(("ends_as", "batches"), [("expired", 3), ("cancelled", 1)])
def test_a_batch_that_was_cancelled_is_not_submitted_again(
    tmp_path: Path, ends_as: str, batches: int
) -> None:
    with BatchServer(lambda body: "0.28", ends_as=ends_as) as server:
        grades, _ = graded(tmp_path, server, retries=2)
        assert len(server.batches) == batches
    assert [g.reason for g in grades] == ["timeout"] * 4


@pytest.mark.parametrize("reply_first", [True, False])
def test_a_reply_counts_before_a_failure_of_the_same_request(
    tmp_path: Path, reply_first: bool
) -> None:
    def twice(record: Body) -> list[Body]:
        lines = [record, {**record, **status_500("broken")}]
        return lines if reply_first else lines[::-1]

    with BatchServer(lambda body: "0.28", lines=twice) as server:
        grades, _ = graded(tmp_path, server)
        assert len(server.batches) == 1
    assert [g.verdict for g in grades] == ["correct"] * 4


@pytest.mark.parametrize("listing", [405, 500])
def test_a_service_need_not_list_its_batches(tmp_path: Path, listing: int) -> None:
    with BatchServer(lambda body: "0.28", listing=listing, refused=True) as server:
        refused, _ = graded(tmp_path, server)
        server.refused = False
        grades, _ = graded(tmp_path, server)
    assert [g.reason for g in refused] == ["rejected"] * 4
    assert [g.verdict for g in grades] == ["correct"] * 4


def test_a_status_may_be_written_in_capitals(tmp_path: Path) -> None:
    with BatchServer(lambda body: "0.28", spelling=str.upper) as server:
        grades, _ = graded(tmp_path, server)
    assert [g.verdict for g in grades] == ["correct"] * 4


def test_a_batch_without_a_status_is_not_waited_for(tmp_path: Path) -> None:
    with BatchServer(lambda body: "0.28", spelling=lambda status: None) as server:
        grades, _ = graded(tmp_path, server)
    assert [g.reason for g in grades] == ["malformed"] * 4


def test_the_key_is_not_in_what_is_said_of_failures(tmp_path: Path) -> None:
    def late(record: Body) -> list[Body]:
        return [{**record, **failed(error="no quota for secret-a")}]

    with BatchServer(lambda body: "0.28", lines=late, problem="no quota for secret-a") as server:
        for ends_as in ("failed", "completed"):
            server.ends_as = ends_as
            grades, _ = graded(tmp_path, server, key_variables=("KEY_A",))
            assert "no quota for [key]" in grades[0].evidence["judges"][0]["detail"]


def graded(folder: Path, server: BatchServer, **more: Any) -> Any:
    four = [transcript(n, output=f"The mean of set {n} is **0.28**.") for n in range(4)]
    settings = {"mode": "batch", "base_urls": (server.url,), "retries": 0, **FAST, **more}
    return grade(folder, four, **settings)
