"""The page in a real browser: quiet, closed to the network, filterable, readable on a phone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from grader.cli import main
from grader.records import Grade, Step, Task, Transcript
from grader.run import RunDirectory
from reports.build import build_report
from reports.load import load_run
from tests.browser import CHROMIUM, needs_chromium
from tests.graded import add_grades

from .hostile import write_hostile_run
from .published import write_published_run

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.machine, needs_chromium]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


ODD_NAMES = ("constructor", "failed", "A", "correct", "toString", "match")


class Watched:
    """A page that remembers console errors, script errors and requests that leave the disk."""

    def __init__(self, browser: Browser, width: int = 1200, height: int = 900) -> None:
        self.page: Page = browser.new_page(viewport={"width": width, "height": height})
        self.errors: list[str] = []
        self.outside: list[str] = []
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self._request(request.url))

    def _request(self, url: str) -> None:
        if not url.startswith(("file://", "data:")):
            self.outside.append(url)

    def rows(self) -> list[list[str]]:
        return self.page.eval_on_selector_all(  # type: ignore[no-any-return]
            "#rows tbody tr", "trs => trs.map(tr => [...tr.cells].map(td => td.textContent))"
        )


@pytest.fixture(scope="module")
def report(published_path: Path) -> Path:
    return build_report(RunDirectory.open(published_path), load_run(published_path), "then")


@pytest.fixture
def desktop(browser: Browser, report: Path) -> Iterator[Watched]:
    watched = Watched(browser)
    watched.page.goto(report.as_uri())
    yield watched
    watched.page.close()


def test_no_error_and_no_request_leaves_the_page(desktop: Watched) -> None:
    assert desktop.page.title() == "Grading report: mode-a"
    assert (desktop.errors, desktop.outside) == ([], [])
    assert len(desktop.rows()) == 50


def test_filters_search_sort_and_paging(desktop: Watched) -> None:
    page = desktop.page
    page.select_option("select[data-field=outcome]", "failed")
    assert [row[0] for row in desktop.rows()] == ["A149", "A150", "A151", "A152"]
    page.click("#clear")
    page.select_option("select[data-field=disagreements]", "missed match")
    assert len(desktop.rows()) == 2
    page.select_option("select[data-field=cascade]", "correct")
    assert desktop.rows() == []
    assert "No transcript matches" in page.inner_text("#count")
    page.click("#clear")
    page.fill("#search", "plot 77?")
    assert [row[0] for row in desktop.rows()] == ["A077"]
    page.click("#clear")
    page.click("#next")
    assert desktop.rows()[0][0] == "A050"
    assert page.inner_text("#count") == "51–100 of 153 (153 in all)"
    page.click("th button[data-field=transcript_id]")
    page.click("th button[data-field=transcript_id]")
    assert desktop.rows()[0][0] == "A152"
    assert desktop.errors == []


def test_published_answers_are_sorted_as_numbers(browser: Browser, tmp_path: Path) -> None:
    truths = ["0.30", "-2.05%", "2.67e-08", "1,200", "0.110", "dog", "-0.118", "0.28"]
    run = RunDirectory.create(tmp_path / "run")
    with run.append_transcripts() as transcripts:
        for truth in truths:
            task = Task(task_id=truth, question="q?", ground_truth=truth)
            step = Step(raw_output="It is 1.")
            transcripts.add(Transcript(transcript_id=truth, task=task, steps=(step,)))
    watched = Watched(browser)
    watched.page.goto(build_report(run, load_run(run.path), "then").as_uri())
    watched.page.click("th button[data-field=ground_truth]")
    names = watched.page.eval_on_selector_all(
        "#rows th button", "buttons => buttons.map(b => b.dataset.field)"
    )
    place = names.index("ground_truth")
    assert [row[place] for row in watched.rows()] == [
        "-2.05%", "-0.118", "2.67e-08", "0.110", "0.28", "0.30", "1,200", "dog"
    ]  # fmt: skip
    watched.page.close()


def test_every_verdict_filter_counts_right(desktop: Watched) -> None:
    for field, value, count in (("strict_keyword", "correct", 62), ("cascade", "correct", 70)):
        desktop.page.click("#clear")
        desktop.page.select_option(f"select[data-field={field}]", value)
        assert f"of {count} (" in desktop.page.inner_text("#count")


@pytest.fixture
def odd_names(browser: Browser, tmp_path: Path) -> Iterator[Watched]:
    """A run whose ids, agents and truths are words of the page or of the script language, of which
    two transcripts in three have a nudge mode."""
    run = RunDirectory.create(tmp_path / "run")
    with run.append_transcripts() as transcripts:
        for name, mode in zip(ODD_NAMES, ("A", "B", None) * 2, strict=True):
            task = Task(task_id=name, question=name, ground_truth=name)
            transcripts.add(
                Transcript(transcript_id=name, task=task, agent=name, nudge_mode=mode,
                           outcome="failed", steps=(Step(raw_output="5"),))
            )  # fmt: skip
    add_grades(
        run,
        [
            Grade(transcript_id=n, task_id=n, grader="cascade", verdict="no_answer")
            for n in ODD_NAMES
        ],
    )
    watched = Watched(browser)
    watched.page.goto(build_report(run, load_run(run.path), "then").as_uri())
    yield watched
    watched.page.close()


def test_only_verdicts_and_outcomes_are_shown_in_other_words(odd_names: Watched) -> None:
    titles = odd_names.page.eval_on_selector_all("#rows th", "all => all.map(th => th.innerText)")
    cells = [dict(zip(titles, row, strict=True)) for row in odd_names.rows()]
    for field in ("Transcript", "Question", "Agent", "Truth", "Task"):
        assert [row[field] for row in cells] == list(ODD_NAMES)
    assert {row["Outcome"] for row in cells} == {"Failed"}
    assert {row["Cascade (strict or lenient)"] for row in cells} == {"no answer"}
    assert odd_names.page.locator("#rows td.correct, #rows td.match").count() == 0
    assert odd_names.page.locator("#rows td.no_answer").count() == len(ODD_NAMES)


def test_an_unrecorded_mode_can_be_filtered_for(odd_names: Watched) -> None:
    page = odd_names.page
    page.select_option("select[data-field=mode]", label="mode not recorded")
    assert [row[0] for row in odd_names.rows()] == ["A", "match"]
    page.click("#clear")
    assert len(odd_names.rows()) == len(ODD_NAMES)
    page.select_option("select[data-field=agent]", label="A")
    assert [row[0] for row in odd_names.rows()] == ["A"]
    assert odd_names.errors == []


def test_all_links_resolve(desktop: Watched, report: Path) -> None:
    hrefs = set(
        desktop.page.eval_on_selector_all("a", "all => all.map(a => a.getAttribute('href'))")
    )
    rows = desktop.page.evaluate("JSON.parse(document.getElementById('data').textContent).rows")
    hrefs |= {f"transcripts/{row[0]}" for row in rows}
    assert len(hrefs) > 153
    for href in hrefs:
        path, _, anchor = href.partition("#")
        assert not path or (report.parent / path).is_file(), href
        if not path:
            assert desktop.page.locator(f"[id='{anchor}']").count() == 1, href


def test_transcript_page(desktop: Watched) -> None:
    desktop.page.click("#rows tbody tr:nth-child(3) a")
    assert desktop.page.inner_text("h1") == "A002"
    assert desktop.page.inner_text(".block mark.value >> nth=0") == "20.74"
    desktop.page.click("text=Next")
    assert desktop.page.inner_text("h1") == "A003"
    desktop.page.click("text=Back to the list")
    assert desktop.page.title() == "Grading report: mode-a"
    assert (desktop.errors, desktop.outside) == ([], [])


@pytest.mark.parametrize("length", [4, 120, 400])
def test_verdicts_are_in_sight_beside_long_ids(
    browser: Browser, tmp_path: Path, length: int
) -> None:
    run = RunDirectory.create(tmp_path / "run")
    grades = []
    with run.append_transcripts() as transcripts:
        for number in range(4):
            name = f"{number:0{length}}"
            task = Task(task_id=name, question="What is the median of the ages?", ground_truth="5")
            transcripts.add(
                Transcript(transcript_id=name, task=task, agent=f"agent-{number}", nudge_mode="A",
                           outcome="clean", steps=(Step(raw_output="5"),))
            )  # fmt: skip
            grades += [
                Grade(transcript_id=name, task_id=name, grader=grader, verdict="incorrect")
                for grader in ("strict_heuristic", "strict_keyword", "strict_blind", "cascade")
            ]
    add_grades(run, grades)
    watched = Watched(browser, width=1280)
    watched.page.goto(build_report(run, load_run(run.path), "then").as_uri())
    assert len(watched.rows()) == 4
    assert watched.page.eval_on_selector(
        ".scroll:has(#rows)", "list => list.scrollWidth <= list.clientWidth"
    )
    watched.page.close()


@pytest.mark.parametrize("place", ["index.html", "transcripts/00100-A100.html"])
def test_no_sideways_scroll_on_a_phone(browser: Browser, report: Path, place: str) -> None:
    watched = Watched(browser, width=400, height=800)
    watched.page.goto((report.parent / place).as_uri())
    width = watched.page.evaluate("document.documentElement.scrollWidth")
    watched.page.close()
    assert width <= 400


def test_printing_shows_all_rows_and_hides_controls(desktop: Watched) -> None:
    desktop.page.emulate_media(media="print")
    desktop.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert len(desktop.rows()) == 153
    assert not desktop.page.is_visible("#search")


def test_figures_follow_dark_mode(browser: Browser, report: Path) -> None:
    page = browser.new_page(color_scheme="dark")
    page.goto(report.as_uri())
    ink = page.evaluate("getComputedStyle(document.querySelector('figure svg text')).fill")
    page.close()
    assert ink == "rgb(236, 236, 234)"


@pytest.mark.parametrize("command", ["compare", "stress"])
def test_compare_and_stress_pages(
    browser: Browser, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = write_published_run(tmp_path / "run", "AB").path
    assert main([command, str(run), "--json"]) == 0
    page = Path(json.loads(capsys.readouterr().out)["page"])
    watched = Watched(browser, width=400)
    watched.page.goto(page.as_uri())
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= 400
    links = "all => all.map(a => a.getAttribute('href'))"
    hrefs = watched.page.eval_on_selector_all("a", links)
    assert len(hrefs) > 5
    assert [href for href in hrefs if not (page.parent / href).is_file()] == []
    assert (watched.errors, watched.outside) == ([], [])
    watched.page.close()


def test_a_question_is_no_tower_of_words_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    asked = "What is the mean of the values that were measured in the second of the three periods?"
    run, step = RunDirectory.create(tmp_path / "run"), Step(raw_output="The mean is 5.00012345")
    task = Task(task_id="t", question=asked, ground_truth="5.00012345")
    with run.append_transcripts() as appender:
        for mode in ("A", "B"):
            appender.add(Transcript(transcript_id=mode, task=task, nudge_mode=mode, steps=(step,)))
    assert main(["grade", str(run.path), "--lenient", "off"]) == 0
    assert main(["compare", str(run.path), "--output", str(tmp_path / "out")]) == 0
    watched = Watched(browser, width=390)
    watched.page.goto((tmp_path / "out" / "index.html").as_uri())
    lines = "cell => cell.clientHeight / parseFloat(getComputedStyle(cell).lineHeight)"
    assert watched.page.get_by_role("cell", name=asked).evaluate(lines) < 6
    watched.page.close()


def test_hostile_transcripts_stay_text(browser: Browser, tmp_path: Path) -> None:
    run = write_hostile_run(tmp_path / "hostile")
    report = build_report(run, load_run(run.path), "then")
    for path in [report, *sorted((report.parent / "transcripts").iterdir())]:
        watched = Watched(browser, width=400)
        watched.page.goto(path.as_uri())
        assert watched.page.evaluate("window.attacked") is None, path.name
        assert (watched.errors, watched.outside) == ([], []), path.name
        assert watched.page.evaluate("document.documentElement.scrollWidth") <= 400, path.name
        watched.page.close()
