"""The labelling page in a real browser: what is in sight, and which way it runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser import needs_chromium

from .live import opened
from .runs import make_run, transcript

pytestmark = [pytest.mark.machine, needs_chromium]


@pytest.mark.parametrize("lines", [3, 300])
def test_a_transcript_opens_with_its_question_and_best_mark_in_sight(
    tmp_path: Path, lines: int
) -> None:
    output = "A line of text here.\n\n" * lines + "The proportion is **0.25**."
    question = "What is the proportion? " * 40
    run = make_run(tmp_path / "run", [transcript(0, output, question=question)])
    with opened(run.path, viewport={"width": 1000, "height": 800}) as (_, page):
        page.keyboard.press("v")
        page.wait_for_url("**/transcript")
        tops = [page.locator(x).bounding_box()["y"] for x in (".question", "#best", "[data-key=s]")]
        assert all(0 <= top < 800 for top in tops)
        desk = page.locator(".desk").bounding_box()
        assert tops[1] > desk["y"] + desk["height"]
        assert desk["height"] < 300
        assert (page.evaluate("scrollY") == 0) == (lines == 3)


def test_the_best_mark_is_not_under_the_desk_of_a_small_screen(tmp_path: Path) -> None:
    output = "A line of text here.\n\n" * 100 + "The proportion is **0.25**."
    question = "What is the proportion? " * 40
    run = make_run(
        tmp_path / "run", [transcript(0, output, question=question, truth="0." + "25" * 99)]
    )
    with opened(run.path, viewport={"width": 320, "height": 560}) as (_, page):
        page.keyboard.press("v")
        page.wait_for_url("**/transcript")
        desk, mark = (page.locator(x).bounding_box() for x in (".desk", "#best"))
        assert desk["y"] + desk["height"] <= mark["y"] < 560 - mark["height"]


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (844, 390)])
def test_the_buttons_are_in_sight_whatever_the_question_and_the_screen(
    tmp_path: Path, width: int, height: int
) -> None:
    output = "A line of text here.\n\n" * 100 + "The proportion is **0.25**."
    run = make_run(tmp_path / "run", [transcript(0, output, question="Q" * 3000)])
    with opened(run.path, viewport={"width": width, "height": height}) as (_, page):
        for key in ("s", "v"):
            page.keyboard.press(key)
            page.wait_for_url("**/transcript" if key == "v" else "**/item/1")
            button = page.locator("button.match").bounding_box()
            assert 0 <= button["y"] < height - button["height"]


def test_text_from_right_to_left_is_laid_out_so(tmp_path: Path) -> None:
    text = "היחס של היחידות הוא **0.25**."
    run = make_run(tmp_path / "run", [transcript(0, text, question="מהו היחס?")])
    with opened(run.path) as (server, page):
        directions = [
            page.eval_on_selector(selector, "x => getComputedStyle(x).direction")
            for selector in (".question p", ".snippet", ".truth p")
        ]
        page.goto(f"http://127.0.0.1:{server.port}/item/1/transcript")
        directions.append(page.eval_on_selector("pre", "x => getComputedStyle(x).direction"))
    assert directions == ["rtl", "rtl", "ltr", "rtl"]


def test_a_very_long_word_is_laid_out_soon_and_copied_as_it_is(tmp_path: Path) -> None:
    word = "abcdefghij" * 300_000
    run = make_run(tmp_path / "run", [transcript(0, f"{word} The proportion is **0.25**.")])
    with opened(run.path) as (server, page):
        page.goto(f"http://127.0.0.1:{server.port}/item/1/transcript?whole=1", timeout=15_000)
        assert 0 <= page.locator("#best").bounding_box()["y"] < page.viewport_size["height"]
        copied = page.evaluate(
            "() => { getSelection().selectAllChildren(document.querySelector('pre'));"
            " return getSelection().toString(); }"
        )
    assert copied == f"{word} The proportion is **0.25**."
