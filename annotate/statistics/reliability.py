"""Confidence reliability: does a higher confidence mean more matches? (Figure S.1)"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from grader.records import Record

from .rates import LEVEL, Rate, rate_of


class Band(Record):
    """One band of confidence, low <= x < high (the last band includes its upper end), and the
    share of its transcripts that are hits. `mean` is the mean confidence in it."""

    low: float
    high: float
    mean: float | None
    hits: Rate


class Reliability(Record):
    """Bands, and for a confidence that is a probability its Brier score and expected calibration
    error: the mean of |mean confidence - hit rate| over bands, weighted by their size. Both are
    None without transcripts, or where a confidence lies outside [0, 1]."""

    bands: tuple[Band, ...]
    n: int
    brier: float | None = None
    calibration_error: float | None = None


def reliability(
    confidence: Sequence[float],
    hit: Sequence[bool],
    tasks: Sequence[str],
    *,
    weights: Sequence[float] | None = None,
    level: float = LEVEL,
) -> Reliability:
    """Hit rate by confidence band; the sequences have an entry a transcript.

    `hit` is whatever the confidence should predict (a human match, or a strict pass as in the
    paper's figure); `weights` are what each weighs, by default all the same. Bands are fifths of
    [0, 1], with a further one up to the largest confidence if that exceeds 1; a confidence below
    0 is in the first. Raises `ValueError` where the sequences differ in length.
    """
    scores, hits = np.asarray(confidence, dtype=float), np.asarray(hit, dtype=bool)
    of = np.asarray(tasks, dtype=object)
    weight = np.ones(len(scores)) if weights is None else np.asarray(weights, dtype=float)
    if not len(scores) == len(hits) == len(of) == len(weight):
        raise ValueError("confidence, hit, tasks and weights differ in length")
    limits = np.asarray(_edges(scores), dtype=float)
    places = np.clip(np.searchsorted(limits, scores, side="right") - 1, 0, len(limits) - 2)
    bands: list[Band] = []
    for place, (low, high) in enumerate(pairwise(limits)):
        inside = places == place
        given = weight[inside].tolist()
        hit_rate = rate_of(hits[inside].tolist(), of[inside].tolist(), level, given)
        mean = float(np.average(scores[inside], weights=given)) if given else None
        bands.append(Band(low=float(low), high=float(high), mean=mean, hits=hit_rate))
    n = len(scores)
    if not n or scores.min() < 0 or scores.max() > 1:
        return Reliability(bands=tuple(bands), n=n)
    return Reliability(
        bands=tuple(bands),
        n=n,
        brier=float(np.average((scores - hits) ** 2, weights=weight)),
        calibration_error=_calibration_error(bands, places, weight),
    )


def _calibration_error(bands: Sequence[Band], places: np.ndarray, weight: np.ndarray) -> float:
    """The mean distance, over transcripts, of their band's hit rate from its mean confidence.
    places: the band of each transcript; weight: what each weighs."""
    gaps = [
        weight[places == place].sum() * abs(band.mean - band.hits.value)
        for place, band in enumerate(bands)
        if band.mean is not None and band.hits.value is not None
    ]
    return float(sum(gaps) / weight.sum())


def _edges(scores: np.ndarray) -> list[float]:
    edges = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    largest = float(scores.max()) if len(scores) else 1.0
    return [*edges, largest] if largest > 1 else edges
