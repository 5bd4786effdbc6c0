"""The labelling page in a real browser: hostile transcripts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from annotate.labels import LabelStore
from tests.browser import needs_chromium

from .hostile import OUTPUTS, hostile_transcripts
from .live import Server, browser
from .runs import make_run

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
                assert page.evaluate("document.scripts.length") == (0 if "raw" in end else 2)
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
