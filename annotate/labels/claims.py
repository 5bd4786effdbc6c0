"""Claims: which annotator is working on which transcript, where the work is split."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, insert, or_, update
from sqlalchemy.exc import IntegrityError

from .schema import CLAIMS
from .store import LabelStore

LASTS = timedelta(minutes=10)


def claim(store: LabelStore, transcript_id: str, annotator: str) -> bool:
    """Claim a transcript for an annotator, for ten minutes; False if another one has claimed it.
    Raises `DatabaseUnavailable`."""
    now = datetime.now(UTC)
    values = {"transcript_id": transcript_id, "annotator": annotator, "until": now + LASTS}
    is_free = or_(CLAIMS.c.annotator == annotator, CLAIMS.c.until < now)
    held = update(CLAIMS).where(CLAIMS.c.transcript_id == transcript_id, is_free)
    with store.transaction() as connection:
        if connection.execute(held.values(**values)).rowcount:
            return True
        try:
            with connection.begin_nested():
                connection.execute(insert(CLAIMS).values(**values))
        except IntegrityError:
            return False
    return True


def leave(store: LabelStore, annotator: str, but: Sequence[str]) -> None:
    """Release an annotator's claims, except for some transcripts. Raises `DatabaseUnavailable`."""
    others = delete(CLAIMS).where(
        CLAIMS.c.annotator == annotator, CLAIMS.c.transcript_id.not_in(but)
    )
    with store.transaction() as connection:
        connection.execute(others)
