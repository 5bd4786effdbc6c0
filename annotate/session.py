"""One annotator's labelling session: the queue, where they are, what they have done.

Shared by the web page and the terminal; neither knows the other's details. Nothing here holds
a grade.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from threading import RLock
from typing import get_args

from grader.errors import UserError, unknown_name
from grader.records import Label, LabelStage, LabelVerdict, Record

from .archive import Archive
from .labels import LabelConflict, LabelStore
from .labels.rows import StoredLabel
from .view import BlindItem, BlindTranscript, Revealed, blind_item, blind_transcript, item_key

LONGEST_TIME = 3600.0
LONGEST_NOTE = 5000
KEPT_ITEMS = 256


class Progress(Record):
    """How far the annotator is. `seconds` is the median time of their labels, None without."""

    done: int
    total: int
    waiting_for_transcript: int
    seconds: float | None = None

    @property
    def minutes_left(self) -> float | None:
        """What the rest takes at that pace."""
        return None if self.seconds is None else (self.total - self.done) * self.seconds / 60


class Standing(Record):
    """The annotator's own label of one item at one stage. `revision` 0: none so far."""

    verdict: LabelVerdict | None = None
    note: str = ""
    revision: int = 0


class Session:
    """A labelling session of one annotator over one queue."""

    def __init__(
        self,
        archive: Archive,
        store: LabelStore,
        annotator: str,
        queue: Sequence[str],
        *,
        revealed: Mapping[str, Revealed] | None = None,
        split: bool = False,
    ) -> None:
        self.archive, self.store, self.annotator = archive, store, annotator
        self.unblinded, self._revealed, self.split = revealed is not None, revealed or {}, split
        self.queue = [key for key in queue if key in archive]
        self._places = {key: place for place, key in enumerate(self.queue)}
        self._keys = {item_key(key): place for place, key in enumerate(self.queue)}
        self._lock = RLock()
        self._labels: dict[tuple[str, LabelStage], StoredLabel] = {}
        self._taken: set[str] = set()
        self._items: dict[str, BlindItem] = {}
        self.refresh()

    # -- what is on the page ---------------------------------------------------------------

    def item(self, position: int) -> BlindItem:
        """The snippet view of the item at a place in the queue (from 0)."""
        key = self.queue[position]
        if key not in self._items:
            if len(self._items) >= KEPT_ITEMS:
                self._items.clear()
            self._items[key] = blind_item(self.archive.read(key))
        return self._items[key]

    def transcript(self, position: int, *, whole: bool = False) -> BlindTranscript:
        """The transcript view of the item at a place in the queue."""
        return blind_transcript(self.archive.read(self.queue[position]), whole=whole)

    def reveal(self, position: int) -> Revealed | None:
        """What an unblinded session shows beside the item; None in a blind one."""
        return self._revealed.get(self.queue[position])

    def standing(self, position: int, stage: LabelStage) -> Standing:
        """This annotator's own label there. Raises `DatabaseUnavailable`."""
        transcript_id = self.queue[position]
        revision = self.store.revision(transcript_id, self.annotator, stage)
        label = self._labels.get((transcript_id, stage))
        if label is None:
            return Standing(revision=revision)
        return Standing(verdict=label.verdict, note=label.reason, revision=revision)

    def progress(self) -> Progress:
        """Counts over the queue."""
        with self._lock:
            times = [x.seconds for x in self._labels.values() if x.seconds is not None]
            touched = {key for key, _ in self._labels if key in self._places}
            return Progress(
                done=sum(map(self._is_done, touched)),
                total=len(self.queue),
                waiting_for_transcript=sum(map(self._wants_transcript, touched)),
                seconds=statistics.median(times) if times else None,
            )

    def stage_of(self, position: int) -> LabelStage:
        """The stage an item is at: `transcript` once that was asked for."""
        key = self.queue[position]
        with self._lock:
            asked = self._wants_transcript(key) or (key, "transcript") in self._labels
        return "transcript" if asked else "snippet"

    # -- moving about ----------------------------------------------------------------------

    def position(self, key: str) -> int:
        """The place of an item by its key. Raises `UserError` if it is not in the queue."""
        if key not in self._keys:
            raise UserError("this item is not in the queue; reload the page")
        return self._keys[key]

    def following(self, after: int, choose: str = "open") -> int | None:
        """The next item for which filter `choose` holds, wrapping round once; None if none."""
        wanted = self._filter(choose)
        places = self._round(after)
        with self._lock:
            return next((p for p in places if wanted(self, self.queue[p])), None)

    def preceding(self, before: int, choose: str = "all") -> int | None:
        """The nearest earlier item for which the filter holds; None if none."""
        wanted = self._filter(choose)
        with self._lock:
            return next((p for p in range(before - 1, -1, -1) if wanted(self, self.queue[p])), None)

    def find(self, text: str, after: int) -> int | None:
        """The next item whose question contains `text`, ignoring case; None if none does."""
        wanted = text.casefold()
        for place in self._round(after):
            if wanted in self.archive.read(self.queue[place]).task.question.casefold():
                return place
        return None

    def _round(self, after: int) -> Iterator[int]:
        """Every place once, from the one after `after` and round to it."""
        count = len(self.queue)
        return chain(range(after + 1, count), range(min(after + 1, count)))

    # -- labelling -------------------------------------------------------------------------

    def label(
        self,
        position: int,
        stage: LabelStage,
        verdict: LabelVerdict,
        *,
        note: str = "",
        seconds: float | None = None,
        nonce: str | None = None,
        expected_revision: int | None = None,
    ) -> StoredLabel:
        """Store a label. On `DatabaseUnavailable` or `LabelConflict` nothing is stored."""
        label = Label(
            transcript_id=self.queue[position],
            annotator=self.annotator,
            stage=stage,
            verdict=verdict,
            created_at=datetime.now(UTC),
            reason=note[:LONGEST_NOTE],
            seconds=None if seconds is None else min(max(seconds, 0.0), LONGEST_TIME),
            unblinded=self.unblinded,
        )
        try:
            stored = self.store.add(label, nonce=nonce, expected_revision=expected_revision)
        except LabelConflict:
            self.refresh()
            raise
        with self._lock:
            key = (stored.transcript_id, stored.stage)
            self._labels.pop(key, None)
            self._labels[key] = stored
        return stored

    def undo(self) -> int | None:
        """Take back this annotator's latest standing label; returns its place in the queue, or
        None if there is nothing to take back."""
        self.refresh()
        with self._lock:
            mine = [x for x in self._labels.values() if x.transcript_id in self._places]
        if not mine:
            return None
        latest = max(mine, key=lambda label: label.label_id)
        self.store.retract(latest)
        self.refresh()
        return self._places[latest.transcript_id]

    def refresh(self) -> None:
        """Read the labels anew: this annotator's, and which items others have done."""
        labels = self.store.current()
        with self._lock:
            self._labels = {
                (x.transcript_id, x.stage): x
                for x in labels
                if x.annotator == self.annotator and not x.adjudication
            }
            self._taken = {x.transcript_id for x in labels if x.annotator != self.annotator}

    def _is_done(self, key: str) -> bool:
        if (key, "transcript") in self._labels:
            return self._labels[key, "transcript"].verdict != "needs_transcript"
        label = self._labels.get((key, "snippet"))
        return label is not None and label.verdict != "needs_transcript"

    def _wants_transcript(self, key: str) -> bool:
        label = self._labels.get((key, "snippet"))
        return label is not None and label.verdict == "needs_transcript" and not self._is_done(key)

    def _filter(self, name: str) -> Callable[[Session, str], bool]:
        if name not in FILTERS:
            raise unknown_name("filter", name, list(FILTERS))
        return FILTERS[name]


def _open(session: Session, key: str) -> bool:
    return not session._is_done(key) and not (session.split and key in session._taken)


def _noted(session: Session, key: str) -> bool:
    return any(
        (label := session._labels.get((key, stage))) and label.reason
        for stage in get_args(LabelStage)
    )


FILTERS: dict[str, Callable[[Session, str], bool]] = {
    "open": _open,
    "all": lambda session, key: True,
    "labelled": lambda session, key: session._is_done(key),
    "needs transcript": lambda session, key: session._wants_transcript(key),
    "with a note": _noted,
    "snippet only": lambda session, key: (
        session._is_done(key) and (key, "transcript") not in session._labels
    ),
}
