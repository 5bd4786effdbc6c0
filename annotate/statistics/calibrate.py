"""Grade the graders: confusion counts, precision and recall against human labels.

Positive = the human label says the agent's answer matches the truth; predicted positive =
the grader said `correct`. `no_answer` is a failed detection (it counts as not passed);
`ungraded` says nothing about the agent and is counted apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from grader.records import Record, Verdict

from .posterior import posterior_rates, with_interval
from .rates import Interval, Rate, bootstrap, exact_bound, rate_of, ratio, rule_of_three


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
    `precision_exact_bound` the exact one, over the tasks passed, fewer where a false pass might be
    in a stratum that weighs more than others; both are None unless there are passes and none of
    them is false.
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
    strata: Mapping[str, str] | None = None,
    tasks: Mapping[str, str] | None = None,
    level: float = 0.95,
    resamples: int = 2000,
) -> Calibration:
    """Calibrate one grader against human labels.

    By transcript_id: `strata` are those that the labels were drawn from, if they were drawn by
    strata (labels and verdicts of transcripts in none are left out); `tasks` are the tasks, each
    transcript being one of its own by default.

    Where the labels of all strata weigh the same, standard errors are those of proportions and
    intervals Wilson's. Else they are of the posterior of the headline estimate
    (`estimates.poststratified`): in each cell, a stratum's passes or failures, the share of
    matches is drawn, and the rates follow from that. The bootstrap resamples tasks. It does not
    keep to the strata: the few labels of a stratum often all agree, and an interval from within
    strata is then far too short.
    """
    if strata is not None:
        verdicts = {key: verdict for key, verdict in verdicts.items() if key in strata}
    tasks = tasks or {key: key for key in verdicts}
    graded = {key: v == "correct" for key, v in verdicts.items() if v != "ungraded"}
    judged = {key: match for key, match in truth.items() if key in graded}
    weights = _weights(graded, judged, strata)
    passed = np.array([graded[key] for key in judged], dtype=float)
    matched = np.array(list(judged.values()), dtype=float)
    weight = np.array([weights[key] for key in judged], dtype=float)
    hit, agree = passed * matched, (passed == matched).astype(float)
    numbers = _numbered([tasks[key] for key in judged])
    is_uneven = len(set(weights.values())) > 1
    posterior = posterior_rates(graded, judged, strata, tasks) if strata and is_uneven else {}

    def share(name: str, hits: np.ndarray, among: np.ndarray) -> Rate:
        inside = among == 1
        of, given = numbers[inside].tolist(), weight[inside].tolist()
        found = rate_of(hits[inside].tolist(), of, level, given)
        return with_interval(found, posterior[name]) if name in posterior and found.n else found

    def interval(among: np.ndarray) -> Interval:
        by_task = [np.bincount(numbers, values * weight) for values in (hit, among)]
        return bootstrap(by_task, ratio, level=level, resamples=resamples)

    counts = confusion(verdicts, truth)
    heaviest = weight[passed == 1].max(initial=0.0)
    worth = (
        len(set(numbers[passed == 1])) * weight[passed == 1].mean() / heaviest if heaviest else 0
    )
    return Calibration(
        grader=grader,
        configuration=configuration,
        confusion=counts,
        detected=rate_of(
            [verdict in ("correct", "incorrect") for verdict in verdicts.values()],
            [tasks[key] for key in verdicts],
            level,
        ),
        recall=share("recall", passed, matched),
        precision=share("precision", matched, passed),
        specificity=share("specificity", 1 - passed, 1 - matched),
        accuracy=share("accuracy", agree, np.ones_like(agree)),
        precision_bound=None if counts.fp else rule_of_three(worth, level),
        precision_exact_bound=None if counts.fp else exact_bound(worth, level),
        recall_bootstrap=interval(matched),
        precision_bootstrap=interval(passed),
    )


def _weights(
    graded: Mapping[str, bool], judged: Mapping[str, bool], strata: Mapping[str, str] | None
) -> dict[str, float]:
    """How many graded transcripts of its stratum each label stands for."""
    if strata is None:
        return dict.fromkeys(judged, 1.0)
    sizes, drawn = (Counter(strata[key] for key in keys) for keys in (graded, judged))
    return {key: sizes[strata[key]] / drawn[strata[key]] for key in judged}


def _numbered(names: Sequence[str]) -> np.ndarray:
    """Each name as a number, in order of first appearance."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], dtype=np.int64)


def _cell(passed: bool, matched: bool) -> str:
    return ("t" if passed == matched else "f") + ("p" if passed else "n")
