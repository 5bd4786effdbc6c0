"""One judge's opinion of one transcript, and the vote that makes several opinions one verdict."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..records import Verdict


class Decision(NamedTuple):
    """A verdict, the fixed word for its reason, and the value that was compared, if one was."""

    verdict: Verdict
    reason: str
    value: str | None = None


@dataclass(frozen=True)
class Opinion:
    """One judge's verdict. `reason` is a fixed word, `detail` says more; `replies`
    holds (purpose, raw reply) in order. `answered` is False where the judge could not be asked
    or its reply could not be used."""

    judge: str
    verdict: Verdict
    reason: str
    value: str | None = None
    detail: str = ""
    replies: tuple[tuple[str, str], ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def answered(self) -> bool:
        return self.verdict != "ungraded"

    def as_evidence(self) -> dict[str, Any]:
        """The opinion as a grade's evidence shows it."""
        evidence: dict[str, Any] = {
            "judge": self.judge,
            "verdict": self.verdict,
            "reason": self.reason,
            "value": self.value,
            "replies": [{"purpose": purpose, "reply": reply} for purpose, reply in self.replies],
            **self.facts,
        }
        return {**evidence, "detail": self.detail} if self.detail else evidence


def majority(opinions: tuple[Opinion, ...]) -> Decision:
    """The decision of several judges together.

    More than half of all judges must have answered, and more than half of those that did must
    agree. Otherwise the transcript is `ungraded`, for the most common failure of the others, or a
    tie.
    """
    answered = [opinion for opinion in opinions if opinion.answered]
    if 2 * len(answered) <= len(opinions):
        stopped = [opinion for opinion in opinions if not opinion.answered]
        reason = Counter(opinion.reason for opinion in stopped).most_common(1)[0][0]
        first = next(opinion for opinion in stopped if opinion.reason == reason)
        return Decision("ungraded", reason, first.value)
    verdict, votes = Counter(opinion.verdict for opinion in answered).most_common(1)[0]
    if 2 * votes <= len(answered):
        return Decision("ungraded", "tie")
    winner = next(opinion for opinion in answered if opinion.verdict == verdict)
    return Decision(verdict, winner.reason, winner.value)
