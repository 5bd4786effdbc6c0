"""The label store: append-only, idempotent, safe for several at once."""

import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import event

from annotate.labels import LabelConflict, LabelStore, NewLabel
from annotate.labels.consensus import final_labels
from annotate.labels.database import DatabaseUnavailable
from annotate.labels.rows import GivenLabel
from grader.errors import UserError
from grader.records import Label, LabelVerdict

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def label(
    verdict: LabelVerdict = "match", annotator: str = "ada", item: str = "t1", reason: str = ""
) -> Label:
    return Label(
        transcript_id=item,
        annotator=annotator,
        stage="snippet",
        verdict=verdict,
        created_at=NOW,
        reason=reason,
        seconds=4.5,
    )


@pytest.fixture
def store(tmp_path: Path) -> LabelStore:
    return LabelStore.open(tmp_path / "labels.sqlite")


def test_a_newer_label_supersedes_and_nothing_is_deleted(store: LabelStore) -> None:
    store.add(label("match"))
    store.add(label("non_match"))
    assert [x.verdict for x in store.current()] == ["non_match"]
    assert [(x.verdict, x.revision) for x in store.history()] == [("match", 1), ("non_match", 2)]


def test_a_correction_counts_though_its_clock_is_behind(store: LabelStore) -> None:
    first = store.add(label("match").model_copy(update={"created_at": NOW + timedelta(minutes=5)}))
    second = store.add(label("non_match"), expected_revision=1)
    assert [x.verdict for x in store.current()] == ["non_match"]
    assert second.created_at > first.created_at
    assert store.current() == [second]
    store.retract(second)
    assert store.current() == [first]


def test_an_adjudication_counts_though_its_clock_is_behind_anothers(store: LabelStore) -> None:
    ahead = label("match", "cat").model_copy(update={"created_at": NOW + timedelta(minutes=5)})
    store.add(ahead, adjudication=True)
    acts: list[tuple[str, LabelVerdict]] = [("dan", "non_match"), ("cat", "no_answer")]
    for name, verdict in acts:
        store.add(label(verdict, name), adjudication=True)
        assert final_labels(store.current())["t1"].verdict == verdict


def test_labels_of_one_time_are_current_in_the_order_they_were_stored(store: LabelStore) -> None:
    acts = [("ada", "match"), ("bob", "no_answer"), ("ada", "non_match")]
    given = [
        GivenLabel(**label(verdict, name).model_dump(), adjudication=True) for name, verdict in acts
    ]
    store.add_many(NewLabel(one, str(number)) for number, one in enumerate(given))
    assert [x.verdict for x in store.current()] == ["no_answer", "non_match"]


def test_what_is_stored_comes_back(store: LabelStore) -> None:
    store.add(label(reason="écart · 1.0"))
    (found,) = store.current()
    assert found.model_dump(include=set(Label.model_fields) - {"tool_version"}) == label(
        reason="écart · 1.0"
    ).model_dump(exclude={"tool_version"})
    assert found.tool_version


def test_times_are_kept_as_utc(store: LabelStore) -> None:
    late = NOW.astimezone(timezone(timedelta(hours=5)))
    store.add(label().model_copy(update={"created_at": late}))
    assert store.current()[0].created_at == NOW


def test_the_same_act_twice_is_one_label(store: LabelStore) -> None:
    first = store.add(label(), nonce="n1", expected_revision=0)
    again = store.add(label(), nonce="n1", expected_revision=0)
    assert first == again
    assert len(store.history()) == 1


def test_a_known_act_that_says_something_else_is_a_conflict(store: LabelStore) -> None:
    """As of a page that was left standing after its label was stored."""
    store.add(label("match"), nonce="n1", expected_revision=0)
    for other in (label("non_match"), label("match").model_copy(update={"transcript_id": "b"})):
        with pytest.raises(LabelConflict):
            store.add(other, nonce="n1", expected_revision=0)
    assert [x.verdict for x in store.history()] == ["match"]


def test_two_different_acts_on_what_both_saw_is_a_conflict(store: LabelStore) -> None:
    store.add(label("match"), nonce="tab1", expected_revision=0)
    with pytest.raises(LabelConflict, match="elsewhere"):
        store.add(label("non_match"), nonce="tab2", expected_revision=0)
    assert [x.verdict for x in store.history()] == ["match"]


def test_of_eight_acts_at_once_by_one_annotator_one_is_stored(store: LabelStore) -> None:
    def act(number: int) -> bool:
        try:
            store.add(label(), nonce=f"tab{number}", expected_revision=0)
        except LabelConflict:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(act, range(8))) == 1
    assert len(store.history()) == 1


def test_retracting_restores_the_label_before(store: LabelStore) -> None:
    store.add(label("match"))
    store.retract(store.add(label("non_match")))
    assert [x.verdict for x in store.current()] == ["match"]
    store.retract(store.current()[0])
    assert store.current() == []
    assert len(store.history()) == 2
    assert store.revision("t1", "ada", "snippet") == 4


def test_only_the_latest_label_can_be_retracted(store: LabelStore) -> None:
    older, newer = store.add(label("match")), store.add(label("non_match"))
    with pytest.raises(LabelConflict):
        store.retract(older)
    store.retract(newer)
    with pytest.raises(LabelConflict):
        store.retract(newer)
    assert [x.verdict for x in store.current()] == ["match"]


