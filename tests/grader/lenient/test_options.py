"""The lenient grader on choice tasks: options by name, and by the sentence that settles on one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..llm.server import Act, Body, FaultServer
from .runs import asked, grade, transcript


def test_choice(tmp_path: Path) -> None:
    replies = {"t1": "treated", "t2": "Untreated", "t3": "untreated"}
    options = {"kind": "choice", "choices": ("treated", "untreated")}
    items = [
        transcript(1, "I choose the treated one.", "treated", **options),
        transcript(2, "It is: untreated.", "treated", **options),
        transcript(3, "It is treated.", "untreated", **options),
    ]

    def script(body: Body, n: int) -> str:
        text = body["messages"][-1]["content"]
        assert "The options were:\ntreated\nuntreated" in text
        return next(replies[t.transcript_id] for t in items if t.steps[0].raw_output in text)

    with FaultServer(script) as server:
        grades, _ = grade(tmp_path, items, base_urls=(server.url,))
    assert [(g.verdict, g.reason) for g in grades] == [
        ("correct", "same_option"),
        ("incorrect", "other_option"),
        ("ungraded", "ungrounded"),
    ]


SHAPES = {
    "kind": "choice",
    "question": "What is its shape?\nA. Symmetric\nB. Skewed to the right",
    "truth": "B",
}
TAIL = "A few huge values **pull** the mean\nfar above the median."


@pytest.mark.parametrize(
    ("quote", "verdict", "reason"),
    [
        (TAIL, "correct", "same_option"),
        ('"A few huge values pull the mean far above the median."', "correct", "same_option"),
        ("NONE", "ungraded", "ungrounded"),
        ("It is skewed to the right.", "ungraded", "ungrounded"),
        ("the mean", "ungraded", "ungrounded"),
        ("** -- ** -- **", "ungraded", "ungrounded"),
        (Act("A few huge values", finish="length"), "ungraded", "ungrounded"),
        (Act(status=400, text="no"), "ungraded", "rejected"),
    ],
)
def test_option_in_other_words_needs_the_sentence_that_says_so(
    tmp_path: Path, quote: str | Act, verdict: str, reason: str
) -> None:
    with FaultServer(lambda b, n: quote if asked(b) == "quote" else "B") as server:
        [result], _ = grade(
            tmp_path, [transcript(1, f"I plot it. {TAIL}", **SHAPES)], base_urls=(server.url,)
        )
    assert (result.verdict, result.reason, result.value) == (
        (verdict, reason, "B") if reason != "rejected" else (verdict, reason, None)
    )
    assert [asked(body) for body in server.requests] == ["extract", "quote"]
    assert "final answer: B" in server.requests[1]["messages"][-1]["content"]
    if verdict == "correct":
        [judge] = result.evidence["judges"]
        assert judge["grounding"] == "quote" and judge["quote"].startswith("A few huge")


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ("```python\nimport pandas as pd\n```", "import pandas as pd"),
        ("<pre>count 100 mean 52</pre> Done.", "count 100 mean 52"),
        ("Let me see. What is its shape?", "What is its shape?"),
        ("What is its shape. I look at it.", "What is its shape."),
        (f"It is not true that {TAIL.lower()}", TAIL),
        (TAIL, "huge values pull"),
        (TAIL, "few huge values pull the mean far above the med"),
        ("I cannot answer this question without the data.", None),
        ("The options are:\nA. Symmetric\nB. Skewed to the right\nI stopped.", "I stopped."),
        ("Options: A. Symmetric\nB. Skewed to the right\nI stopped.", "B. Skewed to the right"),
    ],
)
def test_what_the_agent_did_not_say_of_an_option_is_no_ground(
    tmp_path: Path, said: str, quote: str | None
) -> None:
    with FaultServer(lambda b, n: (quote or said) if asked(b) == "quote" else "B") as server:
        [result], _ = grade(tmp_path, [transcript(1, said, **SHAPES)], base_urls=(server.url,))
    assert (result.verdict, result.reason) == ("ungraded", "ungrounded")
    assert [asked(body) for body in server.requests] == ["extract", "quote"]


def test_no_sentence_is_asked_for_where_the_option_is_wrong_or_named(tmp_path: Path) -> None:
    items = [transcript(1, TAIL, **SHAPES), transcript(2, "It is option B.", **SHAPES)]
    replies = {TAIL: "A", "It is option B.": "B"}

    def script(body: Body, n: int) -> str:
        text = body["messages"][-1]["content"]
        return next(reply for output, reply in replies.items() if output in text)

    with FaultServer(script) as server:
        grades, _ = grade(tmp_path, items, base_urls=(server.url,))
    assert [g.reason for g in grades] == ["other_option", "same_option"]
    assert [asked(body) for body in server.requests] == ["extract", "extract"]
