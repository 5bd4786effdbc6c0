"""The cascade as a flow: how many transcripts each layer passed, and how humans labelled them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from grader.grader_names import CASCADE, LENIENT

from .frames import RunFrames


class Humans(NamedTuple):
    """Human labels of one group of transcripts; `not_labelled` includes undecided ones."""

    match: int
    non_match: int
    not_labelled: int


class Flow(NamedTuple):
    """Counts on the cascade's arrows. `total` = not_graded + strict_pass + lenient_pass +
    not_passed + ungraded; `not_graded`: those that the strict grader could not grade, or has not
    yet; `judged`: strict failures shown to the lenient judge; `ungraded`: those it left so."""

    total: int
    not_graded: int
    strict_pass: int
    judged: int
    lenient_pass: int
    not_passed: int
    ungraded: int
    humans: dict[str, Humans]

    @property
    def strict_fail(self) -> int:
        return self.total - self.not_graded - self.strict_pass


def cascade_flow(frames: RunFrames) -> Flow:
    """Follow every transcript through strict, lenient and human. A transcript no grader has
    seen counts as not graded."""
    strict, cascade = frames.verdicts(frames.strict_layer), frames.verdicts(CASCADE)
    lenient = frames.verdicts(LENIENT)
    undecided = set(frames.undecided(CASCADE))
    names = ("not_graded", "strict_pass", "lenient_pass", "not_passed", "ungraded")
    groups: dict[str, list[str]] = {name: [] for name in names}
    for key in frames.transcripts.index:
        final = cascade.get(key, strict.get(key, "ungraded"))
        if strict.get(key) == "correct":
            groups["strict_pass"].append(key)
        elif final == "correct":
            groups["lenient_pass"].append(key)
        elif final != "ungraded":
            groups["not_passed"].append(key)
        else:
            groups["ungraded" if key in undecided else "not_graded"].append(key)
    judged = sum(
        lenient.get(key, "ungraded") != "ungraded"
        for name in ("lenient_pass", "not_passed", "ungraded")
        for key in groups[name]
    )
    return Flow(
        total=len(frames),
        judged=judged,
        **{name: len(keys) for name, keys in groups.items()},
        humans={name: _humans(frames.human_matches, keys) for name, keys in groups.items()},
    )


def _humans(matches: dict[str, bool], keys: Iterable[str]) -> Humans:
    labels = [matches.get(key) for key in keys]
    return Humans(labels.count(True), labels.count(False), labels.count(None))
