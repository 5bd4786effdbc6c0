"""What to label next: a queue drawn by a stated design, with the probabilities it implies.

Every design is stratified random sampling without replacement, so that any first part of the
queue is itself a random sample: an annotator may stop anywhere. Designs differ in the strata
and in how labels are shared out among them.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from grader.errors import UserError, unknown_name
from grader.records import Record

from .cases import Case, main_grader

BLOCK = 10  # within blocks of this many the order of strata is shuffled: it betrays no grade
PASS_SHARE = 0.1  # at least this share of the labels goes to transcripts the graders passed
BASELINE = "strict_heuristic"  # too often wrong for its disagreement to mean much
CONFIDENCE_BANDS = (0.3, 0.6, 0.9)

# Expected share of wrong automated grades by kind of case, for sharing out labels only: wrong
# guesses cost efficiency, never validity.
EXPECTED_ERROR = {"disagree": 0.4, "low": 0.2, "middle": 0.08, "high": 0.02, "unknown": 0.15}


class SampleItem(Record):
    """One place in the order. `probability` is the chance that a transcript of this stratum is
    among the first `Sample.size`: (number of the stratum among them) / `stratum_size`."""

    position: int
    transcript_id: str
    stratum: str
    stratum_size: int
    probability: float


class Sample(Record):
    """All transcripts of a run in labelling order, and how that was drawn; the first `size` are
    the queue. Reproducible from `seed`."""

    design: str
    seed: int
    size: int
    strata_by: tuple[str, ...] = ()
    items: tuple[SampleItem, ...] = ()

    @property
    def queue(self) -> list[str]:
        """The transcripts to label, in order."""
        return [item.transcript_id for item in self.items[: self.size]]

    @property
    def strata(self) -> dict[str, str]:
        """transcript_id -> stratum, of every transcript the sample was drawn from."""
        return {item.transcript_id: item.stratum for item in self.items}


class Labelled(Record):
    """The labels that form a random sample: those of the first transcripts of the order, up to
    the first one without a label (`gap`, its place). `beyond` counts labels after that; they
    join the sample once the gap is filled."""

    truth: dict[str, bool]
    gap: int | None
    beyond: int


Strata = Callable[[Case], str]
Share = Callable[[dict[str, list[Case]]], dict[str, float]]


def draw(
    cases: Sequence[Case],
    design: str = "random",
    *,
    size: int | None = None,
    strata_by: Sequence[str] = (),
    seed: int = 0,
) -> Sample:
    """Put the transcripts in labelling order, with a queue of `size` (default: all of them).

    `strata_by` names what `stratified` goes by: verdict, confidence, outcome, or any covariate.
    Raises `UserError` for an unknown design or stratum, a size below 1, or if there is nothing
    to draw from.
    """
    if not cases:
        raise UserError("nothing to sample: the run holds no transcripts")
    if design not in DESIGNS:
        raise unknown_name("design", design, list(DESIGNS))
    strata, share = DESIGNS[design](cases, strata_by)
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(strata(case), []).append(case)
    rng = random.Random(seed)
    order = _interleave(groups, share(groups), rng)
    size = _queue_size(design, size, len(order))
    drawn = Counter(stratum for stratum, _ in order[:size])
    return Sample(
        design=design,
        seed=seed,
        size=size,
        strata_by=tuple(strata_by),
        items=tuple(
            SampleItem(
                position=position,
                transcript_id=case.transcript_id,
                stratum=stratum,
                stratum_size=len(groups[stratum]),
                probability=drawn[stratum] / len(groups[stratum]),
            )
            for position, (stratum, case) in enumerate(order)
        ),
    )


def resized(sample: Sample, size: int) -> Sample:
    """The same order with a queue of another size. Raises `UserError` for a size below 1."""
    size = _queue_size(sample.design, size, len(sample.items))
    drawn = Counter(item.stratum for item in sample.items[:size])
    items = tuple(
        item.model_copy(update={"probability": drawn[item.stratum] / item.stratum_size})
        for item in sample.items
    )
    return sample.model_copy(update={"size": size, "items": items})


def labelled_part(sample: Sample, truth: Mapping[str, bool]) -> Labelled:
    """The labels that count for estimates (see `Labelled`)."""
    found: dict[str, bool] = {}
    for item in sample.items:
        if item.transcript_id not in truth:
            in_order = {i.transcript_id for i in sample.items}
            beyond = sum(key in in_order for key in truth) - len(found)
            return Labelled(truth=found, gap=item.position, beyond=beyond)
        found[item.transcript_id] = truth[item.transcript_id]
    return Labelled(truth=found, gap=None, beyond=0)


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


def _queue_size(design: str, asked: int | None, count: int) -> int:
    if asked is not None and asked < 1:
        raise UserError(f"a queue holds at least 1 item; --size was {asked}")
    return count if design == "all" or asked is None else min(asked, count)


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


def _interleave(
    groups: dict[str, list[Case]], share: dict[str, float], rng: random.Random
) -> list[tuple[str, Case]]:
    """All cases in queue order: shuffled within strata; strata take turns by share, each once
    first, so that no stratum is left without a label for long."""
    waiting = {name: rng.sample(groups[name], len(groups[name])) for name in sorted(groups)}
    taken = dict.fromkeys(waiting, 0)
    turns = sorted(waiting)
    for name in turns:
        taken[name] += 1
    left = sum(map(len, waiting.values())) - len(turns)
    while left:
        open_strata = [name for name in waiting if taken[name] < len(waiting[name])]
        total = sum(share[name] for name in open_strata) or 1.0
        # the stratum furthest behind its share
        name = min(open_strata, key=lambda s: ((taken[s] + 0.5) * total / (share[s] or 1e-9), s))
        taken[name] += 1
        turns.append(name)
        left -= 1
    order: list[tuple[str, Case]] = []
    for start in range(0, len(turns), BLOCK):
        block = turns[start : start + BLOCK]
        rng.shuffle(block)
        order += [(name, waiting[name].pop()) for name in block]
    return order
