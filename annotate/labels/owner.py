"""Which run a label database belongs to. Ids name transcripts within one run only: labels of
another run would count for transcripts that nobody has labelled."""

from __future__ import annotations

import hashlib
import logging
from itertools import islice

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from grader.errors import UserError
from grader.run import RunDirectory
from grader.run.changes import digest_of

from .schema import OWNER

log = logging.getLogger("grader")


def note_owner(connection: Connection, run: RunDirectory) -> None:
    """Record that the labels belong to this run, by its number of transcripts and their digest,
    unless a run is recorded already. A run that grows still begins with the same transcripts."""
    if connection.execute(select(OWNER)).first() is not None:
        return
    count, digest = _digest(run)
    if count:
        try:
            with connection.begin_nested():
                connection.execute(insert(OWNER).values(id=1, transcripts=count, sha256=digest))
        except IntegrityError:
            return  # noted at this moment by another annotator


def check_owner(
    connection: Connection, run: RunDirectory, database: str, *, is_own_file: bool
) -> None:
    """Raise `UserError` if the labels belong to a run of another input. For the run's own file this
    is a warning, since recordings are also corrected by hand."""
    noted = connection.execute(select(OWNER)).first()
    if noted is None or _digest(run, noted.transcripts) == (noted.transcripts, noted.sha256):
        return
    if not is_own_file:
        raise UserError(
            f"{database} holds the labels of another run. A label database belongs to one run: "
            "give this run another --database. To copy labels, use `grader labels export` on the "
            "other run and `grader labels import` on this one"
        )
    log.warning(
        "%s was begun for other recordings; its labels are used for transcripts with the same ids",
        database,
    )


def _digest(run: RunDirectory, count: int | None = None) -> tuple[int, str]:
    """The number of transcripts, at most `count`, and a digest of their content without what
    grading adds."""
    digest, found = hashlib.sha256(), 0
    for transcript in islice(run.transcripts(), count):
        digest.update(
            f"{transcript.transcript_id}\n{digest_of(transcript)}\n".encode(
                "utf-8", "surrogatepass"
            )
        )
        found += 1
    return found, digest.hexdigest()
