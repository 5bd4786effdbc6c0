"""Which labels are a random sample of the run, and how many transcripts each represents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from grader.records import Record

from ..cases import Case, main_grader, verdicts_of
from ..shown_numbers import show_percent
from ..statistics.cells import Drawn, drawn_by, unlabelled_strata
from .drawing import OPEN_SHARE, Labelled, Sample, labelled_part

SIMPLE = "simple random sample (assumed)"
BY_VERDICT = "random in each verdict of the main grader (assumed)"
ASSUMED = (SIMPLE, BY_VERDICT)
UNLIKELY = 1e-4  # chance below which labels are no random sample of the run
ALL = "every transcript is labelled"


class Weighting(Record):
    """The labels that form a sample of a run, and their weights. `strata`: the stratum of each
    transcript. `weights`: how many transcripts of its stratum a label represents; None if all are
    equal. `unlabelled`: strata without a label, if others have some; until each has one, there are
    no rates of the run. `notes`: caveats."""

    design: str
    sampled: dict[str, bool]
    strata: dict[str, str]
    weights: dict[str, float] | None = None
    unlabelled: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def drawn_from(self) -> Drawn | None:
        """The strata and weights; None if all labels have the same weight."""
        return None if self.weights is None else Drawn(self.strata, self.weights)

    @property
    def is_uneven(self) -> bool:
        """Whether weights differ too much for unweighted tests: by more than the places without a
        label that a sample may have (`OPEN_SHARE`)."""
        weights = set((self.weights or {}).values())
        is_far = bool(weights) and min(weights) < (1 - OPEN_SHARE) * max(weights)
        return bool(self.unlabelled) or is_far

    @property
    def equal(self) -> dict[str, bool]:
        """The labels for unweighted tests; none if their weights are uneven."""
        return {} if self.is_uneven else self.sampled

    @property
    def rated(self) -> dict[str, bool]:
        """The labels used for rates of the run; none while a stratum has no label."""
        return {} if self.unlabelled else self.sampled


def weighting_of(
    cases: Sequence[Case], labelled: Mapping[str, bool], sample: Sample | None
) -> Weighting:
    """The weighting of the labels. Those beyond a gap in the queue wait until it is
    filled. Without a queue, or if none of them is in it, they are treated as a simple random
    sample; as one of the main grader's passes and one of its failures, if they hold so many passes
    or so few that they cannot be one of the run."""
    if labelled and len(labelled) == len(cases):
        return _unweighted(cases, labelled, ALL)
    if sample is not None and (not labelled or any(key in labelled for key in sample.queue)):
        return _weighted(cases, sample, labelled_part(sample, labelled))
    origin = "come without a sampling design" if sample is None else "are not from the queue"
    strata = _by_verdict(cases)
    if _chance(strata, labelled) < UNLIKELY:
        return _by_strata(labelled, strata, origin)
    assumed = (
        f"The labels {origin}: they are treated as a simple random sample. If they were chosen "
        "in another way, the rates are wrong."
    )
    return _unweighted(cases, labelled, SIMPLE, *([assumed] if labelled else []))


def _by_verdict(cases: Sequence[Case]) -> dict[str, str]:
    """The stratum of each transcript, by whether the main grader passed it; empty without one."""
    grader = main_grader(cases)
    if grader is None:
        return {}
    verdicts = verdicts_of(cases, grader)
    passes, others = f"passed by {grader}", f"not passed by {grader}"
    return {
        case.transcript_id: passes if verdicts.get(case.transcript_id) == "correct" else others
        for case in cases
    }


def _chance(strata: Mapping[str, str], labelled: Mapping[str, bool]) -> float:
    """The chance that so many labels, drawn at random from a run in two strata, are shared out so
    unevenly between them: Fisher's exact test, two-sided (hypergeometric)."""
    from scipy.stats import fisher_exact

    sizes = Counter(strata.values())
    drawn = Counter(strata[key] for key in labelled) if strata else Counter[str]()
    table = [(drawn[name], size - drawn[name]) for name, size in sizes.items()]
    return float(fisher_exact(table).pvalue) if len(table) == 2 else 1.0


def _by_strata(labelled: Mapping[str, bool], strata: Mapping[str, str], origin: str) -> Weighting:
    """The weighting of labels that are no random sample of the run, by the main grader's verdict:
    the labels of each verdict are taken for a random sample of it."""
    drawn = Counter(strata[key] for key in labelled)
    unlabelled = unlabelled_strata(strata, labelled)
    shares = ", ".join(
        f"{drawn[name]} of the {size} {name}"
        for name, size in sorted(Counter(strata.values()).items())
    )
    note = f"The labels {origin} and cannot be a random sample of the run: they are {shares}. "
    note += (
        "The others are unseen, so there are no rates of the run."
        if unlabelled
        else "They are treated as a random sample of each of these. If they were chosen in another "
        "way, the rates are wrong."
    )
    return Weighting(
        design=BY_VERDICT,
        sampled=dict(labelled),
        strata=dict(strata),
        weights=dict(drawn_by(strata, labelled).weights),
        unlabelled=tuple(unlabelled),
        notes=(note,),
    )


def _unweighted(
    cases: Sequence[Case], labelled: Mapping[str, bool], design: str, *notes: str
) -> Weighting:
    strata = {case.transcript_id: "all" for case in cases}
    return Weighting(design=design, sampled=dict(labelled), strata=strata, notes=notes)


def _weighted(cases: Sequence[Case], sample: Sample, part: Labelled) -> Weighting:
    strata = sample.strata
    weights = drawn_by(strata, part.matches).weights
    unlabelled = unlabelled_strata(strata, part.matches) if part.matches else []
    alike = not unlabelled and len(set(weights.values())) <= 1
    return Weighting(
        design=sample.design,
        sampled=part.matches,
        strata=strata,
        weights=None if alike else dict(weights),
        unlabelled=tuple(unlabelled),
        notes=(*_lacking(strata, unlabelled), *_gaps(cases, strata, part)),
    )


def _lacking(strata: Mapping[str, str], unlabelled: Sequence[str]) -> Iterator[str]:
    if unlabelled:
        share = sum(name in unlabelled for name in strata.values()) / len(strata)
        yield (
            f"No final label yet in: {', '.join(unlabelled)} ({show_percent(share, 0)} of the "
            "transcripts). Rates of the run need one in every stratum of the queue."
        )


def _gaps(cases: Sequence[Case], strata: Mapping[str, str], part: Labelled) -> Iterator[str]:
    if part.open:
        yield (
            f"Places without a final label among the first {part.places} of the queue: "
            f"{part.open}. They are assumed to be like the labelled ones of their stratum."
        )
    if part.beyond:
        yield (
            f"Labels beyond place {part.places} of the queue: {part.beyond}. They join the rates "
            "once nine in ten of the places before them have a final label."
        )
    added = sum(case.transcript_id not in strata for case in cases)
    if added:
        yield (
            f"Transcripts added after the queue was drawn: {added}. The rates leave them "
            "out. Draw a new queue with --design."
        )
