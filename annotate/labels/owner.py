"""Which run a label database belongs to. Ids name transcripts within one run only: labels of
another run would count for transcripts that nobody has labelled."""

from __future__ import annotations

import hashlib
import logging
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from grader.errors import UserError
from grader.run import RunDirectory
from grader.run.changes import digest_of

from .schema import CLAIMS, LABELS, OWNER, SAMPLE_ITEMS, SAMPLES

log = logging.getLogger("grader")
_OTHERS = "holds the labels of another run, or of this one before its transcripts were changed"


class Ownership:
    """A run's claim to a label database, which is noted there as the run's number of transcripts
    and their digest: with the first label or queue, so that a command that stores nothing takes
    nothing. A run that grows still begins with the same transcripts.

    While there is no label, another run may take the database over. Once there is one, other runs
    are refused; for the run's own file that is a warning, since recordings are also corrected by
    hand.
    """

    def __init__(self, run: RunDirectory, database: str, *, is_own_file: bool) -> None:
        self._run, self._database, self._is_own_file = run, database, is_own_file
        self._digests: dict[int | None, tuple[int, str]] = {}
        self._is_settled = False  # whether no other run can take the database any more

    def check(self, connection: Connection, *, exporting: bool = False) -> None:
        """Raise `UserError` if the database holds labels of a run of another input. exporting: warn
        only, so that they can be had after their run's transcripts were changed."""
        if not (self._is_others(_noted(connection)) and _has_labels(connection)):
            return
        if exporting:
            log.warning("%s %s; they are exported", self._database, _OTHERS)
            return
        if not self._is_own_file:
            raise self._refusal()
        log.warning(
            "%s was begun for other recordings; its labels are used for transcripts with the same "
            "ids",
            self._database,
        )

    def is_anothers(self, connection: Connection) -> bool:
        """Whether what the database holds is of another run, as a queue may be."""
        return not self._is_own_file and self._is_others(_noted(connection))

    def take(self, connection: Connection) -> None:
        """Note that the database belongs to this run, in the transaction that stores a label or a
        queue. What another run left without a label is deleted. Raises as `check`."""
        if self._is_settled:
            return
        if self._is_unclaimed(_noted(connection)):
            self._digest()  # which takes time, before others are made to wait
        # others who take it wait until this transaction ends, and then see what it stored
        is_held = connection.execute(update(OWNER).values(id=OWNER.c.id)).rowcount > 0
        noted = _noted(connection) if is_held else None
        if noted is not None and _has_labels(connection):
            if self.is_anothers(connection):
                raise self._refusal()
            self._is_settled = True
        elif self._is_unclaimed(noted):
            if noted is not None:
                self._clear(connection)
            self._note(connection)

    def _clear(self, connection: Connection) -> None:
        """Delete what another run left; not the queue of one whose recordings were corrected."""
        if self.is_anothers(connection):
            log.warning(
                "%s was begun for another run, where nothing was labelled; it is of this run now",
                self._database,
            )
            for table in (CLAIMS, SAMPLE_ITEMS, SAMPLES):
                connection.execute(delete(table))
        connection.execute(delete(OWNER))

    def _note(self, connection: Connection) -> None:
        """Raises `IntegrityError` if another run is noted at this moment."""
        count, digest = self._digest()
        if count:
            connection.execute(insert(OWNER).values(id=1, transcripts=count, sha256=digest))

    def _is_unclaimed(self, noted: Row[Any] | None) -> bool:
        return noted is None or self._is_others(noted)

    def _is_others(self, noted: Row[Any] | None) -> bool:
        """Whether a run of another input is noted."""
        if noted is None:
            return False
        return self._digest(noted.transcripts) != (noted.transcripts, noted.sha256)

    def _digest(self, count: int | None = None) -> tuple[int, str]:
        """The number of transcripts, at most `count`, and a digest of their content without what
        grading adds."""
        if count not in self._digests:
            digest, found = hashlib.sha256(), 0
            for transcript in islice(self._run.transcripts(), count):
                text = f"{transcript.transcript_id}\n{digest_of(transcript)}\n"
                digest.update(text.encode("utf-8", "surrogatepass"))
                found += 1
            self._digests[count] = found, digest.hexdigest()
        return self._digests[count]

    def _refusal(self) -> UserError:
        return UserError(
            f"{self._database} {_OTHERS}. A label database belongs to one run: give this run "
            "another --database. If they are of this run, copy them: `grader labels export` with "
            "this --database, `grader labels import` with the other"
        )


def _noted(connection: Connection) -> Row[Any] | None:
    return connection.execute(select(OWNER)).first()


def _has_labels(connection: Connection) -> bool:
    return connection.execute(select(LABELS.c.id).limit(1)).first() is not None
