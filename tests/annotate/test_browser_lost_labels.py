"""The labelling page in a real browser: killed servers, a lost database, labels given elsewhere."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from annotate.labels import LabelStore
from annotate.sample.queue import load_sample
from tests.browser import needs_chromium

from .live import hold, label_with_kills, opened, wait_for, write_note
from .runs import make_run, transcript

pytestmark = [pytest.mark.machine, needs_chromium]


def test_a_note_survives_a_killed_server(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with opened(run.path) as (server, page):
        page.keyboard.press("o")
        page.keyboard.type("half a thought")
        server.kill()
        page.keyboard.press("Escape")
        page.keyboard.press("m")
        page.wait_for_selector("#status.bad")
        assert "kept in this browser" in page.inner_text("#status")
        server.start()
        page.wait_for_selector("#status:has-text('anew')")
        page.goto(server.address)
        page.wait_for_url("**/item/2")
    (label,) = LabelStore.open(run.labels_path).history()
    assert (label.verdict, label.reason) == ("match", "half a thought")


def test_a_kept_label_is_stored_if_the_next_server_has_another_queue(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(8)])
    with opened(run.path) as (server, page):
        sample = load_sample(LabelStore.open(run.labels_path))
        assert sample is not None
        page.goto(f"http://127.0.0.1:{server.port}/item/8")
        server.kill()
        page.keyboard.press("n")
        page.wait_for_selector(f"#status:has-text('for port {server.port}')")
        server.extra = ("--design", "random", "--size", "2")
        page.goto(server.start())
        page.wait_for_function("() => !localStorage.length")
    (label,) = LabelStore.open(run.labels_path).history()
    assert (label.transcript_id, label.verdict) == (sample.queue[7], "non_match")


@pytest.mark.parametrize("unblinded", [True, False])
def test_a_kept_label_is_stored_as_the_page_was(tmp_path: Path, unblinded: bool) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with opened(run.path, *["--unblinded"] * unblinded) as (server, page):
        server.kill()
        page.keyboard.press("n")
        page.wait_for_selector("#status:has-text('kept in this browser')")
        server.extra = ("--unblinded",) * (not unblinded)
        page.goto(server.start())
        page.wait_for_function("() => !localStorage.length")
    (label,) = LabelStore.open(run.labels_path).history()
    assert label.unblinded == unblinded


def test_a_label_given_elsewhere_is_shown_and_the_note_stays(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with opened(run.path) as (server, page):
        other = page.context.new_page()
        other.goto(f"http://127.0.0.1:{server.port}/item/1")
        other.keyboard.press("n")
        other.wait_for_url("**/item/2")
        write_note(page, "half a thought")
        page.keyboard.press("m")
        page.wait_for_selector("#status.bad")
        assert "elsewhere in the meantime" in page.inner_text("#status")
        assert page.get_attribute("button.chosen", "value") == "non_match"
        assert page.input_value("#note") == "half a thought"
        page.keyboard.press("m")
        page.wait_for_url("**/item/2")
        assert page.evaluate("localStorage.length") == 0
    (label,) = LabelStore.open(run.labels_path).current()
    assert (label.verdict, label.reason) == ("match", "half a thought")


def test_an_undo_whose_reply_is_lost_takes_back_one_label(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with opened(run.path) as (_, page):
        for number in (2, 3):
            page.keyboard.press("m")
            page.wait_for_url(f"**/item/{number}")

        def lose(route: Any) -> None:
            route.fetch()
            route.abort()

        page.route("**/undo", lose)
        page.keyboard.press("u")
        page.wait_for_selector("#status:has-text('Not taken back yet')")
        held = hold(page, "**/undo")  # the newer rule counts
        page.keyboard.press("u")
        wait_for(page, held)
        page.keyboard.press("m")
        held[0].continue_()
        page.wait_for_url("**/item/2")
        page.wait_for_selector("#status:has-text('Taken back.')")
        assert page.evaluate("localStorage.length") == 0
    assert [x.retracted for x in LabelStore.open(run.labels_path).history()] == [False, True]


def test_a_note_too_long_is_said_so_and_stays(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with opened(run.path) as (_, page):
        page.fill("#note", "é" * 70_000)
        page.press("#note", "Escape")
        page.keyboard.press("m")
        page.wait_for_selector("#status.bad")
        said = page.inner_text("#status")
        assert "a note has at most 5,000 characters, this one has 70,000" in said
        assert len(page.input_value("#note")) == 70_000
        page.fill("#note", "é" * 5000)
        page.press("#note", "Escape")
        page.keyboard.press("m")
        page.wait_for_url("**/item/2")
    assert [x.reason for x in LabelStore.open(run.labels_path).history()] == ["é" * 5000]


def test_a_database_that_goes_and_comes_back(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with opened(run.path) as (_, page):
        hidden = run.labels_path.rename(tmp_path / "elsewhere.sqlite")
        page.keyboard.press("n")
        page.wait_for_selector("#status.bad")
        assert "Not saved yet" in page.inner_text("#status")
        hidden.rename(run.labels_path)
        page.wait_for_url("**/item/2")
    assert [x.verdict for x in LabelStore.open(run.labels_path).history()] == ["non_match"]


def test_no_label_is_lost_or_doubled_when_the_server_is_killed(tmp_path: Path) -> None:
    """The full figure (150 labels, 10 kills) is tests/bench/annotate_kills.py."""
    run = make_run(tmp_path / "run", [transcript(i) for i in range(24)])
    assert label_with_kills(run.path, 24, 3) == {"given": 24, "kills": 3}
    history = LabelStore.open(run.labels_path).history()
    assert sorted(x.transcript_id for x in history) == [f"t{i:03d}" for i in range(24)]
    assert Counter(x.verdict for x in history) == {"match": 8, "non_match": 8, "no_answer": 8}


def test_a_page_that_does_not_come_is_asked_for_again(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with opened(run.path) as (_, page):
        page.route("**/item/2", lambda route: route.abort(), times=1)
        page.keyboard.press("m")
        page.wait_for_selector("#status:has-text('does not answer')")
        page.keyboard.press("n")  # the first item still stands there
        page.wait_for_url("**/item/2")
    assert [x.verdict for x in LabelStore.open(run.labels_path).history()] == ["match"]


def test_a_page_that_cannot_be_made_is_asked_for_again(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with opened(run.path) as (_, page):
        page.route("**/item/2", lambda r: r.fulfill(status=503, body="no database"), times=1)
        page.keyboard.press("m")
        page.wait_for_selector("#status:has-text('no database')")
        page.keyboard.press("n")  # the first item still stands there
        page.wait_for_url("**/item/2")
    assert [x.verdict for x in LabelStore.open(run.labels_path).history()] == ["match"]


def test_a_label_kept_by_a_closed_tab_is_sent_by_another(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with opened(run.path) as (server, page):
        other = page.context.new_page()
        other.goto(f"http://127.0.0.1:{server.port}/item/2")
        page.route("**/label", lambda route: route.abort())
        page.keyboard.press("m")
        page.wait_for_selector("#status:has-text('kept in this browser')")
        page.close()
        other.keyboard.press("n")
        other.wait_for_selector("#status:has-text('what another tab had kept')")
        assert other.url.endswith("/item/2")
        other.keyboard.press("n")
        other.wait_for_url("**/item/3")
    assert [x.verdict for x in LabelStore.open(run.labels_path).history()] == ["match", "non_match"]


def test_what_is_kept_for_a_run_is_not_sent_to_another_of_the_same_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for project in ("a", "b"):
        make_run(tmp_path / project / "run", [transcript(i) for i in range(3)])
    monkeypatch.chdir(tmp_path / "a")
    with opened(Path("run")) as (server, page):
        server.kill()
        page.keyboard.press("m")
        page.wait_for_selector("#status:has-text('kept in this browser')")
        monkeypatch.chdir(tmp_path / "b")
        page.goto(server.start())
        page.wait_for_load_state("networkidle")
        server.kill()
        monkeypatch.chdir(tmp_path)
        server.run = tmp_path / "a/run"
        page.goto(server.start())
        page.wait_for_function("() => !localStorage.length")
    stored = [LabelStore.open(tmp_path / name / "run/labels.sqlite").history() for name in "ab"]
    assert [len(found) for found in stored] == [1, 0]