def test_an_adjudication_stands_beside_the_label_of_its_author(store: LabelStore) -> None:
    own = store.add(label("match"))
    settled = store.add(label("non_match"), adjudication=True)
    store.add(label("no_answer"))
    assert [(x.verdict, x.adjudication) for x in store.current()] == [
        ("non_match", True),
        ("no_answer", False),
    ]
    with pytest.raises(LabelConflict):
        store.retract(own)
    store.retract(settled)
    assert [x.verdict for x in store.current()] == ["no_answer"]


def test_annotators_and_stages_are_apart(store: LabelStore) -> None:
    store.add(label("match", "ada"))
    store.add(label("non_match", "bob"))
    store.add(label("no_answer").model_copy(update={"stage": "transcript"}))
    assert len(store.current()) == 3


def test_a_file_that_has_gone_is_an_error_and_not_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "labels.sqlite"
    store = LabelStore.open(path)
    store.add(label())
    path.unlink()
    with pytest.raises(DatabaseUnavailable, match="Nothing was stored"):
        store.add(label("non_match"))
    assert not path.exists()


@pytest.mark.parametrize("content", ["", "another table", "no database"])
def test_a_database_without_labels_is_not_read_as_one_without_any_yet(
    tmp_path: Path, content: str
) -> None:
    path = tmp_path / "labels.sqlite"
    if content == "another table":
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE other (x)")
    else:
        path.write_text(content * 100)
    before = path.read_bytes()
    with pytest.raises(UserError, match=r"no table claims, labels|not a database.* restore it"):
        LabelStore.open(path, reading=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("verdict", "foo", "row with id 1 of the table labels holds no label .verdict: Input"),
        ("stage", "zz", "row with id 1 .* .stage: Input"),
        ("reason", b"\xff\x00", "row with id 1 .* .reason: Input"),
        ("created_at", "x", "a row of the table labels .* .Invalid isoformat string"),
    ],
)
def test_a_row_that_others_wrote_is_named(
    tmp_path: Path, column: str, value: object, message: str
) -> None:
    store = LabelStore.open(tmp_path / "labels.sqlite")
    store.add(label())
    with sqlite3.connect(tmp_path / "labels.sqlite") as connection:
        connection.execute(f"UPDATE labels SET {column} = ?", [value])
    for read in (store.current, store.history):
        with pytest.raises(UserError, match=message):
            read()


def test_a_full_disk_is_an_error_that_asks_for_space(store: LabelStore) -> None:
    pages = "PRAGMA max_page_count = 1"  # no more than the file has
    event.listen(store.engine, "connect", lambda connection, _: connection.execute(pages))
    with pytest.raises(DatabaseUnavailable, match=r"full\. Nothing was stored; free space on its"):
        store.add(label(reason="long " * 10_000))
    assert store.history() == []


def test_a_locked_file_is_an_error_and_recovers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotate.labels.database.BUSY_SECONDS", 0.1)
    store = LabelStore.open(tmp_path / "labels.sqlite")
    holder = sqlite3.connect(tmp_path / "labels.sqlite")
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(DatabaseUnavailable, match="locked"):
        store.add(label(), nonce="a")
    holder.rollback()
    holder.close()
    store.add(label(), nonce="a")
    assert len(store.history()) == 1


def test_hostile_text_is_stored_readable(store: LabelStore) -> None:
    store.add(label(reason="a\x00b\ud800c'; DROP TABLE labels; --"))
    assert store.current()[0].reason == "ab\ufffdc'; DROP TABLE labels; --"


@pytest.mark.parametrize("name", ["a b#c?d%20e.sqlite", "é.sqlite", os.fsdecode(b"\xff.sqlite")])
def test_odd_file_names(tmp_path: Path, name: str) -> None:
    LabelStore.open(tmp_path / name).add(label())
    store = LabelStore.open(tmp_path / name)
    assert len(store.current()) == 1
    assert store.name.isascii()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_urls(tmp_path: Path) -> None:
    store = LabelStore.open(f"sqlite:///{tmp_path}/by-url.sqlite")
    store.add(label())
    assert (tmp_path / "by-url.sqlite").exists()
    with pytest.raises(UserError, match="not a database URL"):
        LabelStore.open("nonsense://x")
    with pytest.raises(DatabaseUnavailable, match="postgresql"):
        LabelStore.open("postgresql://nobody:secretword@127.0.0.1:9/none")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("postgresql://nobody:secretword@127.0.0.1:9/none", "nobody:***@127.0.0.1:9/none"),
        ("postgresql://nobody:secretword@host:port/none", "nobody:***@host:port/none' is not a"),
        ("postgres://nobody:secretword@host/none", "nobody:***@host/none' is not a database URL"),
        ("postgresql://nobody:se@cret:word@[::1/none", "nobody:***@[::1/none' is not a database"),
    ],
)
def test_a_password_is_not_in_the_message(url: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        LabelStore.open(url)
    assert said in str(caught.value)
    assert "word" not in str(caught.value).partition("; in a password")[0]
