"""What batches cost: budgets, charges, and nothing paid for twice."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.bench import corpus
from tests.grader.lenient.runs import calls, grade
from tests.grader.llm.batch_server import BatchServer, Body
from tests.grader.llm.batches import FAST, distinct, value
from tests.shared_data import ROOT
from tests.waiting import wait_until


def test_the_budget_holds(tmp_path: Path) -> None:
    with BatchServer(lambda body: "0.28") as server:
        grades, _ = grade(
            tmp_path, distinct(6), mode="batch", base_urls=(server.url,), max_calls=4, **FAST
        )
        assert sum(len(b) for b in server.batches.values()) == 4
    assert [g.verdict for g in grades].count("ungraded") == 2


def test_a_batch_costs_half_the_list_price(tmp_path: Path) -> None:
    with BatchServer(value) as server:
        grade(tmp_path, distinct(2), mode="batch", base_urls=(server.url,), **FAST)
    for call in calls(tmp_path):
        assert call.prompt_tokens and call.completion_tokens
        list_price = (0.15 * call.prompt_tokens + 0.60 * call.completion_tokens) / 1e6
        assert call.cost == call.charged.cost == pytest.approx(list_price / 2)


def test_what_a_running_batch_may_take_is_waited_for(tmp_path: Path) -> None:
    """The prompts are taken for longer than they are; all replies together are within the limit."""
    with BatchServer(lambda body: "0.28") as server:
        grades, _ = grade(
            tmp_path, distinct(10), mode="batch", base_urls=(server.url,), max_tokens=2000, **FAST
        )
        first, *later = (len(batch) for batch in server.batches.values())
    assert 0 < first < 10 == first + sum(later)
    assert [g.verdict for g in grades] == ["correct"] * 10


def test_without_usage_the_estimates_are_charged_and_last_over_resumes(tmp_path: Path) -> None:
    limits: dict[str, Any] = {**FAST, "max_tokens": 4 * 400}
    with BatchServer(lambda body: "0.28", usage=False) as server:
        for _ in range(2):
            grade(tmp_path, distinct(12), mode="batch", base_urls=(server.url,), **limits)
        asked = sum(len(b) for b in server.batches.values())
    assert 0 < asked < 12
    assert sum(call.charged.tokens for call in calls(tmp_path)) <= 4 * 400


def test_replies_that_are_billed_but_of_no_use_are_charged(tmp_path: Path) -> None:
    def useless(record: Body) -> list[Body]:
        record["response"]["body"]["choices"] = []
        return [record]

    with BatchServer(value, lines=useless) as server:
        for _ in range(2):
            grade(
                tmp_path, distinct(3), mode="batch", base_urls=(server.url,),
                max_calls=5, retries=2, **FAST,
            )  # fmt: skip
        assert sum(len(batch) for batch in server.batches.values()) == 5
    assert sum(call.charged.calls for call in calls(tmp_path)) == 5


def test_no_further_batch_is_paid_for_after_a_fault_that_must_repeat(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def of_another_model(record: Body) -> list[Body]:
        record["response"]["body"]["model"] = "another"
        return [record]

    few = {**FAST, "batch_requests": 3, "batches_at_once": 1}
    with BatchServer(value, lines=of_another_model) as server:
        grades, _ = grade(tmp_path, distinct(9), mode="batch", base_urls=(server.url,), **few)
        assert sum(len(batch) for batch in server.batches.values()) == 3
        assert "is not asked any more (wrong_model" in caplog.text
        later, _ = grade(
            tmp_path, distinct(9), mode="batch", base_urls=(server.url,),
            accept_served_model=True, **few,
        )  # fmt: skip
    assert {(g.verdict, g.reason) for g in grades} == {("ungraded", "wrong_model")}
    assert {g.verdict for g in later} == {"correct"}


def test_what_an_interrupted_batch_may_take_is_set_aside(tmp_path: Path) -> None:
    source, run, settings = tmp_path / "all.jsonl", tmp_path / "run", tmp_path / "s.toml"
    corpus.write(source, 30)
    settings.write_text("[lenient]\nbatch_quiet = 0.2\nbatch_poll = 0.05\nfirst_wait = 0.01\n")
    with BatchServer(lambda body: "0.28", looks=None) as server:
        command = [sys.executable, "-m", "grader", "grade", str(source), "--run", str(run),
                   "--lenient", "batch", "--base-url", server.url, "--settings", str(settings),
                   "--max-calls", "5"]  # fmt: skip
        for _ in range(2):
            looks = sum(server._looked.values())
            process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
            wait_until(lambda seen=looks: sum(server._looked.values()) > seen)
            process.kill()
            process.wait()
        server.looks = 0
        subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
        assert sum(len(batch) for batch in server.batches.values()) == 5
    assert sum(call.charged.calls for call in calls(run)) == 5


def test_what_a_batch_that_nobody_asks_for_may_take_is_given_back(tmp_path: Path) -> None:
    """Two of the other four requests wait until the batch of the first session has ended."""
    limits: dict[str, Any] = {**FAST, "max_calls": 6, "retries": 1, "first_wait": 0.01}
    with BatchServer(value, outage=500) as server:
        grade(tmp_path, distinct(4), mode="batch", base_urls=(server.url,), **limits)
        server.outage = 0
        others, _ = grade(
            tmp_path, distinct(8)[4:], mode="batch", base_urls=(server.url,), **limits
        )
    assert [g.verdict for g in others] == ["correct"] * 4


@pytest.mark.parametrize("kill_when", ["named", "started"])
def test_killed_and_run_again_pays_nothing_twice(tmp_path: Path, kill_when: str) -> None:
    """Killed while a batch runs (or, `named`, before its id was noted): the next session waits
    for that batch and submits only what it does not hold."""
    source, run = tmp_path / "all.jsonl", tmp_path / "run"
    corpus.write(source, 30)
    settings = tmp_path / "s.toml"
    settings.write_text("[lenient]\nbatch_quiet = 1.0\nbatch_poll = 0.05\nfirst_wait = 0.01\n")
    with BatchServer(lambda body: "0.28", looks=None) as server:
        command = [sys.executable, "-m", "grader", "grade", str(source), "--run", str(run),
                   "--lenient", "batch", "--base-url", server.url, "--settings", str(settings),
                   "--json"]  # fmt: skip
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
        wait_until(lambda: bool(server._looked))
        process.kill()
        process.wait()
        asked = len(server.batches["batch_0"])
        assert asked > 5
        if kill_when == "named":
            log = run / "llm_batches.jsonl"
            log.write_text(log.read_text().splitlines()[0] + "\n")
        server.looks = 0
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, text=True)
        summary = json.loads(done.stdout)
        assert len(server.batches) == 1
        assert summary["lenient"]["calls"] == asked
        assert summary["lenient"]["judged"] == asked
        once_more = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, text=True)
        assert json.loads(once_more.stdout)["lenient"]["calls"] == 0
        assert len(server.batches) == 1
