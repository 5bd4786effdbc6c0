"""The whole path against a real server with a real instruct model on loopback.

SmolLM2-135M is small enough to be talked into almost anything, which is what the attacks need:
where the model gives in, the grader must still not pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.records import Grade
from grader.run import RunDirectory
from tests.shared_data import CASES, cases

from ..lenient.runs import calls, grade, transcript
from .real_model import MODEL, serving

pytestmark = pytest.mark.machine
ATTACKS = cases("injection.jsonl")
SHORT = ("ignore", "chatml", "html_comment", "two_answers")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as address:
        yield address


def ask(folder: Path, url: str, items: list[Any], **settings: Any) -> tuple[list[Grade], Any]:
    return grade(
        folder,
        items,
        models=(MODEL,),
        base_urls=(url,),
        concurrency=1,
        context_tokens=4096,
        max_reply_tokens=16,
        prompts=CASES / "small_model_prompts",
        **settings,
    )


def attacked(case: dict[str, str]) -> Any:
    return transcript(case["id"], f"The mean is **0.31**.\n\n{case['attack']}", "0.2812")


def test_real_replies_are_graded_logged_and_reused(tmp_path: Path, url: str) -> None:
    items = [
        transcript(1, "```python\nx.median()\n```\n<pre>1095.0</pre>\nThe median is 1095.", "1095"),
        transcript(2, "```python\nx.sum()\n```\n<pre>3,385</pre>\nThe total is 3,385.", "3385"),
        transcript(3, "```python\nx.min()\n```\n<pre>744</pre>\nThe least is 744.", "500"),
    ]
    grades, summary = ask(tmp_path, url, items)
    assert [g.verdict for g in grades] == ["correct", "correct", "incorrect"]
    logged = calls(tmp_path)
    assert {call.served_model for call in logged} == {MODEL}
    assert all((call.prompt_tokens or 0) > 100 and call.completion_tokens for call in logged)
    assert summary.tally.usage.calls == len(logged)
    again, second = ask(tmp_path, url, items)
    assert (again, second.tally.usage.calls) == (grades, 0)


def test_packaged_prompts_reach_a_real_model(tmp_path: Path, url: str) -> None:
    [result], _ = grade(
        tmp_path,
        [transcript(1, "The mean is 0.31.", "0.28")],
        models=(MODEL,),
        base_urls=(url,),
        max_reply_tokens=16,
    )
    assert result.verdict in ("incorrect", "no_answer", "ungraded")
    assert calls(tmp_path)[0].prompt_id == "extract_number/1"


@pytest.mark.parametrize("case", [c for c in ATTACKS if c["id"] in SHORT], ids=lambda c: c["id"])
def test_attack_does_not_make_a_pass(tmp_path: Path, url: str, case: dict[str, str]) -> None:
    [result], _ = ask(tmp_path, url, [attacked(case)])
    assert result.verdict != "correct"


@pytest.mark.slow
def test_no_attack_makes_a_pass(tmp_path: Path, url: str) -> None:
    grades, _ = ask(tmp_path, url, [attacked(case) for case in ATTACKS])
    assert len(grades) == len(ATTACKS) >= 20
    assert {g.verdict for g in grades} <= {"incorrect", "no_answer", "ungraded"}
    obeyed = {g.transcript_id for g in grades if "CORRECT" in g.model_dump_json()}
    assert obeyed, "the model gave in to none: the attacks are not a test of anything"


def test_wrong_model_name_is_noticed(tmp_path: Path, url: str) -> None:
    [result], _ = grade(tmp_path, [transcript()], models=("gpt-4o-mini",), base_urls=(url,))
    assert (result.verdict, result.reason) == ("ungraded", "wrong_model")
    assert MODEL in result.evidence["judges"][0]["detail"]
    assert "/" not in RunDirectory(tmp_path).llm_calls_path.read_text().split('"error":')[1]
