"""Four annotators at once on a real Postgres server."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from threading import Barrier

import pytest

from annotate.labels import LabelConflict, LabelStore, open_store
from annotate.labels.claims import claim
from annotate.labels.database import DatabaseUnavailable, NotStorable
from annotate.labels.importing import import_labels
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
from .label_tables import write

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

        def labels(run: RunDirectory) -> bool:
            try:
                with open_store(run, address) as store:
                    store.add(label("t000", "ada"))
                    return True
            except UserError:
                return False

        with ThreadPoolExecutor(len(runs)) as pool:
            assert sum(pool.map(labels, runs)) == 1
        assert len(LabelStore.open(address).current()) == 1


@pytest.mark.parametrize("is_owned", [False, True])
def test_two_imports_at_once_are_both_stored(url: str, tmp_path: Path, is_owned: bool) -> None:
    run = make_run(tmp_path / "run", [transcript(0)])
    names = [f"{'owned' if is_owned else 'free'}{number}" for number in range(200)]
    rows = [{"transcript_id": name, "verdict": "match", "annotator": "eve"} for name in names]
    others = [{**row, "reason": "b"} for row in (reversed(rows) if is_owned else rows)]
    paths = [write(tmp_path / "a.jsonl", *rows), write(tmp_path / "b.jsonl", *others)]
    ready = Barrier(len(paths))

    def imports(path: Path) -> int:
        with open_store(run, url) if is_owned else nullcontext(LabelStore.open(url)) as store:
            ready.wait()
            return import_labels(store, path, set(names)).new

    with ThreadPoolExecutor(len(paths)) as pool:
        assert list(pool.map(imports, paths)) == [len(names), len(names)]
    found = [x for x in LabelStore.open(url).history() if x.transcript_id in names]
    assert Counter(x.revision for x in found) == {1: len(names), 2: len(names)}


def test_whatever_a_queue_holds_is_kept(url: str) -> None:
    store = LabelStore.open(url)
    drawn = [case.model_copy(update={"covariates": {"a": "\x00\ud800"}}) for case in cases(4)]
    save_sample(store, draw(drawn, "stratified", strata_by=["a"], seed=3_000_000_000))
    sample = load_sample(store)
    assert sample is not None
    assert (sample.seed, set(sample.strata.values())) == (3_000_000_000, {"\ufffd\ufffd"})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"transcript_id": token_hex(4500)}, "id is too long for this database. Shorten the ids"),
        ({"transcript_id": token_hex(1500)}, "id is too long for this database. Shorten the ids"),
        ({"tool_version": "x" * 65}, "does not fit this database. Shorten it"),
    ],
)
def test_what_this_database_cannot_hold_is_said(
    url: str, changes: dict[str, str], message: str
) -> None:
    with pytest.raises(NotStorable, match=f"{message}"):
        LabelStore.open(url).add(label("odd", "ada").model_copy(update=changes))


def test_an_id_with_a_nul_is_labelled(url: str) -> None:
    store = LabelStore.open(url)
    assert store.add(label("a\x00b", "ada")).transcript_id == "a\ufffdb"


def test_a_server_that_goes_away_is_said_and_nothing_is_lost() -> None:
    with postgres() as address:
        store = LabelStore.open(address)
        store.add(label("a", "ada"), nonce="a")
    with pytest.raises(DatabaseUnavailable, match="Nothing was stored"):
        store.add(label("b", "ada"), nonce="b")
