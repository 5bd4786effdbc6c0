"""What to label next: a queue drawn by a stated design.

Every design is stratified random sampling without replacement, so that any first part of the
queue is itself a random sample: an annotator may stop anywhere. Designs differ in the strata
and in how labels are shared out among them.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from itertools import pairwise

from grader.errors import UserError, unknown_name
from grader.records import Record

from ..cases import Case, gradable
from .designs import DESIGNS, KEYS, Design, stratum_of

OPEN_SHARE = 0.1  # largest share of places without a label: skipped, disputed, or not yet seen
BLOCK = 10  # strata are shuffled within blocks of this many, so their order reveals no grade


class SampleItem(Record):
    """One place in the order."""

    position: int
    transcript_id: str
    stratum: str


class Sample(Record):
    """All gradable transcripts of a run in labelling order, and how that was drawn; the first
    `size` are the queue. Reproducible from `seed`."""

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
    """The labels that form a random sample: those in the longest first part of the order with at
    most `OPEN_SHARE` unlabelled places. `open` counts these, `places` all its places, `beyond` the
    labels after it."""

    matches: dict[str, bool]
    places: int
    open: int
    beyond: int


def draw(
    cases: Sequence[Case],
    design: str = "random",
    *,
    size: int | None = None,
    strata_by: Sequence[str] = (),
    seed: int = 0,
) -> Sample:
    """Put the gradable transcripts in labelling order, with a queue of `size` (default: all).

    `strata_by` names the keys of the design `stratified`: rows of `designs.KEYS` or covariates.
    Raises `UserError` for an unknown design or stratum, strata named for another design, a size
    below 1 or below the number of strata, or if there is nothing to draw from.
    """
    cases = gradable(cases)
    if not cases:
        raise UserError("nothing to sample: the run holds no transcripts that can be graded")
    if design not in DESIGNS:
        raise unknown_name("design", design, list(DESIGNS))
    keys = _keys(DESIGNS[design], strata_by, cases)
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(" / ".join(stratum_of(case, key) for key in keys), []).append(case)
    order = _interleave(groups, DESIGNS[design].share(groups), random.Random(seed))
    return Sample(
        design=design,
        seed=seed,
        size=_queue_size(design, size, len(order), len(groups)),
        strata_by=tuple(strata_by),
        items=tuple(
            SampleItem(position=position, transcript_id=case.transcript_id, stratum=stratum)
            for position, (stratum, case) in enumerate(order)
        ),
    )


def resized(sample: Sample, size: int) -> Sample:
    """The same order with a queue of another size. Raises `UserError` for a size below 1 or below
    the number of strata."""
    strata = len(set(sample.strata.values()))
    size = _queue_size(sample.design, size, len(sample.items), strata)
    return sample.model_copy(update={"size": size})


def labelled_part(sample: Sample, matches: Mapping[str, bool]) -> Labelled:
    """The labels that count for estimates (see `Labelled`)."""
    order = [item.transcript_id for item in sample.items]
    labelled = places = count = 0
    for place, key in enumerate(order, start=1):
        labelled += key in matches
        if key in matches and place - labelled <= OPEN_SHARE * place:
            places, count = place, labelled
    found = {key: matches[key] for key in order[:places] if key in matches}
    return Labelled(matches=found, places=places, open=places - count, beyond=labelled - count)


def _keys(design: Design, asked: Sequence[str], cases: Sequence[Case]) -> Sequence[str]:
    if asked and not design.takes_keys:
        raise UserError("--by names the strata of --design stratified; this design has its own")
    valid = {*KEYS, *(name for case in cases for name in case.covariates)}
    for key in asked:
        if key not in valid:
            raise unknown_name("stratum", key, sorted(valid))
    return asked or design.keys


def _queue_size(design: str, asked: int | None, count: int, strata: int) -> int:
    if asked is not None and asked < 1:
        raise UserError(f"a queue holds at least 1 item; --size was {asked}")
    if asked is None or DESIGNS[design].whole:
        return count
    if asked < strata:
        raise UserError(
            f"a queue of {asked} is too small: there are {strata} strata, and each needs a label. "
            f"Use --size {strata} or more, or coarser strata"
        )
    return min(asked, count)


def _interleave(
    groups: dict[str, list[Case]], share: dict[str, float], rng: random.Random
) -> list[tuple[str, Case]]:
    """All cases in queue order: shuffled within strata; strata take turns by share, each once
    first, so that a queue as long as there are strata holds every one."""
    salt = rng.random()

    def place(case: Case) -> bytes:
        return hashlib.sha256(
            f"{salt} {case.transcript_id}".encode(errors="surrogatepass")
        ).digest()

    waiting = {name: sorted(groups[name], key=place, reverse=True) for name in sorted(groups)}
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
    bounds = sorted({*range(0, len(turns), BLOCK), len(waiting), len(turns)})
    for start, end in pairwise(bounds):
        block = turns[start:end]
        rng.shuffle(block)
        order += [(name, waiting[name].pop()) for name in block]
    return order
