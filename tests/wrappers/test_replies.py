"""What is told of an agent's requests to its model, and what is recorded of its replies."""

from __future__ import annotations

from typing import Any

import pytest

from wrappers.agent import Unwatched
from wrappers.replies import Replies

KEY = "sk-0123456789"


class Told(list[str]):
    """What was told, in order."""

    def asked(self, limit: float) -> None:
        self.append(f"asked {limit:g}")

    def replied(self) -> None:
        self.append("replied")


def choice(content: str | None, finish_reason: Any = "stop", **more: str) -> dict[str, Any]:
    return {"message": {"content": content, **more}, "finish_reason": finish_reason}


def test_a_reply_is_told_of_once_when_it_begins() -> None:
    """A slow reply that comes bit by bit is no silence."""
    told = Told()
    replies = Replies(told, 7, KEY)
    replies.asked()
    replies.begun()
    assert told == ["asked 7", "replied"] and not replies.has_replied
    replies.begun()
    replies.ended(choice("4"))
    assert told == ["asked 7", "replied"] and replies.has_replied
    replies.asked()
    replies.ended(choice("4"))
    assert told == ["asked 7", "replied"] * 2


@pytest.mark.parametrize(
    ("last", "output", "notes"),
    [
        (choice("4"), "4", {"finish_reasons": ["stop"]}),
        (choice("4", None), "4", {"finish_reasons": [None]}),
        (choice("4", f"stop, {KEY}"), "4", {"finish_reasons": ["stop, [key]"]}),
        (choice("4", ["stop"]), "4", {"finish_reasons": ["['stop']"]}),
        (
            choice("4", "length"),
            "",
            {"finish_reasons": ["length"], "cut_off": "length", "partial_output": "4"},
        ),
        (
            choice("4", "insufficient_system_resource"),
            "",
            {
                "finish_reasons": ["insufficient_system_resource"],
                "cut_off": "insufficient_system_resource",
                "partial_output": "4",
            },
        ),
        (
            choice(None, refusal=f"I may not, {KEY}"),
            "4",
            {"finish_reasons": ["stop"], "refusals": ["the model refused: I may not, [key]"]},
        ),
    ],
)
def test_a_turn_records_how_its_replies_ended(
    last: dict[str, Any], output: str, notes: dict[str, Any]
) -> None:
    replies = Replies(Unwatched(), 7, KEY)
    replies.ended(last)
    turn = replies.turn("4", "instruction")
    assert (turn.raw_output, turn.metadata) == (output, notes)
    replies.begin_turn()
    assert replies.turn("4", "instruction").metadata == {"finish_reasons": []}


def test_a_failed_turn_that_was_cut_off_keeps_its_output() -> None:
    """Whole code in such a reply was run: what it printed, and its traceback, are whole."""
    replies = Replies(Unwatched(), 7, KEY)
    replies.ended(choice("4", "length"))
    turn = replies.turn("ZeroDivisionError", "instruction", failed=True)
    assert (turn.raw_output, turn.failed) == ("ZeroDivisionError", True)
    assert turn.metadata == {"finish_reasons": ["length"]}


@pytest.mark.parametrize(
    ("reasons", "output"), [(("length", "stop"), "4"), (("stop", "length"), "")]
)
def test_the_last_reply_of_a_turn_decides_whether_it_was_cut_off(
    reasons: tuple[str, ...], output: str
) -> None:
    replies = Replies(Unwatched(), 7, KEY)
    for reason in reasons:
        replies.ended(choice("4", reason))
    assert replies.turn("4", "instruction").raw_output == output
