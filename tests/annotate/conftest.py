"""Fixtures: a run of twelve transcripts, a store and a session on it, the page that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from annotate.labels import LabelStore
from annotate.session import Session
from annotate.web.app import make_app
from annotate.web.security import Keys
from grader.run import RunDirectory
from grader.run.transcript_index import TranscriptIndex

from .http_page import BASE, PORT, Page
from .runs import grade, make_run, transcript

COUNT = 12


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    """Twelve transcripts, every third failed by the graders; secrets planted in the rest."""
    kinds = ("categorical", "continuous")
    transcripts = [
        transcript(i, covariates={"variable_type": kinds[i % 2]}, agent="agent-x9")
        for i in range(COUNT)
    ]
    grades = [
        grade(t.transcript_id, name, "incorrect" if i % 3 == 0 else "correct", confidence=i / COUNT)
        for i, t in enumerate(transcripts)
        for name in ("strict_keyword", "strict_blind", "cascade")
    ]
    return make_run(tmp_path / "run", transcripts, grades)


@pytest.fixture
def store(run: RunDirectory) -> LabelStore:
    return LabelStore.open(run.labels_path)


@pytest.fixture
def session(run: RunDirectory, store: LabelStore) -> Session:
    archive = TranscriptIndex(run.transcripts_path)
    return Session(archive, store, "ada", list(archive))


@pytest.fixture
def stranger(session: Session) -> Iterator[Page]:
    """The labelling page, to one who has not shown the token."""
    keys = Keys(PORT)
    with TestClient(make_app(session, keys, store_name="s"), base_url=BASE) as client:
        yield Page(client, keys, session)


@pytest.fixture
def page(stranger: Page) -> Page:
    stranger.client.get(f"/?token={stranger.keys.token}")
    return stranger
