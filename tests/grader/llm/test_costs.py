"""What is paid: once for each request, within the budget, at the model's price."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ..lenient.runs import calls, grade, transcript
from .server import Act, Body, FaultServer, error_body

GOOD = "0.28"
BUDGETS: dict[str, dict[str, Any]] = {
    "calls": {"max_calls": 7},
    "tokens": {"max_tokens": 7 * 400},
    "cost": {"max_cost": 7 * 400 * 1e-6, "prices": {"judge-model": (1.0, 1.0)}},
}


def test_same_request_is_paid_once(tmp_path: Path) -> None:
    items = [transcript(i, "the mean is 0.28") for i in range(10)]
    with FaultServer(lambda b, n: Act(GOOD, latency=0.1)) as server:
        _, first = grade(tmp_path, items, base_urls=(server.url,))
        _, again = grade(tmp_path, items, base_urls=(server.url,))
    assert (len(server.requests), first.tally.usage.calls, first.tally.usage.reused) == (1, 1, 9)
    assert (again.tally.usage.calls, again.tally.usage.reused) == (0, 10)
    logged = calls(tmp_path)
    assert sorted(c.transcript_id for c in logged) == sorted(t.transcript_id for t in items)
    assert [c.source for c in logged].count("server") == 1


def test_cache_is_shared_between_runs(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    items = [transcript(i, f"{i}: 0.28") for i in range(5)]
    with FaultServer(lambda b, n: GOOD) as server:
        first, _ = grade(tmp_path / "a", items, base_urls=(server.url,), cache=cache)
        second, summary = grade(tmp_path / "b", items, base_urls=(server.url,), cache=cache)
        assert len(server.requests) == 5
        for path in cache.rglob("*.json"):
            path.write_text("{torn")
        grade(tmp_path / "c", items, base_urls=(server.url,), cache=cache)
        assert len(server.requests) == 10
    assert first == second and summary.tally.usage.calls == 0
    assert [c.source for c in calls(tmp_path / "b")] == ["cache"] * 5


@pytest.mark.parametrize("change", ["model", "temperature", "max_reply_tokens", "prompts", "url"])
def test_whatever_can_change_the_reply_is_asked_anew(tmp_path: Path, change: str) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        'name = "extract_number"\nversion = "2"\nsystem = "s"\nform = "f"\n'
        'user = "$question $transcript $code $form"\n'
    )
    changes: dict[str, dict[str, Any]] = {
        "model": {"models": ("other",)},
        "temperature": {"temperature": 0.5},
        "max_reply_tokens": {"max_reply_tokens": 32},
        "prompts": {"prompts": own},
        "url": {},
    }
    with FaultServer(lambda b, n: GOOD) as server, FaultServer(lambda b, n: GOOD) as other:
        grade(tmp_path / "r", [transcript()], base_urls=(server.url,))
        url = other.url if change == "url" else server.url
        grade(tmp_path / "r", [transcript()], base_urls=(url,), **changes[change])
        assert len(server.requests) + len(other.requests) == 2


@pytest.mark.parametrize("limits", BUDGETS.values(), ids=BUDGETS)
def test_budget_is_never_exceeded_and_lasts_over_resumes(
    tmp_path: Path, limits: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    items = [transcript(i, f"{i:03}: 0.28") for i in range(30)]
    with FaultServer(lambda b, n: Act(GOOD, latency=0.01)) as server:
        grades, summary = grade(tmp_path, items, base_urls=(server.url,), concurrency=16, **limits)
        sent = len(server.requests)
        assert caplog.text.count("budget: max-") == 1
        again, second = grade(tmp_path, items, base_urls=(server.url,), **limits)
    spent = summary.tally.usage
    tokens = (spent.prompt_tokens or 0) + (spent.completion_tokens or 0)
    assert spent.calls + second.tally.usage.calls <= limits.get("max_calls", 99)
    assert tokens <= limits.get("max_tokens", 1e9)
    assert (spent.cost or 0.0) <= limits.get("max_cost", 1e9)
    assert 4 <= sent <= 12
    assert {g.reason for g in grades if g.verdict == "ungraded"} == {"budget"}
    assert sum(g.verdict == "correct" for g in grades) == sent
    assert sum(g.verdict == "correct" for g in again) >= sent


def test_cost_is_tokens_times_price(tmp_path: Path) -> None:
    with FaultServer(lambda b, n: GOOD) as server:
        _, summary = grade(
            tmp_path, [transcript()], models=("gpt-4o-mini",), base_urls=(server.url,)
        )
    [call] = calls(tmp_path)
    assert call.prompt_tokens is not None and call.completion_tokens == 2
    assert call.cost == pytest.approx(call.prompt_tokens * 0.15e-6 + 2 * 0.60e-6)
    assert summary.tally.usage.cost == call.cost and summary.tally.usage.unpriced == 0


def test_missing_usage_is_unknown_not_zero(tmp_path: Path) -> None:
    with FaultServer(lambda b, n: Act(GOOD, usage=False)) as server:
        _, summary = grade(
            tmp_path, [transcript()], models=("gpt-4o-mini",), base_urls=(server.url,)
        )
    [call] = calls(tmp_path)
    assert (call.prompt_tokens, call.cost, summary.tally.usage.unpriced) == (None, None, 1)


def test_without_usage_the_estimates_are_charged_and_last_over_resumes(tmp_path: Path) -> None:
    items = [transcript(i, f"{i:03}: 0.28") for i in range(30)]
    limits: dict[str, Any] = {"max_tokens": 7 * 400, "concurrency": 1}
    with FaultServer(lambda b, n: Act(GOOD, usage=False)) as server:
        grade(tmp_path, items, base_urls=(server.url,), **limits)
        sent = len(server.requests)
        again, _ = grade(tmp_path, items, base_urls=(server.url,), **limits)
        assert len(server.requests) == sent > 0
    assert sum(g.verdict == "correct" for g in again) == sent
    charged = [call.charged for call in calls(tmp_path) if call.source == "server"]
    assert all(one.calls == 1 and one.tokens > 0 for one in charged)
    assert sum(one.tokens for one in charged) <= 7 * 400


def test_a_timeout_is_charged_and_lasts_over_resumes(tmp_path: Path) -> None:
    """The server may have done, and billed, the work of every attempt."""
    with FaultServer(lambda b, n: Act(hang=True)) as server:
        limits: dict[str, Any] = {"max_calls": 3, "retries": 1, "concurrency": 1}
        limits["request_timeout"] = 0.1
        grade(tmp_path, [transcript(1)], base_urls=(server.url,), **limits)
        [call] = calls(tmp_path)
        assert (call.charged.calls, call.attempts, call.reply) == (2, 2, None)
        grade(tmp_path, [transcript(1)], base_urls=(server.url,), **limits)
        assert len(server.requests) == 3


@pytest.mark.parametrize("limits", [{"max_calls": 3}, {"max_tokens": 1500}])
def test_a_reply_of_no_use_is_charged(tmp_path: Path, limits: dict[str, Any]) -> None:
    act = Act(raw=b'{"choices": [{"message": {"content": []}}]}')
    with FaultServer(lambda b, n: act) as server:
        items = [transcript(i, f"{i}: 0.28") for i in range(10)]
        [*_, last], _ = grade(tmp_path, items, base_urls=(server.url,), concurrency=1, **limits)
        charged = [call.charged for call in calls(tmp_path)]
        assert len(server.requests) == sum(one.calls for one in charged) <= 4
    assert last.reason == "budget" and sum(one.tokens for one in charged) <= 1500


def test_room_is_kept_for_the_replies_that_are_asked_for(tmp_path: Path) -> None:
    """A model that thinks may take 4096 tokens for a reply, and is not asked for 64."""

    def script(body: Body, n: int) -> Act:
        if "max_tokens" in body:
            return Act(status=400, raw=error_body("unsupported", param="max_tokens"))
        usage = {"prompt_tokens": 300, "completion_tokens": body["max_completion_tokens"]}
        choices = [{"message": {"content": GOOD}}]
        return Act(raw=json.dumps({"choices": choices, "usage": usage}).encode())

    items = [transcript(i, f"{i:03}: 0.28") for i in range(20)]
    with FaultServer(script) as server:
        grades, _ = grade(tmp_path, items, base_urls=(server.url,), max_tokens=20_000)
    assert sum(call.charged.tokens for call in calls(tmp_path)) <= 20_000
    assert sum(g.verdict == "correct" for g in grades) == 4


def test_what_calls_on_their_way_may_take_is_waited_for(tmp_path: Path) -> None:
    """Each takes far less than what is reserved for it, and together they are within the limit."""
    items = [transcript(i, f"{i:03}: 0.28") for i in range(10)]
    usage = {"prompt_tokens": 50, "completion_tokens": 2}
    reply = {"choices": [{"message": {"content": GOOD}}], "usage": usage}
    with FaultServer(lambda b, n: Act(raw=json.dumps(reply).encode(), latency=0.02)) as server:
        grades, _ = grade(tmp_path, items, base_urls=(server.url,), max_tokens=1000)
    assert [g.verdict for g in grades] == ["correct"] * 10


def test_what_costs_nothing_is_not_charged(tmp_path: Path) -> None:
    items = [transcript(i, "the mean is 0.28") for i in range(3)]
    script = [Act(status=500, raw=b""), Act(GOOD)]
    with FaultServer(lambda b, n: script[n - 1]) as server:
        grade(tmp_path, items, base_urls=(server.url,))
    assert sum(call.charged.calls for call in calls(tmp_path)) == 1


def test_a_count_that_is_none_is_not_known(tmp_path: Path) -> None:
    """The reply counts, and is recorded."""
    with FaultServer(lambda b, n: Act(GOOD, tokens=10**400)) as server:
        prices = {"judge-model": (1.0, 1.0)}
        [result], _ = grade(tmp_path, [transcript()], base_urls=(server.url,), prices=prices)
    assert result.verdict == "correct"
    assert [call.prompt_tokens for call in calls(tmp_path)] == [None]
