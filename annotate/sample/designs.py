"""Sampling designs: the strata of a run, and how labels are shared out among them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from grader.grader_names import HEURISTIC, is_before_nudge

from ..cases import Case, main_grader

PASS_SHARE = 0.1  # at least this share of the labels goes to transcripts the graders passed
BASELINE = HEURISTIC  # too often wrong for its disagreement to mean much
CONFIDENCE_BANDS = (0.3, 0.6, 0.9)

# Expected share of wrong automated grades by kind of case, for sharing out labels only: wrong
# guesses cost efficiency, never validity.
EXPECTED_ERROR = {"disagree": 0.4, "low": 0.2, "middle": 0.08, "high": 0.02, "unknown": 0.15}

Groups = dict[str, list[Case]]


class Design(NamedTuple):
    """A sampling design. `keys`: what defines the strata (see `stratum_of`). `share`: the share of
    the labels that each stratum gets, as proportional numbers. `takes_keys`: other keys may be
    given. `whole`: the queue is the whole run, whatever its size."""

    keys: tuple[str, ...]
    share: Callable[[Groups], dict[str, float]]
    takes_keys: bool = False
    whole: bool = False


def stratum_of(case: Case, key: str) -> str:
    """The stratum of a case by one key: a row of `KEYS`, else a covariate."""
    return KEYS[key](case) if key in KEYS else case.covariates.get(key, "unknown")


def confidence_band(confidence: float | None) -> str:
    """`0.3 to 0.6`, or `unknown`."""
    if confidence is None:
        return "unknown"
    edges = (0.0, *CONFIDENCE_BANDS, math.inf)
    low = max(edge for edge in edges if edge <= max(confidence, 0.0))
    high = min(edge for edge in edges if edge > low)
    return f"{low} and more" if high == math.inf else f"{low} to {high}"


def sureness(case: Case) -> float | None:
    """The blind confidence, or the answer-region score where none is stated."""
    return case.region_score if case.confidence is None else case.confidence


def uncertainty(case: Case) -> str:
    """How likely the automated grade is to be wrong: a key of `EXPECTED_ERROR`."""
    verdicts = {
        verdict == "correct"
        for name, verdict in case.verdicts.items()
        if verdict != "ungraded" and name != BASELINE and not is_before_nudge(name)
    }
    if len(verdicts) > 1:
        return "disagree"
    sure, (low, middle, _) = sureness(case), CONFIDENCE_BANDS
    if sure is None:
        return "unknown"
    return "low" if sure < low else "middle" if sure < middle else "high"


def passed(case: Case) -> bool:
    """Whether the run's main grader passed this transcript."""
    return verdict(case) == "correct"


def verdict(case: Case) -> str:
    """What the run's main grader said, or `not graded`."""
    grader = main_grader([case])
    return case.verdicts[grader] if grader else "not graded"


# The keys that can define strata, besides covariates.
KEYS: dict[str, Callable[[Case], str]] = {
    "verdict": verdict,
    "confidence": lambda case: confidence_band(sureness(case)),
    "outcome": lambda case: case.outcome or "unknown",
    "pass": lambda case: "pass" if passed(case) else "fail",
    "uncertainty": uncertainty,
}


def _root_share(groups: Groups) -> dict[str, float]:
    """Square-root allocation (Bankier 1988): small strata get more than their share."""
    return {name: math.sqrt(len(group)) for name, group in groups.items()}


def _error_share(groups: Groups) -> dict[str, float]:
    """Neyman allocation for the expected error rates, passes raised to `PASS_SHARE`."""
    shares = {}
    for name, group in groups.items():
        error = EXPECTED_ERROR[uncertainty(group[0])]
        shares[name] = len(group) * math.sqrt(error * (1 - error))
    passes = {name: value for name, value in shares.items() if passed(groups[name][0])}
    given, total = sum(passes.values()), sum(shares.values())
    if 0 < given < PASS_SHARE * total:
        factor = PASS_SHARE * (total - given) / ((1 - PASS_SHARE) * given)
        shares |= {name: value * factor for name, value in passes.items()}
    return shares


DESIGNS = {
    "all": Design((), _root_share, whole=True),
    "random": Design((), _root_share),
    "stratified": Design(("verdict",), _root_share, takes_keys=True),
    "informative": Design(("pass", "uncertainty"), _error_share),
}
