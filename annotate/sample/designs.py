"""Sampling designs: the strata of a run, and how labels are shared out among them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from grader.errors import unknown_name
from grader.strict import HEURISTIC

from ..cases import Case, main_grader

PASS_SHARE = 0.1  # at least this share of the labels goes to transcripts the graders passed
BASELINE = HEURISTIC  # too often wrong for its disagreement to mean much
CONFIDENCE_BANDS = (0.3, 0.6, 0.9)

# Expected share of wrong automated grades by kind of case, for sharing out labels only: wrong
# guesses cost efficiency, never validity.
EXPECTED_ERROR = {"disagree": 0.4, "low": 0.2, "middle": 0.08, "high": 0.02, "unknown": 0.15}

Strata = Callable[[Case], str]
Share = Callable[[dict[str, list[Case]]], dict[str, float]]


def stratum_of(case: Case, key: str) -> str:
    """The stratum of a case by one key (see `draw`)."""
    if key == "verdict":
        grader = main_grader([case])
        return case.verdicts[grader] if grader else "not graded"
    if key == "confidence":
        return confidence_band(case.confidence)
    if key == "outcome":
        return case.outcome or "unknown"
    return case.covariates.get(key, "unknown")


def confidence_band(confidence: float | None) -> str:
    """`0.3 to 0.6`, or `unknown`."""
    if confidence is None:
        return "unknown"
    edges = (0.0, *CONFIDENCE_BANDS, math.inf)
    low = max(edge for edge in edges if edge <= max(confidence, 0.0))
    high = min(edge for edge in edges if edge > low)
    return f"{low} and more" if high == math.inf else f"{low} to {high}"


def uncertainty(case: Case) -> str:
    """How likely the automated grade is to be wrong: a key of `EXPECTED_ERROR`."""
    verdicts = {
        verdict == "correct"
        for name, verdict in case.verdicts.items()
        if verdict != "ungraded" and name != BASELINE and ":" not in name
    }
    if len(verdicts) > 1:
        return "disagree"
    if case.confidence is None:
        return "unknown"
    return "low" if case.confidence < 0.3 else "middle" if case.confidence < 0.6 else "high"


def passed(case: Case) -> bool:
    """Whether the run's main grader passed this transcript."""
    grader = main_grader([case])
    return grader is not None and case.verdicts[grader] == "correct"


def _one_stratum(cases: Sequence[Case], strata_by: Sequence[str]) -> tuple[Strata, Share]:
    return (lambda case: "all"), lambda groups: dict.fromkeys(groups, 1.0)


def _by_keys(cases: Sequence[Case], strata_by: Sequence[str]) -> tuple[Strata, Share]:
    keys = tuple(strata_by) or ("verdict",)
    valid = {"verdict", "confidence", "outcome", *(k for case in cases for k in case.covariates)}
    for key in keys:
        if key not in valid:
            raise unknown_name("stratum", key, sorted(valid))

    def share(groups: dict[str, list[Case]]) -> dict[str, float]:
        """Square-root allocation (Bankier 1988): small strata get more than their share."""
        return {name: math.sqrt(len(group)) for name, group in groups.items()}

    return (lambda case: " / ".join(stratum_of(case, key) for key in keys)), share


def _informative(cases: Sequence[Case], strata_by: Sequence[str]) -> tuple[Strata, Share]:
    def strata(case: Case) -> str:
        return f"{'pass' if passed(case) else 'fail'} / {uncertainty(case)}"

    def share(groups: dict[str, list[Case]]) -> dict[str, float]:
        """Neyman allocation for the expected error rates, passes raised to `PASS_SHARE`."""
        shares = {}
        for name, group in groups.items():
            error = EXPECTED_ERROR[name.split(" / ")[1]]
            shares[name] = len(group) * math.sqrt(error * (1 - error))
        passes = {name: value for name, value in shares.items() if name.startswith("pass")}
        given, total = sum(passes.values()), sum(shares.values())
        if 0 < given < PASS_SHARE * total:
            factor = PASS_SHARE * (total - given) / ((1 - PASS_SHARE) * given)
            shares |= {name: value * factor for name, value in passes.items()}
        return shares

    return strata, share


DESIGNS: dict[str, Callable[[Sequence[Case], Sequence[str]], tuple[Strata, Share]]] = {
    "all": _one_stratum,
    "random": _one_stratum,
    "stratified": _by_keys,
    "informative": _informative,
}
