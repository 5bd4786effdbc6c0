"""Which run a label database belongs to. Ids name transcripts within one run only: labels of
another run would count for transcripts that nobody has labelled."""

from __future__ import annotations

import hashlib
from itertools import islice

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from grader.run import RunDirectory
from grader.run.changes import digest_of

from .schema import OWNER


def note_owner(connection: Connection, run: RunDirectory) -> None:
    """Note that the labels are of this run, unless a run is noted already: how many transcripts it
    has, and their digest. A run that grows still begins with them."""
    if connection.execute(select(OWNER)).first() is not None:
        return
    count, digest = _digest(run)
    if count:
        try:
            with connection.begin_nested():
                connection.execute(insert(OWNER).values(id=1, transcripts=count, sha256=digest))
        except IntegrityError:
            return  # noted at this moment by another annotator


def is_owner(connection: Connection, run: RunDirectory) -> bool:
    """Whether the run that is noted is this one, or one of the same input, or none is noted."""
    noted = connection.execute(select(OWNER)).first()
    if noted is None:
        return True
    return _digest(run, noted.transcripts) == (noted.transcripts, noted.sha256)


def _digest(run: RunDirectory, count: int | None = None) -> tuple[int, str]:
    """How many of the first `count` transcripts there are, and a digest of what they say, which
    leaves out what grading adds."""
    digest, found = hashlib.sha256(), 0
    for transcript in islice(run.transcripts(), count):
        digest.update(
            f"{transcript.transcript_id}\n{digest_of(transcript)}\n".encode(
                "utf-8", "surrogatepass"
            )
        )
        found += 1
    return found, digest.hexdigest()
