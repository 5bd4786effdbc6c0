"""An annotator's own labels: which items are done, open or left to others; filters."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import get_args

from grader.records import LabelStage, LabelVerdict, Record

from .rows import StoredLabel


class Progress(Record):
    """An annotator's progress. `by_others`: items that others have done, where work is split.
    `seconds`: median time per label, None without labels."""

    done: int
    total: int
    waiting_for_transcript: int
    by_others: int = 0
    seconds: float | None = None

    @property
    def left(self) -> int:
        """The number of items still to be done."""
        return self.total - self.done - self.by_others

    @property
    def minutes_left(self) -> float | None:
        """The time that the rest takes at that pace."""
        return None if self.seconds is None else self.left * self.seconds / 60


class OwnLabels:
    """The labels of one annotator, by transcript and stage; and, with `split`, the transcripts left
    to other annotators, who have labelled them. Never changed once made."""

    def __init__(
        self, labels: Mapping[tuple[str, LabelStage], StoredLabel], taken: frozenset[str]
    ) -> None:
        self._labels, self._taken = labels, taken

    @classmethod
    def of(cls, labels: Iterable[StoredLabel], annotator: str, *, split: bool) -> OwnLabels:
        """The labels of one annotator, from the labels of all."""
        own, others = {}, set()
        for label in labels:
            if label.annotator == annotator:
                if not label.adjudication:
                    own[label.transcript_id, label.stage] = label
            elif label.verdict != "needs_transcript":
                others.add(label.transcript_id)
        return cls(own, frozenset(others if split else ()))

    def with_label(self, label: StoredLabel) -> OwnLabels:
        """A copy with one more label, which supersedes theirs of that transcript and stage."""
        return OwnLabels({**self._labels, (label.transcript_id, label.stage): label}, self._taken)

    def label(self, transcript_id: str, stage: LabelStage) -> StoredLabel | None:
        """Their label at a stage."""
        return self._labels.get((transcript_id, stage))

    def verdict(self, transcript_id: str, stage: LabelStage) -> LabelVerdict | None:
        """Their verdict at a stage."""
        label = self.label(transcript_id, stage)
        return None if label is None else label.verdict

    def latest(self, among: Iterable[int]) -> StoredLabel | None:
        """The label stored last of those with these `label_id`s; None if all are retracted."""
        wanted = set(among)
        found = (label for label in self._labels.values() if label.label_id in wanted)
        return max(found, key=lambda label: label.label_id, default=None)

    def progress(self, queue: Sequence[str]) -> Progress:
        """Counts over a queue."""
        times = [x.seconds for x in self._labels.values() if x.seconds is not None]
        return Progress(
            done=sum(map(self.is_done, queue)),
            total=len(queue),
            waiting_for_transcript=sum(map(self.wants_transcript, queue)),
            by_others=sum(self.is_taken(key) and not self.is_done(key) for key in queue),
            seconds=statistics.median(times) if times else None,
        )

    def is_done(self, transcript_id: str) -> bool:
        """Whether they have decided about it."""
        verdicts = [self.verdict(transcript_id, stage) for stage in ("transcript", "snippet")]
        decided = next((verdict for verdict in verdicts if verdict), None)
        return decided not in (None, "needs_transcript")

    def is_taken(self, transcript_id: str) -> bool:
        """Whether it is left to others."""
        return transcript_id in self._taken

    def is_open(self, transcript_id: str) -> bool:
        """Whether it is still to be done."""
        return not self.is_done(transcript_id) and not self.is_taken(transcript_id)

    def wants_transcript(self, transcript_id: str) -> bool:
        """Whether they asked for the whole transcript and have not decided since."""
        asked = self.verdict(transcript_id, "snippet") == "needs_transcript"
        return asked and not self.is_done(transcript_id)

    def is_from_snippet(self, transcript_id: str) -> bool:
        """Whether they decided without reading the whole transcript."""
        return self.is_done(transcript_id) and not self.label(transcript_id, "transcript")

    def is_noted(self, transcript_id: str) -> bool:
        """Whether a label of theirs has a note."""
        labels = (self.label(transcript_id, stage) for stage in get_args(LabelStage))
        return any(label is not None and label.reason for label in labels)


FILTERS: dict[str, Callable[[OwnLabels, str], bool]] = {
    "open": OwnLabels.is_open,
    "all": lambda own, transcript_id: True,
    "labelled": OwnLabels.is_done,
    "needs transcript": OwnLabels.wants_transcript,
    "with a note": OwnLabels.is_noted,
    "snippet only": OwnLabels.is_from_snippet,
}
