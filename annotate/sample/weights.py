"""Which labels are a random sample of the run, and how many transcripts each represents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grader.records import Record

from ..cases import Case
from ..statistics.cells import Drawn, drawn_by, unlabelled_strata
from .drawing import OPEN_SHARE, Labelled, Sample, labelled_part

SIMPLE = "simple random sample (assumed)"
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
    sample."""
    if labelled and len(labelled) == len(cases):
        return _unweighted(cases, labelled, ALL)
    if sample is not None and (not labelled or any(key in labelled for key in sample.queue)):
        return _weighted(cases, sample, labelled_part(sample, labelled))
    origin = "come without a sampling design" if sample is None else "are not from the queue"
    assumed = (
        f"The labels {origin}: they are treated as a simple random sample. If they were chosen "
        "in another way, the rates are wrong."
    )
    return _unweighted(cases, labelled, SIMPLE, *([assumed] if labelled else []))


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
            f"No final label yet in: {', '.join(unlabelled)} ({100 * share:.0f}% of the "
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
