"""The labelling page in a real browser: keyboard, hostile transcripts, killed servers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from annotate.labels import LabelStore
from annotate.sample.queue import load_sample
from tests.browser import needs_chromium

from .hostile import OUTPUTS, hostile_transcripts
from .live import Server, browser, label_with_kills
from .runs import make_run, transcript

pytestmark = [pytest.mark.machine, needs_chromium]


def test_hostile_transcripts_do_nothing(tmp_path: Path) -> None:
    """No script of theirs runs, nothing is asked of another address, the page stays usable."""
    run = make_run(tmp_path / "run", hostile_transcripts())
    asked: list[str] = []
    errors: list[str] = []
    with Server(run.path, "--design", "all") as server, browser() as context:
        context.on("request", lambda request: asked.append(request.url))
        page = context.pages[0]
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("dialog", lambda dialog: errors.append("dialog"))
        page.goto(server.address)
        for number in range(1, len(OUTPUTS) + 1):
            for end in ("", "/transcript", "/transcript?whole=1", "/raw/1"):
                page.goto(f"http://127.0.0.1:{server.port}/item/{number}{end}")
                assert page.evaluate("window.attacked") is None
                assert page.evaluate("document.scripts.length") == (0 if "raw" in end else 1)
                assert page.evaluate("document.images.length + frames.length") == 0
        page.goto(f"http://127.0.0.1:{server.port}/item/1")
        for _ in OUTPUTS:
            before = page.url
            page.keyboard.press("m")
            page.wait_for_function("u => location.href !== u", arg=before)
        assert page.url.endswith("/done")
        assert page.evaluate("window.attacked") is None
    own = f"http://127.0.0.1:{server.port}/"
    assert [url for url in asked if not url.startswith(own)] == []
    assert errors == []
    labels = LabelStore.open(run.labels_path).current()
    assert Counter(label.verdict for label in labels) == {"match": len(OUTPUTS)}


def test_the_whole_session_by_keyboard(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(8)])
    with Server(run.path, "--design", "all") as server, browser() as context:
        page = context.pages[0]
        page.goto(server.address)

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


def test_the_forms_work_without_script(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with (
        Server(run.path, "--design", "all") as server,
        browser(java_script_enabled=False) as context,
    ):
        page = context.pages[0]
        page.goto(server.address)
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
    with Server(run.path, "--design", "all") as server, browser() as context:
        page = context.pages[0]
        page.goto(server.address)
        page.keyboard.press("j")
        page.wait_for_url("**/item/2*")
        page.keyboard.press("o")
        page.keyboard.type("half a thought")
        page.keyboard.press("Enter")
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


@pytest.mark.parametrize("lines", [3, 300])
def test_a_transcript_opens_with_its_question_and_best_mark_in_sight(
    tmp_path: Path, lines: int
) -> None:
    output = "A line of text here.\n\n" * lines + "The proportion is **0.25**."
    question = "What is the proportion? " * 40
    run = make_run(tmp_path / "run", [transcript(0, output, question=question)])
    with Server(run.path, "--design", "all") as server, browser() as context:
        page = context.pages[0]
        page.set_viewport_size({"width": 1000, "height": 800})
        page.goto(server.address)
        page.keyboard.press("v")
        page.wait_for_url("**/transcript")
        tops = [page.locator(x).bounding_box()["y"] for x in (".question", "#best", "[data-key=s]")]
        assert all(0 <= top < 800 for top in tops)
        desk = page.locator(".desk").bounding_box()
        assert tops[1] > desk["y"] + desk["height"]
        assert desk["height"] < 300
        assert (page.evaluate("scrollY") == 0) == (lines == 3)


def test_a_note_typed_beside_the_snippets_goes_with_the_label_of_the_transcript(
    tmp_path: Path,
) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with Server(run.path, "--design", "all") as server, browser() as context:
        page = context.pages[0]
        page.goto(server.address)
        page.keyboard.press("o")
        page.keyboard.type("half a thought")
        page.keyboard.press("Enter")
        page.keyboard.press("v")
        page.wait_for_url("**/item/1/transcript")
        assert page.input_value("#note") == "half a thought"
        page.keyboard.press("m")
        page.wait_for_url("**/item/2")
        assert page.evaluate("localStorage.length") == 0
    (label,) = LabelStore.open(run.labels_path).history()
    assert (label.stage, label.reason) == ("transcript", "half a thought")


def test_a_note_survives_a_killed_server(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with Server(run.path, "--design", "all") as server, browser() as context:
        page = context.pages[0]
        page.goto(server.address)
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
    with Server(run.path, "--design", "all") as server, browser() as context:
        page = context.pages[0]
        page.goto(server.address)
        sample = load_sample(LabelStore.open(run.labels_path))
        assert sample is not None
        page.goto(f"http://127.0.0.1:{server.port}/item/8")
        server.kill()
        page.keyboard.press("n")
        page.wait_for_selector(f"#status:has-text('for port {server.port}')")
        server.extra = ("--design", "random", "--size", "2")
        page.goto(server.start())
        page.wait_for_function("!localStorage.length")
    (label,) = LabelStore.open(run.labels_path).history()
    assert (label.transcript_id, label.verdict) == (sample.queue[7], "non_match")


def test_a_label_given_elsewhere_is_shown_and_the_note_stays(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with Server(run.path, "--design", "all") as server, browser() as context:
        page = context.pages[0]
        page.goto(server.address)
        other = context.new_page()
        other.goto(f"http://127.0.0.1:{server.port}/item/1")
        other.keyboard.press("n")
        other.wait_for_url("**/item/2")
        page.keyboard.press("o")
        page.keyboard.type("half a thought")
        page.keyboard.press("Enter")
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


def test_a_database_that_goes_and_comes_back(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [transcript(i) for i in range(3)])
    with Server(run.path, "--design", "all") as server, browser() as context:
        page = context.pages[0]
        page.goto(server.address)
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


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (844, 390)])
def test_the_buttons_are_in_sight_whatever_the_question_and_the_screen(
    tmp_path: Path, width: int, height: int
) -> None:
    output = "A line of text here.\n\n" * 100 + "The proportion is **0.25**."
    run = make_run(tmp_path / "run", [transcript(0, output, question="Q" * 3000)])
    with Server(run.path, "--design", "all") as server, browser() as context:
        page = context.pages[0]
        page.set_viewport_size({"width": width, "height": height})
        page.goto(server.address)
        for key in ("s", "v"):
            page.keyboard.press(key)
            page.wait_for_url("**/transcript" if key == "v" else "**/item/1")
            button = page.locator("button.match").bounding_box()
            assert 0 <= button["y"] < height - button["height"]


def test_text_from_right_to_left_is_laid_out_so(tmp_path: Path) -> None:
    text = "היחס של היחידות הוא **0.25**."
    run = make_run(tmp_path / "run", [transcript(0, text, question="מהו היחס?")])
    with Server(run.path, "--design", "all") as server, browser() as context:
        page = context.pages[0]
        page.goto(server.address)
        directions = [
            page.eval_on_selector(selector, "x => getComputedStyle(x).direction")
            for selector in (".question p", ".snippet", ".truth p")
        ]
        page.goto(f"http://127.0.0.1:{server.port}/item/1/transcript")
        directions.append(page.eval_on_selector("pre", "x => getComputedStyle(x).direction"))
    assert directions == ["rtl", "rtl", "ltr", "rtl"]
