"""Grade the graders: confusion counts, precision and recall against human labels.

Positive = the human label says the agent's answer matches the truth; predicted positive =
the grader said `correct`. `no_answer` is a failed detection (it counts as not passed);
`ungraded` says nothing about the agent and is counted apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from grader.records import Record, Verdict

from .rates import (
    Interval,
    Rate,
    bootstrap,
    exact_bound,
    rate_of,
    ratio,
    rule_of_three,
    weight_effect,
)


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


class Calibration(Record):
    """How well one grader detects what humans see (one row of Table 1).

    `detected` is the share of all transcripts, labelled or not, on which the grader found an
    answer to compare; it says nothing of the pipeline's own success (`Transcript.outcome`).
    The rates after it are of the run, weighted for the sampling design; their `successes` and `n`
    count the labelled transcripts. `precision_bound` is the rule-of-three lower bound and
    `precision_exact_bound` the exact one, over what the tasks passed are worth under that design;
    both are None unless there are passes and none of them is false.
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
    tasks: Mapping[str, str] | None = None,
    level: float = 0.95,
    resamples: int = 2000,
) -> Calibration:
    """Calibrate one grader against human labels.

    By transcript_id: `weights` are inverse inclusion probabilities, by default all the same, and 0
    for a label that has none, which rates then leave out; `tasks` are the tasks, each transcript
    being one of its own by default. The bootstrap resamples tasks. It
    does not keep to the design's strata: the few labels of a stratum often all agree, and an
    interval from within strata is then far too short.
    """
    counts = confusion(verdicts, truth)
    rows = [key for key in truth if verdicts.get(key, "ungraded") != "ungraded"]
    passed = np.array([verdicts[key] == "correct" for key in rows], dtype=float)
    matched = np.array([truth[key] for key in rows], dtype=float)
    weight = np.array(
        [1.0 if weights is None else weights.get(key, 0.0) for key in rows], dtype=float
    )
    heaviest = max((weights or {}).values(), default=1.0)
    hit, agree = passed * matched, (passed == matched).astype(float)
    numbers = _numbered([(tasks or {}).get(key, key) for key in rows])

    def share(hits: np.ndarray, among: np.ndarray) -> Rate:
        inside = among == 1
        of, given = numbers[inside].tolist(), weight[inside].tolist()
        return rate_of(hits[inside].tolist(), of, level, given, heaviest)

    def interval(among: np.ndarray) -> Interval:
        by_task = [np.bincount(numbers, values * weight) for values in (hit, among)]
        return bootstrap(by_task, ratio, level=level, resamples=resamples)

    tasks_passed = 0 if counts.fp else len(set(numbers[passed == 1]))
    worth = tasks_passed / weight_effect(weight[passed == 1].tolist(), heaviest)
    return Calibration(
        grader=grader,
        configuration=configuration,
        confusion=counts,
        detected=rate_of(
            [verdict in ("correct", "incorrect") for verdict in verdicts.values()],
            [(tasks or {}).get(key, key) for key in verdicts],
            level,
        ),
        recall=share(passed, matched),
        precision=share(matched, passed),
        specificity=share(1 - passed, 1 - matched),
        accuracy=share(agree, np.ones_like(agree)),
        precision_bound=rule_of_three(worth, level),
        precision_exact_bound=exact_bound(worth, level),
        recall_bootstrap=interval(matched),
        precision_bootstrap=interval(passed),
    )


def _numbered(names: Sequence[str]) -> np.ndarray:
    """Each name as a number, in order of first appearance."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], dtype=np.int64)


def _cell(passed: bool, matched: bool) -> str:
    return ("t" if passed == matched else "f") + ("p" if passed else "n")
