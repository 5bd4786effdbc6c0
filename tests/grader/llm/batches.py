"""What the tests of batches share: fast settings, replies, transcripts."""

from __future__ import annotations

from typing import Any

from grader.records import Transcript
from tests.grader.lenient.runs import transcript
from tests.grader.llm.batch_server import Body

FAST: dict[str, Any] = {"batch_quiet": 0.1, "batch_poll": 0.02, "models": ("gpt-4o-mini",)}


def value(body: Body) -> str:
    """A reply that depends on the prompt alone."""
    return "0.28" if "0.28" in body["messages"][-1]["content"] else "UNCLEAR"


def distinct(count: int) -> list[Transcript]:
    return [transcript(n, output=f"The mean of set {n} is **0.28**.") for n in range(count)]
