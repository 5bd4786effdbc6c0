"""How long a report takes, and whether its page stays usable.

    python -m tests.bench.report_speed [--transcripts 10000] [--source FILE] [--keep DIR]

Builds a run from the fixture transcripts, or those of another file (repeated under new ids, both
nudge modes, every tenth labelled), times `grader report` on it as a process of its own, and,
where Chromium is installed, the page's load and one filter step in a real browser.
"""

from __future__ import annotations

import argparse
import logging
import os
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from annotate.labels import LabelStore, NewLabel
from annotate.labels.rows import GivenLabel
from grader.cascade import combine, strict_grades
from grader.readers import read
from grader.records import Grade, Transcript
from grader.run import RunDirectory
from grader.settings import GradeSettings
from grader.strict import STRICT_GRADERS
from tests.browser import CHROMIUM
from tests.graded import add_grades

FIXTURES = Path(__file__).parents[2] / "fixtures" / "transcripts.jsonl"
log = logging.getLogger("bench")


def build(folder: Path, count: int, source: Path) -> RunDirectory:
    """A graded and partly labelled run of `count` transcripts like those of `source`."""
    run = RunDirectory.create(folder)
    originals = list(read(source, "auto"))
    settings = GradeSettings()
    grades = {t.transcript_id: strict_grades(t, STRICT_GRADERS, settings) for t in originals}
    written: list[Grade] = []
    with run.append_transcripts() as transcripts:
        for number in range(count):
            original = originals[number % len(originals)]
            copy = _copy(original, number)
            transcripts.add(copy)
            ids = {"transcript_id": copy.transcript_id, "task_id": copy.task.task_id}
            own = [g.model_copy(update=ids) for g in grades[original.transcript_id]]
            written += [*own, combine(own)]
    add_grades(run, written)
    store = LabelStore.open(run.labels_path)
    store.add_many(
        NewLabel(_label(f"t{number:06d}", number % 3 != 0), f"n{number}")
        for number in range(0, count, 10)
    )
    store.close()
    return run


def _copy(original: Transcript, number: int) -> Transcript:
    task = original.task.model_copy(update={"task_id": f"task{number // 2:06d}"})
    mode = "A" if number % 2 else "B"
    return original.model_copy(
        update={"transcript_id": f"t{number:06d}", "task": task, "nudge_mode": mode}
    )


def _label(transcript_id: str, matches: bool) -> GivenLabel:
    return GivenLabel(
        transcript_id=transcript_id,
        annotator="bench",
        stage="transcript",
        verdict="match" if matches else "non_match",
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def measure_browser(page_path: Path) -> dict[str, float]:
    """Milliseconds to load the page, and to type a search and see the rows."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        started = time.perf_counter()
        page.goto(page_path.as_uri())
        load = time.perf_counter() - started
        filtering = page.evaluate(
            """() => { const box = document.getElementById("search"); box.value = "t0000";
            const start = performance.now(); box.dispatchEvent(new Event("input"));
            document.body.offsetHeight; return performance.now() - start; }"""
        )
        browser.close()
    return {"load_ms": 1000 * load, "filter_ms": float(filtering)}


def main() -> int:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--transcripts", type=int, default=10_000)
    parser.add_argument("--source", type=Path, default=FIXTURES, help="a recorded run to repeat")
    parser.add_argument("--keep", type=Path, help="build the run here and leave it")
    options = parser.parse_args()
    folder = options.keep or Path(tempfile.mkdtemp(prefix="report-speed-"))
    run = build(folder, options.transcripts, options.source)
    started = time.perf_counter()
    subprocess.run([sys.executable, "-m", "grader", "report", str(folder), "--json"], check=True)
    seconds = time.perf_counter() - started
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    page = run.report_path / "index.html"
    log.info(
        "%d transcripts on %d cores: %.1f s, %.0f MB, page %.1f MB",
        options.transcripts,
        os.cpu_count() or 0,
        seconds,
        memory,
        page.stat().st_size / 1e6,
    )
    if CHROMIUM is not None:
        log.info("browser: load %(load_ms).0f ms, filter %(filter_ms).0f ms", measure_browser(page))
    return 0


if __name__ == "__main__":
    sys.exit(main())
