"""The labelling page in a real browser: keyboard, forms, notes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from annotate.labels import LabelStore
from annotate.sample.queue import load_sample
from tests.browser import needs_chromium

from .live import hold, opened, wait_for, write_note
from .runs import make_run, transcript

pytestmark = [pytest.mark.machine, needs_chromium]


def test_the_whole_session_by_keyboard(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(8)])
    with opened(run.path) as (_, page):

        def press(keys: str, number: int, *, end: str = "") -> None:
            for key in keys.split():
                page.keyboard.press(key)
            page.wait_for_url(f"**/item/{number}{end}")

        press("m", 2)
        press("n", 3)
        press("t", 3, end="/transcript")
        assert page.inner_text("#best") == "0.25"
        press("s", 3)
        press("v", 3, end="/transcript")
        page.keyboard.press("o")
        page.keyboard.type("mnq: unclear")
        page.keyboard.press("Enter")
        press("a", 4)
        press("u", 3, end="/transcript")
        assert page.inner_text("#status") == "Taken back."
        assert page.input_value("#note") == "mnq: unclear"
        page.wait_for_timeout(1100)
        press("n", 4)
        press("j", 5)
        press("k", 4)
        press("k", 3, end="/transcript")
        press("ArrowRight", 4)
        page.keyboard.press("g")
        page.keyboard.type("7")
        press("Enter", 7, end="*")
        page.keyboard.press("/")
        page.keyboard.type("item")
        page.keyboard.press("Enter")
        page.wait_for_url("**/item/8*")
        page.keyboard.press("f")
        page.keyboard.type("labelled", delay=60)
        assert "labelled" not in page.url
        page.keyboard.press("Enter")
        page.wait_for_url("**choose=labelled*")
        page.dispatch_event("#filter", "pointerdown")
        page.select_option("#filter", "all")
        page.wait_for_url("**choose=all*")
    store = LabelStore.open(run.labels_path)
    assert Counter(x.verdict for x in store.current()) == {
        "match": 1,
        "non_match": 2,
        "needs_transcript": 1,
    }
    retracted = [x for x in store.history() if x.verdict == "no_answer"]
    assert [x.reason for x in retracted] == ["mnq: unclear"]
    times = {x.verdict: x.seconds for x in store.current() if x.stage == "transcript"}
    assert 1.0 <= (times["non_match"] or 0) < 30


def test_keys_work_with_caps_lock_and_on_keyboards_of_other_scripts(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(6)])
    with opened(run.path) as (_, page):
        devices = page.context.new_cdp_session(page)

        def press(key: str, code: str, number: int, *, end: str = "") -> None:
            devices.send(
                "Input.dispatchKeyEvent", {"type": "keyDown", "key": key, "code": code, "text": key}
            )
            devices.send("Input.dispatchKeyEvent", {"type": "keyUp", "key": key, "code": code})
            page.wait_for_url(f"**/item/{number}{end}")

        press("M", "KeyM", 2)  # Caps Lock
        press("ь", "KeyM", 3)  # Russian
        press("Т", "KeyN", 4)  # Russian, with Caps Lock
        press("m", "Semicolon", 5)  # French: a Latin letter is itself, wherever it is
        press("φ", "KeyA", 6)  # of whatever script: the place counts
        press("л", "KeyK", 5)
        press("J", "KeyJ", 6)
        press("г", "KeyU", 5)
        press("é", "Digit2", 5)
        press("м", "KeyV", 5, end="/transcript")
    verdicts = [label.verdict for label in LabelStore.open(run.labels_path).current()]
    assert verdicts == ["match", "match", "non_match", "match"]


def test_the_forms_work_without_script(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with opened(run.path, java_script_enabled=False) as (_, page):
        page.fill("#note", "half a thought")
        page.press("#note", "Enter")
        page.wait_for_timeout(300)
        assert page.url.endswith("/item/1")
        page.click("button.non_match")
        page.wait_for_url("**/item/2")
        page.click("#undo button")
        page.wait_for_url("**/item/1")
        assert page.input_value("#note") == "half a thought"
        page.click("button.match")
        page.wait_for_url("**/item/2")
        page.fill("#jump", "3")
        page.press("#jump", "Enter")
        page.wait_for_url("**/item/3*")
    (label,) = LabelStore.open(run.labels_path).current()
    assert (label.verdict, label.reason) == ("match", "half a thought")


def test_a_search_without_a_hit_stays_on_the_item(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with opened(run.path) as (_, page):
        page.keyboard.press("j")
        page.wait_for_url("**/item/2*")
        write_note(page, "half a thought")
        page.keyboard.press("/")
        page.keyboard.type("zebra")
        page.keyboard.press("Enter")
        page.wait_for_selector("#status.bad")
        assert page.inner_text("#status") == "no question contains 'zebra'"
        assert "/item/2" in page.url
        assert page.input_value("#note") == "half a thought"
        page.keyboard.press("Escape")
        page.keyboard.press("m")
        page.wait_for_url("**/item/3*")
        assert page.is_hidden("#status")
    (label,) = LabelStore.open(run.labels_path).history()
    assert label.reason == "half a thought"


def test_a_note_typed_beside_the_snippets_goes_with_the_label_of_the_transcript(
    tmp_path: Path,
) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with opened(run.path) as (_, page):
        write_note(page, "half a thought")
        page.keyboard.press("v")
        page.wait_for_url("**/item/1/transcript")
        assert page.input_value("#note") == "half a thought"
        page.keyboard.press("m")
        page.wait_for_url("**/item/2")
        assert page.evaluate("localStorage.length") == 0
    (label,) = LabelStore.open(run.labels_path).history()
    assert (label.stage, label.reason) == ("transcript", "half a thought")


@pytest.mark.parametrize("by_mouse", [False, True])
def test_a_page_that_comes_late_replaces_none_and_its_wait_labels_nothing(
    tmp_path: Path, by_mouse: bool
) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(4)])
    with opened(run.path) as (_, page):
        held = hold(page, "**/item/1/transcript")
        if by_mouse:
            page.click("[data-key=v]", no_wait_after=True)
        else:
            page.keyboard.press("v")
        wait_for(page, held)
        page.keyboard.press("m")
        page.wait_for_selector("#status:has-text('Not labelled')")
        page.keyboard.press("j")
        page.wait_for_url("**/item/2")
        with page.expect_response("**/item/1/transcript"):
            held[0].continue_()
        page.wait_for_timeout(300)
        assert page.url.endswith("/item/2")
        assert page.get_attribute("#label [name=stage]", "value") == "snippet"
        page.keyboard.press("n")
        page.wait_for_url("**/item/3")
    sample = load_sample(LabelStore.open(run.labels_path))
    assert sample is not None
    stored = LabelStore.open(run.labels_path).history()
    found = [(x.transcript_id, x.stage, x.verdict) for x in stored]
    assert found == [(sample.queue[1], "snippet", "non_match")]


PRESS_AT_ONCE = """() => {
  const shown = put;
  const key = new KeyboardEvent("keydown", {key: "m", bubbles: true});
  const press = () => document.body.dispatchEvent(key);
  put = (...page) => { put = shown; shown(...page); setTimeout(press); };
}"""  # a verdict key, as soon as the next page is shown


@pytest.mark.parametrize(
    ("key", "asked", "field"),
    [
        ("n", "**/label", "#note"),
        ("n", "**/item/2", "#note"),
        ("j", "**/go?*", "#note"),
        ("j", "**/go?*", "#find"),
        ("j", "**/go?*", "#filter"),
    ],
)
def test_letters_written_in_a_field_label_no_page_that_comes_meanwhile(
    tmp_path: Path, key: str, asked: str, field: str
) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(4)])
    with opened(run.path) as (_, page):
        held = hold(page, asked, times=1)
        page.keyboard.press(key)
        wait_for(page, held)
        page.keyboard.press({"#note": "o", "#find": "/", "#filter": "f"}[field])
        page.keyboard.type("mat")
        held[0].continue_()
        page.wait_for_selector("#status:has-text('once this field is left')")
        page.keyboard.type("mon")
        page.wait_for_timeout(200)
        assert page.url.endswith("/item/1")
        if field != "#filter":
            assert page.input_value(field) == "matmon"
        page.evaluate(PRESS_AT_ONCE)
        page.keyboard.press("Escape")
        page.wait_for_selector("#status:has-text('Not labelled: this page has only just come')")
        assert page.url.endswith("/item/1" if key == "n" else "/item/2")
        page.wait_for_timeout(500)
        page.keyboard.press("m")
        page.wait_for_url("**/item/2" if key == "n" else "**/item/3")
    labels = LabelStore.open(run.labels_path).current()
    expected = [("match", "matmon")] if key == "n" else [("match", "")]
    assert [(x.verdict, x.reason) for x in labels] == expected


def test_a_field_that_asked_for_a_page_need_not_be_left_unless_written_in_again(
    tmp_path: Path,
) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(4)])
    with opened(run.path) as (_, page):
        held = hold(page, "**/go?*", times=1)
        page.keyboard.press("/")
        page.keyboard.type("ite")
        page.keyboard.press("Enter")
        wait_for(page, held)
        page.keyboard.type("m")
        held[0].continue_()
        page.wait_for_selector("#status:has-text('once this field is left')")
        page.keyboard.press("Enter")  # asks again: that page comes at once
        page.wait_for_function("() => document.activeElement === document.body")
    assert LabelStore.open(run.labels_path).history() == []


def test_a_double_click_labels_one_item(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with opened(run.path) as (_, page):
        page.hover("button[value=match]")
        for count in (1, 2):
            page.mouse.down(click_count=count)
            page.mouse.up(click_count=count)
            page.wait_for_url("**/item/2")
        assert "double click" in page.inner_text("#status")
        page.click("button[value=non_match]")
        page.wait_for_url("**/item/3")
    assert [x.verdict for x in LabelStore.open(run.labels_path).history()] == ["match", "non_match"]
