"""A label database is of one run."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotate.cases import cases_of
from annotate.labels import LabelStore, open_store
from annotate.labels.importing import import_labels
from annotate.sample import draw
from annotate.sample.queue import load_sample, save_sample
from annotate.session import Session
from grader.cli import DONE, main
from grader.errors import UserError
from grader.run import RunDirectory
from grader.run.transcript_index import TranscriptIndex

from ..runs import make_run, transcript


def label_first(run: RunDirectory, store: LabelStore) -> None:
    archive = TranscriptIndex(run.transcripts_path)
    Session(archive, store, "ada", list(archive)).label(0, "snippet", "match")


@pytest.mark.parametrize("reading", [True, False])
def test_another_run_is_refused_though_its_ids_are_the_same(tmp_path: Path, reading: bool) -> None:
    first = make_run(tmp_path / "a", [transcript(0), transcript(1)])
    other = make_run(tmp_path / "b", [transcript(0), transcript(1, "It is 3.")])
    shorter = make_run(tmp_path / "c", [transcript(0)])
    url = f"sqlite:///{tmp_path}/shared.sqlite"
    with open_store(first, url) as store:
        label_first(first, store)
    for run in (other, shorter):
        with (
            pytest.raises(UserError, match="another run, or of this one before"),
            open_store(run, url, reading=reading),
        ):
            pass
    with open_store(first, url, reading=reading) as store:
        assert len(store.current()) == 1


def test_labels_can_be_exported_after_transcripts_were_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = make_run(tmp_path / "a", [transcript(0)])
    changed = make_run(tmp_path / "b", [transcript(0, "It is 3.")])
    url, out = f"sqlite:///{tmp_path}/shared.sqlite", tmp_path / "labels.jsonl"
    with open_store(run, url) as store:
        label_first(run, store)
    run.transcripts_path.write_bytes(changed.transcripts_path.read_bytes())
    assert main(["labels", "export", str(run.path), str(out), "--database", url]) == DONE
    assert "before its transcripts were changed; they are exported" in capsys.readouterr().err
    with open_store(run, f"sqlite:///{tmp_path}/new.sqlite") as store:
        index = TranscriptIndex(run.transcripts_path)
        assert import_labels(store, out, index) == (1, 0, 0)


@pytest.mark.parametrize("has_queue", [True, False])
def test_a_run_without_a_label_leaves_the_database_to_others(
    tmp_path: Path, has_queue: bool
) -> None:
    first = make_run(tmp_path / "a", [transcript(0)])
    other = make_run(tmp_path / "b", [transcript(0, "It is 3.")])
    url = f"sqlite:///{tmp_path}/shared.sqlite"
    with open_store(first, url) as store:
        if has_queue:
            save_sample(store, draw(cases_of(first), "random"))
    with open_store(other, url, reading=True) as store:
        assert load_sample(store) is None
    with open_store(first, url) as early, open_store(other, url) as store:
        assert (load_sample(early) is not None) == has_queue
        label_first(other, store)
        with pytest.raises(UserError, match="labels of another run"):
            label_first(first, early)
    with open_store(other, url) as store:
        assert (len(store.current()), load_sample(store)) == (1, None)


def test_the_queue_stays_if_recordings_are_corrected_before_the_first_label(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run = make_run(tmp_path / "a", [transcript(0)])
    other = make_run(tmp_path / "b", [transcript(0, "It is 3.")])
    with open_store(run) as store:
        save_sample(store, draw(cases_of(run), "random"))
    run.transcripts_path.write_bytes(other.transcripts_path.read_bytes())
    with open_store(run) as store:
        label_first(run, store)
        assert load_sample(store) is not None
    with open_store(other, str(run.labels_path)) as store:
        assert len(store.current()) == 1
    assert not caplog.records


@pytest.mark.parametrize("url", ["", "sqlite://"])
def test_an_empty_address_is_not_the_database_of_the_run(tmp_path: Path, url: str) -> None:
    run = make_run(tmp_path / "a", [transcript(0)])
    with open_store(run) as store:
        label_first(run, store)
    with pytest.raises(UserError, match="an empty path"), open_store(run, url, reading=True):
        pass


def test_a_run_that_grew_and_a_copy_of_it_keep_their_labels(tmp_path: Path) -> None:
    run = make_run(tmp_path / "a", [transcript(0)])
    with open_store(run) as store:
        label_first(run, store)
    copy = make_run(tmp_path / "b", [transcript(0), transcript(1)])
    with open_store(copy, f"sqlite:///{run.labels_path}") as store:
        assert len(store.current()) == 1


def test_a_run_of_the_same_input_graded_otherwise_may_use_the_labels(tmp_path: Path) -> None:
    first = make_run(tmp_path / "a", [transcript(0)])
    graded = transcript(0).model_copy(update={"outcome": "clean"})
    again = make_run(tmp_path / "b", [graded])
    assert first.transcripts_path.read_bytes() != again.transcripts_path.read_bytes()
    with open_store(first) as store:
        label_first(first, store)
    with open_store(again, str(first.labels_path)) as store:
        assert len(store.current()) == 1


def test_the_runs_own_file_is_its_own(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Whoever edits a recording by hand keeps the labels beside it; the file serves no other."""
    run = make_run(tmp_path / "a", [transcript(0)])
    with open_store(run) as store:
        label_first(run, store)
    other = make_run(tmp_path / "b", [transcript(0, "It is 3.")])
    with pytest.raises(UserError, match="another run"), open_store(other, str(run.labels_path)):
        pass
    with open_store(run):
        assert not caplog.records
    run.transcripts_path.write_bytes(other.transcripts_path.read_bytes())
    with open_store(run) as store:
        assert len(store.current()) == 1
    assert "was begun for other recordings" in caplog.text


def test_a_link_to_labels_that_are_not_there_is_not_a_run_without_labels(tmp_path: Path) -> None:
    run = make_run(tmp_path / "a", [transcript(0)])
    run.labels_path.symlink_to(tmp_path / "unmounted.sqlite")
    with pytest.raises(UserError, match="no such label database"), open_store(run, reading=True):
        pass


def test_a_database_that_is_not_there_is_not_made_by_reading(tmp_path: Path) -> None:
    run = make_run(tmp_path / "a", [transcript(0)])
    url = f"sqlite:///{tmp_path}/typo.sqlite"
    with (
        pytest.raises(UserError, match="no such label database"),
        open_store(run, url, reading=True),
    ):
        pass
    assert not (tmp_path / "typo.sqlite").exists()
