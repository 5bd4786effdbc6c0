"""What the labelling page keeps in a real browser: two tabs, notes written late, a full storage."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotate.labels import LabelStore
from tests.browser import needs_chromium

from .live import hold, opened, wait_for, write_note
from .runs import make_run, transcript

pytestmark = [pytest.mark.machine, needs_chromium]


def test_an_answer_in_another_tab_removes_no_later_label(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with opened(run.path) as (server, page):
        other = page.context.new_page()
        other.goto(f"http://127.0.0.1:{server.port}/item/3")
        first = hold(page, "**/label", times=1)
        held = hold(other, "**/label")
        page.keyboard.press("m")
        wait_for(page, first)
        other.reload()  # sends the same label
        wait_for(other, held)
        first[0].continue_()
        page.wait_for_url("**/item/2")
        page.route("**/label", lambda route: route.abort())
        page.keyboard.press("n")
        page.wait_for_selector("#status:has-text('kept in this browser')")
        with other.expect_response("**/label"):
            held[0].continue_()
        wait_for(other, held, 2)  # the second label is sent from the other tab as well
        held[1].continue_()
        other.wait_for_selector("#status:has-text('what another tab had kept')")
        page.unroute("**/label")
        page.wait_for_url("**/item/3")
        assert page.evaluate("localStorage.length") == 0
    assert [x.verdict for x in LabelStore.open(run.labels_path).history()] == ["match", "non_match"]


def test_a_note_written_while_its_label_waits_is_shown_again(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with opened(run.path) as (_, page):
        hidden = run.labels_path.rename(tmp_path / "elsewhere.sqlite")
        page.keyboard.press("n")
        page.wait_for_selector("#status:has-text('Not saved yet')")
        write_note(page, "the truth is doubtful")
        hidden.rename(run.labels_path)
        page.wait_for_selector("#status:has-text('not the note written since')")
        assert page.url.endswith("/item/1")
        assert page.get_attribute("button.chosen", "value") == "non_match"
        assert page.input_value("#note") == "the truth is doubtful"
        page.keyboard.press("n")
        page.wait_for_url("**/item/2")
        assert page.evaluate("localStorage.length") == 0
    (label,) = LabelStore.open(run.labels_path).current()
    assert (label.verdict, label.reason) == ("non_match", "the truth is doubtful")


def test_a_note_written_while_the_transcript_is_asked_for_goes_with_its_label(
    tmp_path: Path,
) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with opened(run.path) as (_, page):
        held = hold(page, "**/label", times=1)
        page.keyboard.press("t")
        wait_for(page, held)
        write_note(page, "cut off")
        held[0].continue_()
        page.wait_for_url("**/item/1/transcript")
        assert page.input_value("#note") == "cut off"
        page.keyboard.press("m")
        page.wait_for_url("**/item/2")
    labels = LabelStore.open(run.labels_path).history()
    assert [(x.verdict, x.reason) for x in labels] == [
        ("needs_transcript", ""),
        ("match", "cut off"),
    ]


FILL = """() => {
  for (let size = 2 ** 22; size >= 1; size /= 2)
    for (let i = 0; i < 2; i++)
      try { localStorage.setItem(`full${size}-${i}`, "x".repeat(size)); } catch { }
}"""


def test_a_full_browser_is_said_so_and_labels_are_sent(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with opened(run.path) as (_, page):
        page.evaluate(FILL)
        page.keyboard.press("m")
        page.wait_for_url("**/item/2")
        page.wait_for_selector('#status:has-text("Saved, but this browser\'s storage is full")')
        page.route("**/label", lambda route: route.abort())
        page.keyboard.press("o")
        page.keyboard.type("half a thought")
        page.wait_for_selector("#status:has-text('The note is not kept')")
        page.keyboard.press("Enter")
        page.keyboard.press("n")
        page.wait_for_selector("#status:has-text('leave this page open until all is saved')")
        assert "It is not kept" in page.inner_text("#status")
        page.unroute("**/label")
        page.wait_for_url("**/item/3")
        page.evaluate("localStorage.clear()")
        page.keyboard.press("k")
        page.wait_for_url("**/item/2")
        assert page.input_value("#note") == "half a thought"
    labels = LabelStore.open(run.labels_path).history()
    assert [(x.verdict, x.reason) for x in labels] == [
        ("match", ""),
        ("non_match", "half a thought"),
    ]
