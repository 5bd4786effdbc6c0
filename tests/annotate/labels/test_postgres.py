"""Four annotators at once on a real Postgres server."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from annotate.labels import LabelConflict, LabelStore, open_store
from annotate.labels.claims import claim
from annotate.labels.database import DatabaseUnavailable
from annotate.sample import draw
from annotate.sample.queue import load_sample, save_sample
from annotate.session import Session
from grader.errors import UserError
from grader.records import Label, LabelVerdict
from grader.run import RunDirectory
from grader.run.transcript_index import TranscriptIndex

from ..postgres import missing, postgres
from ..runs import make_run, transcript
from ..test_sample import cases

pytestmark = [
    pytest.mark.machine,
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
]
ANNOTATORS, LABELS = 4, 500
VERDICTS: tuple[LabelVerdict, ...] = ("match", "non_match", "no_answer")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with postgres() as address:
        yield address


def label(item: str, annotator: str, verdict: LabelVerdict = "match") -> Label:
    return Label(
        transcript_id=item,
        annotator=annotator,
        stage="snippet",
        verdict=verdict,
        created_at=datetime.now(UTC),
    )


def annotate(url: str, annotator: str) -> int:
    """One annotator in a process of their own: 500 labels, every tenth sent twice (a page that
    tries again), every fiftieth also from a second tab that saw the same state."""
    store = LabelStore.open(url)
    refused = 0
    for number in range(LABELS):
        item = f"item{number:03d}"
        nonce = f"{annotator}-{number}"
        for _ in range(2 if number % 10 == 0 else 1):
            store.add(label(item, annotator), nonce=nonce, expected_revision=0)
        if number % 50 == 0:
            try:
                store.add(label(item, annotator), nonce=f"{nonce}-tab", expected_revision=0)
            except LabelConflict:
                refused += 1
    store.close()
    return refused


def test_four_annotators_lose_and_double_nothing(url: str) -> None:
    names = [f"annotator{i}" for i in range(ANNOTATORS)]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(ANNOTATORS, mp_context=context) as pool:
        refused = list(pool.map(annotate, [url] * ANNOTATORS, names))
    history = LabelStore.open(url).history()
    assert len(history) == ANNOTATORS * LABELS
    pairs = Counter((x.annotator, x.transcript_id) for x in history)
    assert set(pairs.values()) == {1}
    assert Counter(x.annotator for x in history) == dict.fromkeys(names, LABELS)
    assert refused == [LABELS // 50] * ANNOTATORS


def test_one_annotator_twice_at_once_gives_one_label(url: str) -> None:
    stores = [LabelStore.open(url) for _ in range(6)]

    def act(number: int) -> bool:
        try:
            stores[number].add(label("contested", "ada"), expected_revision=0)
        except LabelConflict:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(act, range(6))) == 1


def test_of_several_at_once_one_gets_an_item(url: str) -> None:
    stores = [LabelStore.open(url) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        for item in ("claimed1", "claimed2"):
            taken = list(pool.map(lambda n, item=item: claim(stores[n], item, f"a{n}"), range(6)))
            assert sum(taken) == 1
            assert claim(stores[0], item, f"a{taken.index(True)}")


def test_session_queue_and_undo_on_postgres(url: str, tmp_path: Path) -> None:
    store = LabelStore.open(url)
    sample = draw(cases(40), "informative", size=10)
    save_sample(store, sample)
    assert load_sample(store) == sample
    run = make_run(tmp_path, [transcript(i) for i in range(3)])
    archive = TranscriptIndex(run.transcripts_path)
    session = Session(archive, store, "eve", list(archive))
    session.label(0, "snippet", "match", note="naïve \x00 \ud800 note")
    assert session.own_label(0, "snippet").note == "naïve  \ufffd note"
    assert session.undo() == (0, "snippet")
    assert session.own_label(0, "snippet").verdict is None


def test_the_first_of_several_runs_owns_the_database(tmp_path: Path) -> None:
    runs = [make_run(tmp_path / str(i), [transcript(0, f"It is {i}.")]) for i in range(4)]
    with postgres() as address:

        def opens(run: RunDirectory) -> bool:
            try:
                with open_store(run, address):
                    return True
            except UserError:
                return False

        with ThreadPoolExecutor(len(runs)) as pool:
            assert sum(pool.map(opens, runs)) == 1


def test_a_server_that_goes_away_is_said_and_nothing_is_lost() -> None:
    with postgres() as address:
        store = LabelStore.open(address)
        store.add(label("a", "ada"), nonce="a")
    with pytest.raises(DatabaseUnavailable, match="Nothing was stored"):
        store.add(label("b", "ada"), nonce="b")
