"""Commands that are interrupted: what was sent is charged, and nothing more is sent."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from grader.llm.client import Fault
from grader.llm.retry import RetryPolicy
from grader.records import Grade, Transcript
from tests.bench import corpus
from tests.shared_data import ROOT
from tests.waiting import wait_until

from ..lenient.runs import calls, grade, transcript
from .batch_server import BatchServer
from .batch_server import Body as BatchLine
from .batches import FAST
from .server import Act, FaultServer


def test_what_is_interrupted_on_its_way_may_be_billed(tmp_path: Path) -> None:
    source, run = tmp_path / "all.jsonl", tmp_path / "run"
    corpus.write(source, 30)
    with FaultServer(lambda b, n: Act(hang=True)) as server:
        command = [sys.executable, "-m", "grader", "grade", str(source), "--run", str(run),
                   "--model", "m", "--base-url", server.url, "--max-calls", "3"]  # fmt: skip
        process = subprocess.Popen(
            command, cwd=ROOT, stderr=subprocess.DEVNULL,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip
        wait_until(lambda: len(server.requests) == 3)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        subprocess.run(command, cwd=ROOT, capture_output=True, check=False, timeout=60)
        assert len(server.requests) == 3
    assert {call.error_kind for call in calls(run)} == {"interrupted"}
    assert sum(call.charged.calls for call in calls(run)) == 3


USELESS = Act(raw=b"[]")  # a reply that may be billed, and is asked for again


@pytest.mark.parametrize(
    ("acts", "waits"),
    [([USELESS], [60.0]), ([USELESS, Act(status=429)], [0.0, 60.0])],
    ids=["before it is tried again", "while the server is busy"],
)
def test_an_interrupt_between_two_attempts_loses_no_charge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, acts: list[Act], waits: list[float]
) -> None:
    waited: list[float] = []

    def wait(policy: RetryPolicy, fault: Fault, retry: int, jitter: float) -> float:
        waited.append(waits[len(waited)])
        return waited[-1]

    monkeypatch.setattr(RetryPolicy, "wait", wait)
    with FaultServer(lambda b, n: acts[n - 1]) as server:

        def items() -> Iterator[Transcript]:
            yield transcript()
            wait_until(lambda: waited == waits)
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            grade(tmp_path, items(), base_urls=(server.url,))
    [call] = calls(tmp_path)
    assert (call.error_kind, call.charged.calls) == ("interrupted", 1)
    assert [reason.split(":")[0] for reason in call.failed_attempts] == [
        "malformed",
        "rate_limited",
    ][: len(acts)]
    assert call.attempts == len(acts)


def test_what_waits_for_its_turn_when_all_is_interrupted_is_not_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two are on their way. If they were cancelled before the third, it would take their place."""
    cancel = Future.cancel

    def slowly(future: Future[Grade]) -> bool:
        time.sleep(0.02)
        return cancel(future)

    monkeypatch.setattr(Future, "cancel", slowly)
    with FaultServer(lambda b, n: Act(hang=True)) as server:

        def items() -> Iterator[Transcript]:
            yield from (transcript(n, f"{n}: 0.28") for n in range(3))
            wait_until(lambda: len(server.requests) == 2)
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            grade(tmp_path, items(), base_urls=(server.url,), concurrency=2)
        assert len(server.requests) == 2
    assert sum(call.charged.calls for call in calls(tmp_path)) == 2


def test_an_interrupt_while_a_second_batch_runs_loses_no_charge_of_the_first(
    tmp_path: Path,
) -> None:
    def useless(line: BatchLine) -> list[BatchLine]:
        line["response"]["body"]["choices"] = []
        return [line]

    with BatchServer(lambda body: "0.28", lines=useless) as server:
        server.ends_when = lambda: len(server.batches) < 2

        def items() -> Iterator[Transcript]:
            yield transcript()
            wait_until(lambda: len(server.batches) == 2)
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            grade(tmp_path, items(), mode="batch", base_urls=(server.url,), **FAST)
    [call] = calls(tmp_path)
    assert (call.error_kind, call.charged.calls, call.attempts) == ("interrupted", 1, 1)
