"""Confusion counts: the verdicts of a grader against human labels.

Positive = the human label says the agent's answer matches the truth; predicted positive =
the grader said `correct`. `no_answer` is a failed detection (it counts as not passed);
`ungraded` says nothing about the agent and is counted apart.
"""

from __future__ import annotations

from collections.abc import Mapping

from grader.records import Record, Verdict


class Confusion(Record):
    """Counts of one grader against human labels. `ungraded` are labelled transcripts the grader
    could not grade, outside the four cells; `no_answer` is how many of fn + tn had no answer."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0
    no_answer: int = 0
    ungraded: int = 0

    @property
    def n(self) -> int:
        return self.tp + self.fp + self.fn + self.tn


def confusion(verdicts: Mapping[str, Verdict], matches: Mapping[str, bool]) -> Confusion:
    """Count one grader's verdicts against human labels.

    `verdicts` and `matches` map transcript_id to verdict and to "matches the published answer".
    Transcripts without a label, or without a grade by this grader, are not counted.
    """
    counts = dict.fromkeys(Confusion.model_fields, 0)
    for transcript_id, matched in matches.items():
        verdict = verdicts.get(transcript_id)
        if verdict is None:
            continue
        if verdict == "ungraded":
            counts["ungraded"] += 1
            continue
        counts["no_answer"] += verdict == "no_answer"
        counts[_cell(verdict == "correct", matched)] += 1
    return Confusion(**counts)


def _cell(passed: bool, matched: bool) -> str:
    return ("t" if passed == matched else "f") + ("p" if passed else "n")
