"""Which run a label database belongs to. Ids name transcripts within one run only: labels of
another run would count for transcripts that nobody has labelled."""

from __future__ import annotations

import hashlib
from itertools import islice
from pathlib import Path

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from grader.files.jsonl import read_lines

from .schema import OWNER


def note_owner(connection: Connection, transcripts: Path) -> None:
    """Note that the labels are of this run, unless a run is noted already: how many transcripts it
    has, and their digest. A run that grows still begins with them."""
    if connection.execute(select(OWNER)).first() is not None:
        return
    count, digest = _digest(transcripts)
    if count:
        try:
            with connection.begin_nested():
                connection.execute(insert(OWNER).values(id=1, transcripts=count, sha256=digest))
        except IntegrityError:
            return  # noted at this moment by another annotator


def is_owner(connection: Connection, transcripts: Path) -> bool:
    """Whether the run that is noted is this one, or none is noted."""
    noted = connection.execute(select(OWNER)).first()
    if noted is None:
        return True
    return _digest(transcripts, noted.transcripts) == (noted.transcripts, noted.sha256)


def _digest(transcripts: Path, count: int | None = None) -> tuple[int, str]:
    """How many of the first `count` transcripts there are, and their digest."""
    digest, found = hashlib.sha256(), 0
    for _, line in islice(read_lines(transcripts), count):
        digest.update(line + b"\n")
        found += 1
    return found, digest.hexdigest()
