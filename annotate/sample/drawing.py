"""What to label next: a queue drawn by a stated design.

Every design is stratified random sampling without replacement, so that any first part of the
queue is itself a random sample: an annotator may stop anywhere. Designs differ in the strata
and in how labels are shared out among them.

How many transcripts of each stratum are drawn follows from the size of the queue. Those drawn are
then shuffled all together, so that a place tells nothing about its stratum, and thus about a grade:
every part of the queue has the same mix. One exception: a stratum of which the first quarter would
hold none gets a place there, as there are no rates before every stratum has a label. A queue that
is made longer goes on with a part as long as itself, of a mix of its own: strata may be used up.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from grader.errors import UserError, unknown_name
from grader.records import Record

from ..cases import Case, gradable
from .designs import DESIGNS, KEYS, Design, stratum_of

OPEN_SHARE = 0.1  # largest share of places without a label: skipped, disputed, or not yet seen
EARLY_SHARE = 0.25  # the share of the queue, from its start, that holds every stratum
LARGEST_SEED = 2**63 - 1  # what the label database can hold
EARLY_PLACES = 2  # at least this many a stratum, so that they are not each stratum once

Places = list[tuple[str, Case]]  # the stratum and the case at each place


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

    def among(self, known: Collection[str]) -> Sample:
        """The sample without transcripts other than `known`, such as those that are no longer in
        the run. The others stay in random order within their strata."""
        return self.model_copy(
            update={
                "size": sum(key in known for key in self.queue),
                "items": tuple(item for item in self.items if item.transcript_id in known),
            }
        )


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
    below 1 or below the number of strata, a seed that no database can hold, or if there is nothing
    to draw from.
    """
    cases = gradable(cases)
    _check(cases, design, seed)
    keys = _keys(DESIGNS[design], strata_by, cases)
    groups = _by_stratum(cases, keys)
    size = _queue_size(design, size, len(cases), len(groups))
    order = _ordered(groups, DESIGNS[design].share(groups), size, random.Random(seed))
    return Sample(
        design=design,
        seed=seed,
        size=size,
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


def _check(cases: Sequence[Case], design: str, seed: int) -> None:
    """Raise `UserError` if there is nothing to draw from, for an unknown design, and for a seed
    that no database can hold."""
    if not cases:
        raise UserError(
            "nothing to sample: no transcript of the run can be graded, as each lacks steps or a "
            "published answer that can be read. Give the answers: "
            "grader grade DIR --run NEW_RUN --tasks TASKS"
        )
    if not -LARGEST_SEED - 1 <= seed <= LARGEST_SEED:
        raise UserError(
            f"--seed was {seed}; a seed lies between {-LARGEST_SEED - 1} and {LARGEST_SEED}"
        )
    if design not in DESIGNS:
        raise unknown_name("design", design, list(DESIGNS))


def _keys(design: Design, asked: Sequence[str], cases: Sequence[Case]) -> Sequence[str]:
    if asked and not design.takes_keys:
        raise UserError("--by names the strata of --design stratified; this design has its own")
    valid = {*KEYS, *(name for case in cases for name in case.covariates)}
    for key in asked:
        if key not in valid:
            raise unknown_name("stratum", key, sorted(valid))
    return asked or design.keys


def _by_stratum(cases: Sequence[Case], keys: Sequence[str]) -> dict[str, list[Case]]:
    """The cases of each stratum, which is named by their values of the keys."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(" / ".join(stratum_of(case, key) for key in keys), []).append(case)
    return groups


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


def _ordered(
    groups: dict[str, list[Case]], share: dict[str, float], size: int, rng: random.Random
) -> Places:
    """All cases in queue order (see the module's text): the first `size`, then as many again, and
    so on. The random keys are of the cases, so that a run that grew keeps most of its order."""
    salt = rng.random()

    def key(case: Case, what: str = "") -> bytes:
        text = f"{salt} {what}{case.transcript_id}"
        return hashlib.sha256(text.encode(errors="surrogatepass")).digest()

    waiting = {name: sorted(groups[name], key=key, reverse=True) for name in sorted(groups)}
    turns = _turns({name: len(group) for name, group in waiting.items()}, share)
    order: Places = []
    while len(order) < len(turns):
        end = 2 * len(order) or size
        part = [(name, waiting[name].pop()) for name in turns[len(order) : end]]
        part.sort(key=lambda place: key(place[1], "order "))
        order += part if order else _with_every_stratum_early(part, rng)
    return order


def _turns(sizes: dict[str, int], share: dict[str, float]) -> list[str]:
    """The strata as they are drawn from, by share, until all are used up; each once first, so that
    a queue as long as there are strata holds every one."""
    taken = dict.fromkeys(sizes, 1)
    turns = list(sizes)
    while open_strata := [name for name in sizes if taken[name] < sizes[name]]:
        total = sum(share[name] for name in open_strata) or 1.0
        # the stratum furthest behind its share
        name = min(open_strata, key=lambda s: ((taken[s] + 0.5) * total / (share[s] or 1e-9), s))
        taken[name] += 1
        turns.append(name)
    return turns


def _with_every_stratum_early(queue: Places, rng: random.Random) -> Places:
    """A queue in which every stratum has one of the first places: the first case of a stratum that
    has none changes places with one of a stratum that has several. Which place is exchanged hangs
    on strata alone, not on cases, so that each stratum stays in random order."""
    queue, strata = list(queue), sorted({name for name, _ in queue})
    early = max(EARLY_PLACES * len(strata), math.ceil(EARLY_SHARE * len(queue)))
    for name in strata:
        counts = Counter(other for other, _ in queue[:early])
        if name in counts:
            continue
        spare = [place for place, (other, _) in enumerate(queue[:early]) if counts[other] > 1]
        here, there = rng.choice(spare), [other for other, _ in queue].index(name)
        queue[here], queue[there] = queue[there], queue[here]
    return queue
