"""The keys by which annotators give verdicts, the same on the page and in the terminal."""

from __future__ import annotations

from typing import NamedTuple

from grader.records import LabelStage, LabelVerdict


class VerdictKey(NamedTuple):
    """How annotators give a verdict: the key to press, and the name shown."""

    key: str
    name: str


VERDICT_KEYS: dict[LabelVerdict, VerdictKey] = {
    "match": VerdictKey("m", "match"),
    "non_match": VerdictKey("n", "non-match"),
    "no_answer": VerdictKey("a", "no answer"),
    "needs_transcript": VerdictKey("t", "needs full transcript"),
}


def verdict_keys(stage: LabelStage) -> dict[LabelVerdict, VerdictKey]:
    """The verdicts to choose from at a stage; at `transcript` there is no `needs_transcript`."""
    return {
        verdict: key
        for verdict, key in VERDICT_KEYS.items()
        if (stage, verdict) != ("transcript", "needs_transcript")
    }
