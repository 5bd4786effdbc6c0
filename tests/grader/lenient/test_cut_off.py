"""Replies that were cut off, and such as should have been."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grader.records import Step

from ..llm.batch_server import BatchServer
from ..llm.batches import FAST
from ..llm.server import Act, Body, FaultServer
from .runs import asked, grade, transcript

CUT = "the reply was cut off: raise max_reply_tokens"


@pytest.mark.parametrize(
    ("again", "verdict", "reason", "detail"),
    [
        (Act("1234567891.25"), "correct", "within_tolerance", None),
        (Act("123456789", finish="length"), "ungraded", "unparseable_reply", CUT),
        (Act("123456789", finish="model_length"), "ungraded", "unparseable_reply", CUT),
        (Act("123456789", finish="MAX_TOKENS"), "ungraded", "unparseable_reply", CUT),
        (Act(None, finish="length"), "ungraded", "unparseable_reply", CUT),
    ],
)
def test_the_beginning_of_a_number_is_not_the_number(
    tmp_path: Path, again: Act, verdict: str, reason: str, detail: str | None
) -> None:
    item = transcript(1, "In all 1234567891.25 dollars.", "1234567891.25")
    cut_off = Act("1234567", finish="length")
    with FaultServer(lambda b, n: cut_off if n == 1 else again) as server:
        [result], _ = grade(tmp_path, [item], base_urls=(server.url,))
    judge = result.evidence["judges"][0]
    assert (result.verdict, result.reason, judge.get("detail")) == (verdict, reason, detail)
    assert judge["replies"][0]["reply"] == "1234567"


@pytest.mark.parametrize("mode", ["auto", "batch"])
def test_a_reply_without_end_is_cut_off(tmp_path: Path, mode: str) -> None:
    """The server keeps to no limit of tokens, and says that it stopped by itself."""
    endless = "0.28 " * 100_000
    if mode == "batch":
        server: Any = BatchServer(lambda body: endless)
    else:
        server = FaultServer(lambda body, n: endless)
    with server:
        settings = {**FAST, "base_urls": (server.url,), "mode": mode, "max_reply_tokens": 10}
        [result], _ = grade(tmp_path, [transcript()], **settings)
    [judge] = result.evidence["judges"]
    assert (result.reason, judge["detail"]) == ("unparseable_reply", CUT)
    assert [one["reply"] for one in judge["replies"]] == [endless[:160]] * 2
    assert sum(path.stat().st_size for path in tmp_path.rglob("*.*")) < 20_000


def test_a_model_that_thinks_beyond_the_limit_is_read(tmp_path: Path) -> None:
    reply = f"<think>{'Is it 0.31? ' * 4000}</think>0.28"
    with FaultServer(lambda body, n: reply) as server:
        [result], _ = grade(tmp_path, [transcript()], base_urls=(server.url,))
    assert result.verdict == "correct"


def test_the_beginning_of_a_yes_is_no_yes(tmp_path: Path) -> None:
    def script(body: Body, n: int) -> Act:
        return Act("twelve") if asked(body) == "extract" else Act("YES", finish="length")

    item = transcript(1, "It took twelve.", "12").model_copy(
        update={"steps": (Step(raw_output="<pre>12</pre>\nIt took twelve."),)}
    )
    with FaultServer(script) as server:
        [result], _ = grade(tmp_path, [item], base_urls=(server.url,), consistency=True)
    assert result.reason == "unparseable_reply"
    assert [row["agree"] for row in result.evidence["consistency"]] == [None]
