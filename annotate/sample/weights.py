"""Which labels are a random sample of the run, and how many transcripts each stands for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from grader.records import Record

from ..cases import Case
from . import Labelled, Sample, labelled_part

SIMPLE = "simple random sample (assumed)"
ALL = "every transcript is labelled"


class Weighting(Record):
    """The labels that form a sample, the stratum of each transcript it was drawn from, and by
    transcript_id what a label weighs, None where all weigh the same. `notes` are caveats."""

    design: str
    sampled: dict[str, bool]
    strata: dict[str, str]
    weights: dict[str, float] | None = None
    notes: tuple[str, ...] = ()


def weighting_of(
    cases: Sequence[Case], judged: Mapping[str, bool], sample: Sample | None
) -> Weighting:
    """The weighting of the labels `judged`. Without a design they are taken for a simple random
    sample; labels beyond a gap in the queue wait until it is filled."""
    if judged and len(judged) == len(cases):
        return _unweighted(cases, judged, ALL)
    part = None if sample is None else labelled_part(sample, judged)
    if sample is not None and part is not None and (part.truth or not judged):
        return _weighted(cases, judged, sample, part)
    assumed = (
        "The labels come without a sampling design: they are taken for a simple random sample. "
        "If they were picked otherwise, the pass rate is off."
    )
    return _unweighted(cases, judged, SIMPLE, *([assumed] if judged else []))


def _unweighted(
    cases: Sequence[Case], judged: Mapping[str, bool], design: str, *notes: str
) -> Weighting:
    strata = {case.transcript_id: "all" for case in cases}
    return Weighting(design=design, sampled=dict(judged), strata=strata, notes=notes)


def _weighted(
    cases: Sequence[Case], judged: Mapping[str, bool], sample: Sample, part: Labelled
) -> Weighting:
    strata = sample.strata
    sizes, drawn = Counter(strata.values()), Counter(strata[key] for key in part.truth)
    # Labels outside the sample have no known probability; they keep the weight 0 here.
    weights = dict.fromkeys(judged, 0.0)
    weights |= {key: sizes[strata[key]] / drawn[strata[key]] for key in part.truth}
    return Weighting(
        design=sample.design,
        sampled=part.truth,
        strata=strata,
        weights=weights,
        notes=tuple(_gaps(cases, strata, part)),
    )


def _gaps(cases: Sequence[Case], strata: Mapping[str, str], part: Labelled) -> Iterator[str]:
    if part.beyond:
        yield (
            f"Labels beyond place {(part.gap or 0) + 1} of the queue, which has no final label: "
            f"{part.beyond}. They join the pass rate once it is filled."
        )
    added = sum(case.transcript_id not in strata for case in cases)
    if added:
        yield (
            f"Transcripts added after the queue was drawn: {added}. The pass rate leaves them "
            "out. Draw a new queue with --design."
        )
