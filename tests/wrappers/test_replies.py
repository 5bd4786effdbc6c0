"""What is told of an agent's requests to its model, and of its replies."""

from __future__ import annotations

from wrappers.replies import Replies


class Told(list[str]):
    """What was told, in order."""

    def asked(self, limit: float) -> None:
        self.append(f"asked {limit:g}")

    def replied(self) -> None:
        self.append("replied")


def test_a_reply_is_told_of_once_when_it_begins() -> None:
    """A slow reply that comes bit by bit is no silence."""
    told = Told()
    replies = Replies(told, 7)
    replies.asked()
    replies.begun()
    assert told == ["asked 7", "replied"] and not replies.has_replied
    replies.begun()
    replies.ended()
    assert told == ["asked 7", "replied"] and replies.has_replied
    replies.asked()
    replies.ended()
    assert told == ["asked 7", "replied"] * 2
