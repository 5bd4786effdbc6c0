"""Grade the graders: precision and recall against human labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grader.records import Record, Verdict

from .cells import Drawn, unlabelled_strata
from .confusion import Confusion, confusion
from .posterior import posterior_rate, posterior_rates
from .rates import (
    LEVEL,
    RESAMPLES,
    Interval,
    Rate,
    bootstrap,
    exact_bound,
    rate_of,
    ratio,
    rule_of_three,
)


class GraderRates(Record):
    """How well one grader detects what humans see (one row of Table 1). `configuration` says which
    steps or transcripts it graded, unless these are all.

    `detected` is the share of all transcripts, labelled or not, on which the grader found an answer
    to compare; it is not the pipeline's success (`Transcript.outcome`). The other rates describe
    the run, weighted for the sampling design; their `successes` and `n` count the labelled
    transcripts. `precision_bound` is the rule-of-three lower bound and `precision_exact_bound` the
    exact one, for n tasks passed; n is reduced where labels weigh differently. Both are None unless
    there are passes and none of them is false.
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


class Calibration(GraderRates):
    """The rates of a grader, with bootstrap intervals besides: of the labels alone, over tasks."""

    recall_bootstrap: Interval
    precision_bootstrap: Interval


def calibrate(
    grader: str,
    verdicts: Mapping[str, Verdict],
    matches: Mapping[str, bool],
    *,
    configuration: str = "",
    drawn: Drawn | None = None,
    tasks: Mapping[str, str] | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
) -> Calibration:
    """The rates of one grader against human labels (`grader_rates` says how they are found), and
    their bootstrap of so many `resamples`. It is of the labels alone and resamples tasks across
    strata: the few labels of one stratum often all agree, and an interval within strata is then far
    too short.
    """
    rates = grader_rates(
        grader,
        verdicts,
        matches,
        configuration=configuration,
        drawn=drawn,
        tasks=tasks,
        level=level,
    )
    labels = _labelled(verdicts, matches, drawn, tasks, level)
    return Calibration(
        **dict(rates),
        recall_bootstrap=labels.bootstrap(labels.matched, resamples),
        precision_bootstrap=labels.bootstrap(labels.passed, resamples),
    )


def grader_rates(
    grader: str,
    verdicts: Mapping[str, Verdict],
    matches: Mapping[str, bool],
    *,
    configuration: str = "",
    drawn: Drawn | None = None,
    tasks: Mapping[str, str] | None = None,
    level: float = LEVEL,
) -> GraderRates:
    """The rates of one grader against human labels.

    `drawn` says how the labels were drawn, if they were drawn by strata and do not weigh the same
    (labels and verdicts of transcripts in no stratum are left out). While a stratum has no label,
    all rates but `detected` are undefined. `tasks` are the tasks by transcript_id, each transcript
    being one of its own by default.

    If all labels have the same weight, rates are proportions of labels and intervals Wilson's.
    Otherwise rates, standard errors and intervals come from the posterior of the headline estimate
    (`estimates.poststratified`): the share of matches is drawn in each cell (a stratum's passes or
    failures), and the rates follow from that.
    """
    if drawn is not None:
        verdicts = {key: verdict for key, verdict in verdicts.items() if key in drawn.strata}
    tasks = tasks or {key: key for key in verdicts}
    labels = _labelled(verdicts, matches, drawn, tasks, level)
    rates = labels.rates()
    if drawn is not None and len(set(labels.weight)) > 1:
        posterior = posterior_rates(_graded(verdicts), labels.match_by_id, drawn.strata, tasks)
        rates = {name: posterior_rate(rate, posterior[name]) for name, rate in rates.items()}
    counts = confusion(verdicts, matches)
    worth = 0.0 if counts.fp else labels.passes_worth()
    return GraderRates(
        grader=grader,
        configuration=configuration,
        confusion=counts,
        detected=rate_of(
            [verdict in ("correct", "incorrect") for verdict in verdicts.values()],
            [tasks[key] for key in verdicts],
            level,
        ),
        recall=rates["recall"],
        precision=rates["precision"],
        specificity=rates["specificity"],
        accuracy=rates["accuracy"],
        precision_bound=rule_of_three(worth, level),
        precision_exact_bound=exact_bound(worth, level),
    )


@dataclass(frozen=True)
class _Labelled:
    """The labelled transcripts that a grader graded, an entry each: whether it passed them,
    whether they match, what their labels weigh, and their task as a number."""

    match_by_id: dict[str, bool]
    passed: np.ndarray
    matched: np.ndarray
    weight: np.ndarray
    task: np.ndarray
    level: float

    def rates(self) -> dict[str, Rate]:
        """The rates of `GraderRates` by name, with Wilson's intervals."""
        passed, matched = self.passed, self.matched
        return {
            "recall": self._share(passed, matched),
            "precision": self._share(matched, passed),
            "specificity": self._share(~passed, ~matched),
            "accuracy": self._share(passed == matched, np.ones_like(passed)),
        }

    def bootstrap(self, among: np.ndarray, resamples: int) -> Interval:
        """The bootstrap interval, over tasks, of the share of true passes among some."""
        by_task = [
            np.bincount(self.task, values * self.weight)
            for values in (self.passed & self.matched, among)
        ]
        return bootstrap(by_task, ratio, level=self.level, resamples=resamples)

    def passes_worth(self) -> float:
        """The number of passed tasks that a bound on precision may count, reduced where a false
        pass might be in a stratum of more weight."""
        weight = self.weight[self.passed]
        if not len(weight):
            return 0.0
        return len(set(self.task[self.passed])) * float(weight.mean() / weight.max())

    def _share(self, hits: np.ndarray, among: np.ndarray) -> Rate:
        return rate_of(
            hits[among].tolist(), self.task[among].tolist(), self.level, self.weight[among].tolist()
        )


def _labelled(
    verdicts: Mapping[str, Verdict],
    matches: Mapping[str, bool],
    drawn: Drawn | None,
    tasks: Mapping[str, str] | None,
    level: float,
) -> _Labelled:
    """The labels that count: of graded transcripts, which are in a stratum if labels were drawn by
    strata. None count while a stratum has no label."""
    graded = _graded(verdicts)
    labelled = {key: match for key, match in matches.items() if key in graded}
    if drawn is not None:
        labelled = {key: match for key, match in labelled.items() if key in drawn.strata}
        if unlabelled_strata(drawn.strata, drawn.weights):
            labelled = {}
    weights = dict.fromkeys(labelled, 1.0) if drawn is None else drawn.weights
    return _Labelled(
        match_by_id=labelled,
        passed=np.array([graded[key] for key in labelled], dtype=bool),
        matched=np.array(list(labelled.values()), dtype=bool),
        weight=np.array([weights[key] for key in labelled], dtype=float),
        task=_numbered([tasks[key] if tasks else key for key in labelled]),
        level=level,
    )


def _graded(verdicts: Mapping[str, Verdict]) -> dict[str, bool]:
    """transcript_id -> whether the grader passed it, of the transcripts that it graded."""
    return {key: v == "correct" for key, v in verdicts.items() if v != "ungraded"}


def _numbered(names: Sequence[str]) -> np.ndarray:
    """Each name as a number, in order of first appearance."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], dtype=np.int64)
