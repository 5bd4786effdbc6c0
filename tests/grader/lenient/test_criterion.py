"""What a number that a judge read must meet: the year that is asked for, a published range."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.records import Verdict

from ..llm.server import FaultServer
from .runs import grade, transcript


@pytest.mark.parametrize(
    ("question", "verdict"),
    [("In which year did sales peak?", "incorrect"), ("How many were sold?", "correct")],
)
def test_a_year_that_is_asked_for_must_be_the_same(
    tmp_path: Path, question: str, verdict: Verdict
) -> None:
    asked_for = transcript(1, "It was 2011.", "2010", question=question)
    with FaultServer(lambda body, n: "2011") as server:
        [result], _ = grade(tmp_path, [asked_for], base_urls=(server.url,))
    assert result.verdict == verdict


@pytest.mark.parametrize(
    ("reply", "verdict"), [("11", "correct"), ("13.9", "correct"), ("14.5", "incorrect")]
)
def test_a_published_range_is_met_between_its_ends(
    tmp_path: Path, reply: str, verdict: Verdict
) -> None:
    ranged = transcript(1, f"It was {reply}.", "(11,14)", question="What was the price?")
    with FaultServer(lambda body, n: reply) as server:
        [result], _ = grade(tmp_path, [ranged], base_urls=(server.url,))
    assert result.verdict == verdict
