"""Agreement: between annotators, and of snippet labels with the final ones."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from grader.records import Record

from .rates import LEVEL, Rate, rate, rate_of, z_of


class Agreement(Record):
    """Chance-corrected agreement of annotators over the items at least two of them labelled.

    `coefficient` is Cohen's kappa for two annotators and Krippendorff's alpha (nominal) for more;
    None where undefined, with the `reason`. `observed` is over pairs of labels of an item; its
    interval allows for similar pairs of one item. `standard_error`, `low` and `high` (at the level
    of `observed`) exist only for a kappa with a standard error above 0.
    """

    annotators: tuple[str, ...]
    n_items: int
    observed: Rate
    statistic: str
    coefficient: float | None = None
    standard_error: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str = ""


class StageAgreement(Record):
    """How often snippet labels equal the final label, and by verdict: `by_verdict["match"]` covers
    the snippet labels that say match. Intervals allow for similar labels of one transcript."""

    overall: Rate
    by_verdict: dict[str, Rate]
    escalated: int


def cohens_kappa(first: Sequence[str], second: Sequence[str], level: float = LEVEL) -> Agreement:
    """Cohen's kappa (statsmodels) of two annotators' labels of the same items, in order."""
    from statsmodels.stats.inter_rater import cohens_kappa as kappa

    same = rate(sum(a == b for a, b in zip(first, second, strict=True)), len(first), level)
    result = Agreement(
        annotators=("1", "2"), n_items=len(first), observed=same, statistic="Cohen's kappa"
    )
    categories = sorted({*first, *second})
    if len(categories) < 2:
        reason = "no common items" if not categories else "every label is the same"
        return result.model_copy(update={"reason": reason})
    table = np.zeros((len(categories), len(categories)))
    for a, b in zip(first, second, strict=True):
        table[categories.index(a), categories.index(b)] += 1
    with np.errstate(divide="ignore", invalid="ignore"):
        found = kappa(table)
    result = result.model_copy(update={"coefficient": _finite(found.kappa)})
    if not found.std_kappa > 0:
        return result
    reach = z_of(level) * found.std_kappa
    return result.model_copy(
        update={
            "standard_error": float(found.std_kappa),
            "low": max(-1.0, float(found.kappa - reach)),
            "high": min(1.0, float(found.kappa + reach)),
        }
    )


def krippendorff_alpha(labels: Mapping[str, Mapping[str, str]], level: float = LEVEL) -> Agreement:
    """Krippendorff's alpha (nominal; the krippendorff library) for any number of annotators.

    `labels` maps annotator -> item -> label; items labelled by fewer than two are left out.
    """
    import krippendorff

    names = tuple(sorted(labels))
    items = _shared_items(labels)
    categories = sorted(
        {given[item] for given in labels.values() for item in items if item in given}
    )
    counts = np.array(
        [
            [sum(labels[name].get(item) == category for name in names) for category in categories]
            for item in items
        ],
        dtype=np.int64,
    )
    result = Agreement(
        annotators=names,
        n_items=len(items),
        observed=_pair_agreement(counts, level),
        statistic="Krippendorff's alpha",
    )
    if len(categories) < 2:
        reason = "no common items" if not items else "every label is the same"
        return result.model_copy(update={"reason": reason})
    alpha = krippendorff.alpha(value_counts=counts, level_of_measurement="nominal")
    return result.model_copy(update={"coefficient": _finite(alpha)})


def agreement(labels: Mapping[str, Mapping[str, str]], level: float = LEVEL) -> Agreement:
    """Kappa for two annotators, alpha for more. `labels`: annotator -> item -> label. Annotators
    who share no item with another one are left out, if others share some."""
    shared = {*_shared_items(labels)}
    labels = {name: given for name, given in labels.items() if shared & given.keys()} or labels
    names = tuple(sorted(labels))
    if len(names) != 2:
        return krippendorff_alpha(labels, level)
    first, second = names
    items = _shared_items(labels)
    found = cohens_kappa(
        [labels[first][item] for item in items], [labels[second][item] for item in items], level
    )
    return found.model_copy(update={"annotators": names})


def stage_agreement(
    outcomes: Iterable[tuple[str, str, str]],
    level: float = LEVEL,
    weights: Mapping[str, float] | None = None,
) -> StageAgreement:
    """How often snippet labels equal the final label of their transcript.

    `outcomes` are (transcript_id, verdict from the snippet, final verdict), one a snippet label.
    A snippet verdict `needs_transcript` is no judgement: it is counted in `escalated` and left out
    of the rates. `weights` say how many transcripts each represents, by transcript_id; rates are
    then ratios of weighted labels (Hajek 1971).
    """
    outcomes = list(outcomes)
    decided = [one for one in outcomes if one[1] != "needs_transcript"]
    verdicts = sorted({verdict for _, verdict, _ in decided})

    def same(among: Sequence[tuple[str, str, str]]) -> Rate:
        keys = [key for key, *_ in among]
        each = None if weights is None else [weights[key] for key in keys]
        return rate_of([said == final for _, said, final in among], keys, level, each)

    return StageAgreement(
        overall=same(decided),
        by_verdict={v: same([one for one in decided if one[1] == v]) for v in verdicts},
        escalated=len(outcomes) - len(decided),
    )


def _shared_items(labels: Mapping[str, Mapping[str, str]]) -> list[str]:
    every = sorted({item for given in labels.values() for item in given})
    return [item for item in every if sum(item in given for given in labels.values()) >= 2]


def _pair_agreement(counts: np.ndarray, level: float) -> Rate:
    """The share of equal pairs of labels of an item. The pairs of an item are not independent, so
    the interval uses a design effect over items. `counts`: labels by item and category."""
    hits: list[bool] = []
    items: list[int] = []
    for item, row in enumerate(counts.tolist()):
        pairs, alike = math.comb(sum(row), 2), sum(math.comb(count, 2) for count in row)
        hits += [True] * alike + [False] * (pairs - alike)
        items += [item] * pairs
    return rate_of(hits, items, level)


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
