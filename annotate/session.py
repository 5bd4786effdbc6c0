"""One annotator's labelling session: the queue, where they are, what they have done.

Shared by the web page and the terminal; neither knows the other's details. Nothing here holds
a grade.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from threading import Lock
from typing import get_args

from grader.errors import UserError, unknown_name
from grader.records import Label, LabelStage, LabelVerdict, Record
from grader.run.transcript_index import TranscriptIndex

from .labels import LabelConflict, LabelStore
from .labels.claims import claim, leave
from .labels.own_labels import FILTERS, OwnLabels, Progress
from .labels.rows import StoredLabel
from .view import BlindItem, BlindTranscript, Revealed, blind_item, blind_transcript, item_key

LONGEST_TIME = 3600.0
LONGEST_NOTE = 5000
KEPT_ITEMS = 256


class OwnLabel(Record):
    """The annotator's own label of one item at one stage, and the note they wrote last, stored or
    not. `revision` 0: no label so far."""

    verdict: LabelVerdict | None = None
    note: str = ""
    revision: int = 0


class Session:
    """A labelling session of one annotator over one queue. With `split`, items that others have
    done or claimed are skipped."""

    def __init__(
        self,
        transcripts: TranscriptIndex,
        store: LabelStore,
        annotator: str,
        queue: Sequence[str],
        *,
        revealed: Mapping[str, Revealed] | None = None,
        split: bool = False,
    ) -> None:
        self.transcripts, self.store, self.annotator = transcripts, store, annotator
        self.unblinded, self._revealed, self.split = revealed is not None, revealed or {}, split
        self.queue = [key for key in queue if key in transcripts]
        self._places = {key: place for place, key in enumerate(self.queue)}
        self._keys = {item_key(key): place for place, key in enumerate(self.queue)}
        self._lock, self._undoing = Lock(), Lock()
        self._given: set[int] = set()
        self._handed = ""  # the item that `advance` claimed last
        self._drafts: dict[str, str] = {}
        self._items: dict[str, BlindItem] = {}
        self.own_labels = OwnLabels.of(store.current(), annotator, split=split)

    # -- what is on the page ---------------------------------------------------------------

    def item(self, position: int) -> BlindItem:
        """The snippet view of the item at a place in the queue (from 0)."""
        key = self.queue[position]
        item = self._items.get(key)
        if item is None:
            if len(self._items) >= KEPT_ITEMS:
                self._items.clear()
            item = self._items[key] = blind_item(self.transcripts.read(key))
        return item

    def transcript(self, position: int, *, whole: bool = False) -> BlindTranscript:
        """The transcript view of the item at a place in the queue."""
        transcript = self.transcripts.read(self.queue[position])
        return blind_transcript(transcript, self.item(position), whole=whole)

    def reveal(self, position: int) -> Revealed | None:
        """What an unblinded session shows beside the item; None in a blind one."""
        return self._revealed.get(self.queue[position])

    def own_label(self, position: int, stage: LabelStage) -> OwnLabel:
        """This annotator's own label there, also one given in another session of theirs since this
        one began. Raises `DatabaseUnavailable`."""
        transcript_id = self.queue[position]
        revision = self.store.revision(transcript_id, self.annotator, stage)
        known = self.own_labels.label(transcript_id, stage)
        if revision != (known.revision if known else 0):
            self.refresh()
        note = self._drafts.get(transcript_id, self._stored_note(transcript_id, stage))
        verdict = self.own_labels.verdict(transcript_id, stage)
        return OwnLabel(verdict=verdict, note=note, revision=revision)

    def final_verdict(self, position: int) -> LabelVerdict | None:
        """This annotator's verdict on the whole transcript, which overrides their verdict on the
        snippets; None without one."""
        return self.own_labels.verdict(self.queue[position], "transcript")

    def keep_note(self, position: int, note: str) -> None:
        """Keep a note that is not stored yet until the item is labelled."""
        self._drafts[self.queue[position]] = note

    def unstored_notes(self) -> list[int]:
        """The places of the items with a note that is not stored, in the order of the queue."""
        return sorted(
            self._places[key]
            for key, note in self._drafts.items()
            if note != self._stored_note(key, "transcript")
        )

    def _stored_note(self, key: str, stage: LabelStage) -> str:
        """The note of the label at a stage or, without one, of the label at the other stage."""
        stages: tuple[LabelStage, ...] = (stage, *get_args(LabelStage))
        labels = (self.own_labels.label(key, one) for one in stages)
        return next((label.reason for label in labels if label), "")

    def progress(self) -> Progress:
        """Counts over the queue."""
        return self.own_labels.progress(self.queue)

    def stage_of(self, position: int) -> LabelStage:
        """The stage of an item: `transcript` once the annotator has asked for it."""
        key = self.queue[position]
        is_read = self.own_labels.wants_transcript(key) or self.own_labels.label(key, "transcript")
        return "transcript" if is_read else "snippet"

    # -- moving about ----------------------------------------------------------------------

    def position(self, key: str) -> int:
        """The place of an item by its key. An item of the run that is not in the queue joins it at
        its end for this session: it may have a label that was given when the queue was another
        one. Raises `UserError` if the run does not hold the item."""
        with self._lock:
            if key not in self._keys:
                found = (one for one in self.transcripts if item_key(one) == key)
                if (transcript_id := next(found, None)) is None:
                    raise UserError("this item is not in the run; reload the page")
                self._keys[key] = self._places[transcript_id] = len(self.queue)
                self.queue.append(transcript_id)
            return self._keys[key]

    def numbered(self, number: str) -> int:
        """The place of the item by the number shown for it. Raises `UserError` if there is none."""
        count = len(self.queue)
        if not (number.isdecimal() and len(number) < 10 and 1 <= int(number) <= count):
            raise UserError(f"there is no item {number[:80]!r}; they are numbered 1 to {count}")
        return int(number) - 1

    def open(self, position: int) -> None:
        """Turn to an item. With `split`, this annotator claims it, if it is still to be done and
        nobody else has claimed it, and the item that `advance` gave last. Raises
        `DatabaseUnavailable`."""
        key = self.queue[position]
        if self.split:
            leave(self.store, self.annotator, but=(key, self._handed))
            if self.own_labels.is_open(key):
                claim(self.store, key, self.annotator)

    def advance(self, after: int, choose: str = "open") -> int | None:
        """The item to do next, as `following`. With `split`, it is one that no other annotator has
        done or claimed, and it is claimed for this one."""
        if not self.split or choose != "open":
            return self.following(after, choose)
        self.refresh()
        for place in self._round(after):
            key = self.queue[place]
            if self.own_labels.is_open(key) and claim(self.store, key, self.annotator):
                self._handed = key
                return place
        return None

    def following(self, after: int, choose: str = "open") -> int | None:
        """The next item for which filter `choose` holds, wrapping round once; None if none."""
        return self._first(self._round(after), choose)

    def preceding(self, before: int, choose: str = "all") -> int | None:
        """The nearest earlier item for which the filter holds; None if none."""
        return self._first(range(min(before, len(self.queue)) - 1, -1, -1), choose)

    def find(self, text: str, after: int) -> int:
        """The next item whose question contains `text`, ignoring case. Raises `UserError` if none
        does."""
        wanted = text.casefold()
        for place in self._round(after):
            if wanted in self.transcripts.read(self.queue[place]).task.question.casefold():
                return place
        raise UserError(f"no question contains {text[:80]!r}")

    def _first(self, places: Iterable[int], choose: str) -> int | None:
        if choose not in FILTERS:
            raise unknown_name("filter", choose, list(FILTERS))
        wanted, own = FILTERS[choose], self.own_labels
        return next((place for place in places if wanted(own, self.queue[place])), None)

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
        unblinded: bool | None = None,
    ) -> StoredLabel:
        """Store a label. On `DatabaseUnavailable` or `LabelConflict` nothing is stored, nor with a
        note of more than `LONGEST_NOTE` characters, for which `UserError` is raised. `unblinded`
        says whether the page it was given on was so, which may be of an earlier session."""
        _check_length(note)
        label = Label(
            transcript_id=self.queue[position],
            annotator=self.annotator,
            stage=stage,
            verdict=verdict,
            created_at=datetime.now(UTC),
            reason=note,
            seconds=None if seconds is None else min(max(seconds, 0.0), LONGEST_TIME),
            unblinded=self.unblinded if unblinded is None else unblinded,
        )
        try:
            stored = self.store.add(label, nonce=nonce, expected_revision=expected_revision)
        except LabelConflict:
            self.refresh()
            raise
        with self._lock:
            self._given.add(stored.label_id)
            self._drafts.pop(stored.transcript_id, None)
            if stored.created_at >= label.created_at:
                self.own_labels = self.own_labels.with_label(stored)
                return stored
        self.refresh()  # an act that was stored before, and perhaps taken back or replaced since
        return stored

    def undo(self, nonce: str | None = None) -> tuple[int, LabelStage]:
        """Retract the latest label given in this session; returns its place in the queue and its
        stage. Its note is kept. `nonce` names this act: the same nonce again takes back nothing
        more, and returns the same. Raises `UserError` if there is no label."""
        act = f"undo-{nonce or uuid.uuid4().hex}"  # no label is named like that
        with self._undoing:
            self.refresh()
            label = self.store.retracted_by(act) or self._retract_latest(act)
        self._drafts.setdefault(label.transcript_id, label.reason)
        return self.position(item_key(label.transcript_id)), label.stage

    def _retract_latest(self, act: str) -> StoredLabel:
        """Retract the latest label of this session, and return it."""
        latest = self.own_labels.latest(self._given)
        if latest is None:
            raise UserError(
                "there is no label of yours to take back in this session; to replace an earlier "
                "one, label its item again"
            )
        self.store.retract(latest, nonce=act)
        self._drafts[latest.transcript_id] = latest.reason
        self.refresh()
        return latest

    def refresh(self) -> None:
        """Read the labels anew: this annotator's, and which items others have done."""
        with self._lock:
            self.own_labels = OwnLabels.of(self.store.current(), self.annotator, split=self.split)


def _check_length(note: str) -> None:
    if len(note) > LONGEST_NOTE:
        raise UserError(
            f"a note has at most {LONGEST_NOTE:,} characters, this one has {len(note):,}; "
            "shorten it"
        )
