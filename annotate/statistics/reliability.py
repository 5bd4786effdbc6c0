"""Confidence reliability: does a higher confidence mean more matches? (Figure S.1)"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from grader.records import Record

from .rates import Rate, rate_of


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
    edges: Sequence[float] | None = None,
    level: float = 0.95,
) -> Reliability:
    """Hit rate by confidence band; the three sequences have an entry a transcript.

    `hit` is whatever the confidence should predict (a human match, or a strict pass as in the
    paper's figure). `edges` are the band limits, ascending; by default fifths of [0, 1], with a
    further band up to the largest confidence if that exceeds 1. Values outside `edges` are put
    in the nearest band. Raises `ValueError` where the sequences differ in length.
    """
    scores, hits = np.asarray(confidence, dtype=float), np.asarray(hit, dtype=bool)
    of = np.asarray(tasks, dtype=object)
    if not len(scores) == len(hits) == len(of):
        raise ValueError("confidence, hit and tasks differ in length")
    limits = np.asarray(edges if edges is not None else _default_edges(scores), dtype=float)
    places = np.clip(np.searchsorted(limits, scores, side="right") - 1, 0, len(limits) - 2)
    bands = []
    for place, (low, high) in enumerate(pairwise(limits)):
        inside = places == place
        hit_rate = rate_of(hits[inside].tolist(), of[inside].tolist(), level)
        mean = float(scores[inside].mean()) if inside.any() else None
        bands.append(Band(low=float(low), high=float(high), mean=mean, hits=hit_rate))
    n = len(scores)
    if n == 0 or scores.min() < 0 or scores.max() > 1:
        return Reliability(bands=tuple(bands), n=n)
    gaps = [
        band.hits.n * abs(band.mean - band.hits.value)
        for band in bands
        if band.mean is not None and band.hits.value is not None
    ]
    return Reliability(
        bands=tuple(bands),
        n=n,
        brier=float(np.mean((scores - hits) ** 2)),
        calibration_error=float(sum(gaps) / n),
    )


def _default_edges(scores: np.ndarray) -> list[float]:
    edges = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    largest = float(scores.max()) if len(scores) else 1.0
    return [*edges, largest] if largest > 1 else edges
