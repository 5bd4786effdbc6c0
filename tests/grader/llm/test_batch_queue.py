from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from grader.llm import batch_queue
from grader.llm.batch_queue import BatchQueue
from grader.llm.request import ChatRequest, Endpoint

REQUEST = ChatRequest(Endpoint("m"), (("user", "0"),), 0.0, 64, "extract", "p", "0" * 64)


def sizes(texts: list[str], most: int = 100, quiet: float = 0.01) -> list[int]:
    """How many requests were submitted together, for prompts that come at once."""
    batches: list[int] = []

    async def fill() -> None:
        queue = BatchQueue(most, quiet, lambda requests, futures: batches.append(len(futures)))
        for text in texts:
            queue.add(replace(REQUEST, messages=(("user", text),)))
        await asyncio.sleep(0.1)

    asyncio.run(fill())
    return batches


def test_requests_are_submitted_together_once_no_more_come() -> None:
    assert sizes(["a", "b", "c"]) == [3]
    assert sizes(["a", "b", "c"], quiet=100) == []


def test_a_full_batch_is_submitted_at_once() -> None:
    assert sizes(["a", "b", "c", "d", "e"], most=2, quiet=100) == [2, 2]


@pytest.mark.parametrize("letter", ["a", "\n", "\u5747"])
def test_a_batch_is_no_longer_than_a_file_may_be(
    letter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A prompt counts as it is written into the file, where some letters take six bytes."""
    monkeypatch.setattr(batch_queue, "MOST_BYTES", 900)
    written = {"a": 1, "\n": 2, "\u5747": 6}[letter]
    texts = [f"{n}" + letter * (480 // written) for n in range(6)]
    assert sizes(texts) == [2, 2, 2]
