"""Are the weights of the evidence right? Fits them to labels, and says what that gains.

    python -m tests.bench.weights FOLDER [FOLDER ...] [--ridge R]

FOLDER: one with transcripts.jsonl and labels.jsonl, as `fixtures/styles`. The model: the answer of
a transcript is number i, or none, with probability proportional to exp(score of i), none scoring
`MINIMUM_SCORE` (conditional logit; McFadden 1974). Fitted by penalised likelihood, the ridge
pulling towards the weights in force. Printed: how many answers are ranked first with the weights in
force, and with weights fitted to all other folders; the confidence's calibration (`CALIBRATION` of
`blind.py`), a logistic regression on the answers ranked first by weights fitted to the other
folders; and the weights fitted to all of them.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from grader.extraction.blind import LEAD_CAP, SCORE_CAP
from grader.extraction.evidence import MINIMUM_SCORE, weigh_candidates
from grader.extraction.evidence.weights import WEIGHTS
from grader.extraction.rules import MARKS
from grader.numbers import Quantity
from grader.reading import Reading
from grader.tolerance import same_value

from .accuracy import Labelled, load

Vector = npt.NDArray[np.float64]
PENALTIES = {mark.name: -mark.penalty for mark in MARKS}
IN_FORCE = {**WEIGHTS, **PENALTIES}
NAMES = list(IN_FORCE)
ROUNDING = 0.002  # an answer labelled 0.48 is the printed 0.4801


class Case(NamedTuple):
    """A transcript: its numbers; what speaks for each of them, and for none of them (last row),
    in units of the weights; and which rows are right."""

    numbers: list[Quantity]
    evidence: Vector
    right: npt.NDArray[np.bool_]


def case_of(labelled: Labelled) -> Case | None:
    """None for a choice task, and where the answer is not among the candidates."""
    reading = Reading(labelled.transcript)
    if not reading.is_number:
        return None
    weighed = weigh_candidates(reading.source.scan, reading.earlier)
    evidence = np.zeros((len(weighed) + 1, len(NAMES) + 1))
    right = np.zeros(len(weighed) + 1, dtype=bool)
    for row, (mark, _, _, named) in enumerate(weighed):
        for name, value in named.items():
            evidence[row, NAMES.index(name)] = value / IN_FORCE[name]
        right[row] = labelled.intended is not None and is_same(mark.number, labelled.intended)
    evidence[-1, -1] = 1.0
    right[-1] = labelled.intended is None
    return Case([one.mark.number for one in weighed], evidence, right) if right.any() else None


def is_same(number: Quantity, intended: Quantity) -> bool:
    near = (
        abs(one - other) <= ROUNDING * abs(other)
        for one in number.readings()
        for other in intended.readings()
    )
    return same_value(number, intended) or any(near)


def loss(weights: Vector, cases: list[Case], prior: Vector, ridge: float) -> tuple[float, Vector]:
    """Negative penalised log-likelihood, and its gradient."""
    away = weights - prior
    total, gradient = ridge * float(away @ away), 2 * ridge * away
    for _, evidence, right in cases:
        scores = evidence @ weights
        odds = np.exp(scores - scores.max())
        chance, hit = odds / odds.sum(), odds * right
        total -= float(np.log(hit.sum() / odds.sum()))
        gradient += evidence.T @ (chance - hit / hit.sum())
    return total, gradient


def fit(cases: list[Case], prior: Vector, ridge: float) -> Vector:
    found = minimize(loss, prior, args=(cases, prior, ridge), jac=True, method="L-BFGS-B")
    return np.asarray(found.x)


def ranked_first(weights: Vector, cases: list[Case]) -> int:
    return sum(bool(right[np.argmax(evidence @ weights)]) for _, evidence, right in cases)


def first_choices(weights: Vector, cases: list[Case]) -> list[tuple[float, float, bool]]:
    """Lead and score, both capped, of each first choice, and whether it is the answer; of the
    transcripts that have one."""
    found = []
    for numbers, evidence, right in cases:
        if right[-1] or not numbers:
            continue
        scores = (evidence @ weights)[:-1]
        best = int(np.argmax(scores))
        others = (
            float(scores[best] - score)
            for score, number in zip(scores, numbers, strict=True)
            if not same_value(number, numbers[best])
        )
        lead = min(others, default=LEAD_CAP)
        capped = min(lead, LEAD_CAP), min(float(scores[best]), SCORE_CAP)
        found.append((*capped, bool(right[best])))
    return found


def calibrate(choices: list[tuple[float, float, bool]]) -> Vector:
    """Intercept, and what a point of lead and of score adds to the log-odds of being right."""
    import statsmodels.api as sm

    table = np.array(choices, dtype=float)
    return np.asarray(sm.Logit(table[:, 2], sm.add_constant(table[:, :2])).fit(disp=0).params)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--ridge", type=float, default=3.0)
    options = parser.parse_args()
    prior = np.array([*IN_FORCE.values(), MINIMUM_SCORE])
    cases: dict[Path, list[Case]] = {}
    for folder in options.folders:
        data = load(folder / "transcripts.jsonl", folder / "labels.jsonl", None)
        cases[folder] = [case for one in data if (case := case_of(one))]
    out = sys.stdout.write
    choices: list[tuple[float, float, bool]] = []
    for folder, own in cases.items():
        others = [case for other in cases if other != folder for case in cases[other]]
        fitted = fit(others, prior, options.ridge)
        choices += first_choices(fitted, own)
        out(f"{folder}: first of {len(own)}: {ranked_first(prior, own)} in force, ")
        out(f"{ranked_first(fitted, own)} fitted to the other folders\n")
    out(f"calibration on {len(choices)}: {calibrate(choices).round(2)}\n")
    found = fit([case for own in cases.values() for case in own], prior, options.ridge)
    out(f"{'evidence':28}{'in force':>10}{'fitted':>10}\n")
    for name, before, after in zip([*NAMES, "no answer"], prior, found, strict=True):
        out(f"{name:28}{before:10.2f}{after:10.2f}\n")


if __name__ == "__main__":
    main()
