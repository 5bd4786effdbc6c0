"""Claims: which annotator is working on which transcript, where the work is split."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, delete, insert, or_, update
from sqlalchemy.exc import IntegrityError

from .own_labels import OwnLabels
from .rows import current_labels, label_rows
from .schema import CLAIMS
from .store import LabelStore

LASTS = timedelta(minutes=10)


def claim(store: LabelStore, transcript_id: str, annotator: str) -> bool:
    """Claim a transcript for an annotator, for ten minutes; False if another one has claimed it, or
    if it is no longer to be done: its label may have been stored, and its claim given up, since the
    labels were read last. Raises `DatabaseUnavailable`."""
    with store.transaction() as connection:
        if not _take(connection, transcript_id, annotator):
            return False
        labels = current_labels(label_rows(connection, transcript_id))
        is_open = OwnLabels.of(labels, annotator, split=True).is_open(transcript_id)
        if not is_open:
            connection.execute(delete(CLAIMS).where(CLAIMS.c.transcript_id == transcript_id))
    return is_open


def leave(store: LabelStore, annotator: str, but: Sequence[str]) -> None:
    """Release an annotator's claims, except for some transcripts. Raises `DatabaseUnavailable`."""
    others = delete(CLAIMS).where(
        CLAIMS.c.annotator == annotator, CLAIMS.c.transcript_id.not_in(but)
    )
    with store.transaction() as connection:
        connection.execute(others)


def _take(connection: Connection, transcript_id: str, annotator: str) -> bool:
    """Write a claim, unless another annotator's is there."""
    now = datetime.now(UTC)
    values = {"transcript_id": transcript_id, "annotator": annotator, "until": now + LASTS}
    is_free = or_(CLAIMS.c.annotator == annotator, CLAIMS.c.until < now)
    held = update(CLAIMS).where(CLAIMS.c.transcript_id == transcript_id, is_free)
    if connection.execute(held.values(**values)).rowcount:
        return True
    try:
        with connection.begin_nested():
            connection.execute(insert(CLAIMS).values(**values))
    except IntegrityError:
        return False
    return True
