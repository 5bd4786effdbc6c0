"""Grade the graders: confusion counts, precision and recall against human labels.

Positive = the human label says the agent's answer matches the truth; predicted positive =
the grader said `correct`. `no_answer` is a failed detection (it counts as not passed);
`ungraded` says nothing about the agent and is counted apart.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from grader.records import Record, Verdict

from .rates import Interval, Rate, bootstrap, exact_bound, rate, ratio, rule_of_three


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

    @property
    def passes(self) -> int:
        return self.tp + self.fp

    @property
    def matches(self) -> int:
        return self.tp + self.fn

    @property
    def non_matches(self) -> int:
        return self.fp + self.tn


class Calibration(Record):
    """How well one grader detects what humans see (one row of Table 1).

    `detected` is the share of all transcripts, labelled or not, on which the grader found an
    answer to compare; it says nothing of the pipeline's own success (`Transcript.outcome`).
    `precision_bound` is the rule-of-three lower bound and `precision_exact_bound` the exact one;
    both are None unless there are passes and none of them is false. `weighted_*` are reweighted
    for the sampling design (None without design weights).
    """

    grader: str
    configuration: str = ""
    confusion: Confusion
    detected: Rate
    recall: Rate
    precision: Rate
    specificity: Rate
    accuracy: Rate
    precision_bound: float | None
    precision_exact_bound: float | None
    recall_bootstrap: Interval
    precision_bootstrap: Interval
    weighted_recall: float | None = None
    weighted_precision: float | None = None
    weighted_accuracy: float | None = None


def confusion(verdicts: Mapping[str, Verdict], truth: Mapping[str, bool]) -> Confusion:
    """Count one grader's verdicts against human labels.

    `verdicts` and `truth` map transcript_id to verdict and to "matches the published answer".
    Transcripts without a label, or without a grade by this grader, are not counted.
    """
    counts = dict.fromkeys(Confusion.model_fields, 0)
    for transcript_id, matched in truth.items():
        verdict = verdicts.get(transcript_id)
        if verdict is None:
            continue
        if verdict == "ungraded":
            counts["ungraded"] += 1
            continue
        counts["no_answer"] += verdict == "no_answer"
        counts[_cell(verdict == "correct", matched)] += 1
    return Confusion(**counts)


def calibrate(
    grader: str,
    verdicts: Mapping[str, Verdict],
    truth: Mapping[str, bool],
    *,
    configuration: str = "",
    weights: Mapping[str, float] | None = None,
    strata: Mapping[str, str] | None = None,
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Calibration:
    """Calibrate one grader against human labels.

    `weights` are inverse inclusion probabilities by transcript_id (1 where absent); `strata` are
    the design's strata, within which the bootstrap resamples.
    """
    counts = confusion(verdicts, truth)
    rows = [key for key in truth if verdicts.get(key, "ungraded") != "ungraded"]
    passed = np.array([verdicts[key] == "correct" for key in rows], dtype=float)
    matched = np.array([truth[key] for key in rows], dtype=float)
    weight = np.array([(weights or {}).get(key, 1.0) for key in rows], dtype=float)
    hit = passed * matched * weight

    def interval(denominator: np.ndarray) -> Interval:
        return bootstrap(
            [hit, denominator],
            ratio,
            strata=[strata.get(key, "") for key in rows] if strata else None,
            level=level,
            resamples=resamples,
            seed=seed,
        )

    agree = (passed == matched) * weight
    weighted = weights is not None
    return Calibration(
        grader=grader,
        configuration=configuration,
        confusion=counts,
        detected=rate(
            sum(verdict in ("correct", "incorrect") for verdict in verdicts.values()),
            len(verdicts),
            level,
        ),
        recall=rate(counts.tp, counts.matches, level),
        precision=rate(counts.tp, counts.passes, level),
        specificity=rate(counts.tn, counts.non_matches, level),
        accuracy=rate(counts.tp + counts.tn, counts.n, level),
        precision_bound=rule_of_three(counts.passes) if counts.fp == 0 else None,
        precision_exact_bound=exact_bound(counts.passes) if counts.fp == 0 else None,
        recall_bootstrap=interval(matched * weight),
        precision_bootstrap=interval(passed * weight),
        weighted_recall=_share(hit, matched * weight) if weighted else None,
        weighted_precision=_share(hit, passed * weight) if weighted else None,
        weighted_accuracy=_share(agree, weight) if weighted else None,
    )


def _cell(passed: bool, matched: bool) -> str:
    return ("t" if passed == matched else "f") + ("p" if passed else "n")


def _share(numerator: np.ndarray, denominator: np.ndarray) -> float | None:
    total = float(denominator.sum())
    return float(numerator.sum()) / total if total > 0 else None
