"""From key press to the next item on the page, with 10,000 transcripts in the run.

    python -m tests.bench.annotate_keypress [TRANSCRIPTS] [PRESSES]

Measured in the page itself: from the key event to the first frame after the next item is in
the document.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from tests.annotate.live import Server, browser
from tests.annotate.runs import grade, make_run, transcript

WATCH = """() => {
  window.times = [];
  let pressed = 0;
  addEventListener("keydown", () => { pressed = performance.now(); }, true);
  new MutationObserver(() => requestAnimationFrame(() => {
    if (pressed) { window.times.push(performance.now() - pressed); pressed = 0; }
  })).observe(document.body, { childList: true });
}"""
PARAGRAPH = "The table shows the counts of each group before and after weighting, row by row. " * 12


def measure(transcripts: int, presses: int) -> int:
    """The exit code: 1 if the 95th percentile of the presses' times is 100 ms or more. Prints the
    times."""
    with tempfile.TemporaryDirectory() as folder:
        made = [
            transcript(i, f"```python\nprint({i})\n```\n<pre>{i}</pre>\n\n{PARAGRAPH}\n\n"
                          f"The proportion of item {i} is **0.{i % 90 + 10}**.")
            for i in range(transcripts)
        ]  # fmt: skip
        grades = [
            grade(t.transcript_id, "cascade", "correct" if i % 2 else "incorrect")
            for i, t in enumerate(made)
        ]
        run = make_run(Path(folder) / "run", made, grades)
        begun = time.monotonic()
        with Server(run.path, "--design", "all") as server, browser() as context:
            started = time.monotonic() - begun
            page = context.pages[0]
            page.goto(server.address)
            page.evaluate(WATCH)
            for press in range(presses):
                number = page.evaluate("document.body.dataset.number")
                page.keyboard.press("mna"[press % 3])
                page.wait_for_function("n => document.body.dataset.number !== n", arg=number)
                page.wait_for_timeout(60)  # a person reads; the next item is read ahead
            times = np.array(page.evaluate("window.times"))
    sys.stdout.write(
        f"{transcripts} transcripts, start {started:.1f} s, {len(times)} key presses: median "
        f"{np.median(times):.0f} ms, 95th percentile {np.quantile(times, 0.95):.0f} ms, "
        f"longest {times.max():.0f} ms\n"
    )
    return int(np.quantile(times, 0.95) >= 100)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("transcripts", type=int, nargs="?", default=10_000)
    parser.add_argument("presses", type=int, nargs="?", default=100, help="of a key")
    options = parser.parse_args()
    return measure(options.transcripts, options.presses)


if __name__ == "__main__":
    sys.exit(main())
