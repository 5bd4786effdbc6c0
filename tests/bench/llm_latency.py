"""How close to the network's limit the lenient layer runs, and that a second run is free.

    python -m tests.bench.llm_latency

400 strict failures, 200 ms latency, 32 requests at once: the limit is 400 * 0.2 / 32 = 2.5 s,
the bound 1.15 times that, from the first request at the server to the last grade on disk.
Start-up, printed apart, ends with the first request and includes the strict grading of all
transcripts, which comes first. The best of three runs counts: other work on the machine only
ever adds time.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .llm_runs import grade_command, server, write_failures

COUNT, LATENCY, CONCURRENCY, FACTOR, RUNS = 400, 0.2, 32, 1.15, 3
LIMIT = COUNT * LATENCY / CONCURRENCY


def measure(folder: Path) -> float:
    """Grade, grade again, grade into a new run with the old calls; returns seconds at work."""
    source, log = folder / "many.jsonl", folder / "served.log"
    write_failures(source, COUNT)
    with server(LATENCY, log) as url:
        command = grade_command(source, folder / "first", url, CONCURRENCY)
        started = time.time()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        ended = (folder / "first" / "grades.jsonl").stat().st_mtime
        arrivals = [float(line.split()[0]) for line in log.read_text().splitlines()]
        rerun = time.time()
        again = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        rerun = time.time() - rerun
        (folder / "anew").mkdir()
        (folder / "first" / "llm_calls.jsonl").rename(folder / "anew" / "llm_calls.jsonl")
        anew = grade_command(source, folder / "anew", url, CONCURRENCY)
        subprocess.run(anew, check=True, stdout=subprocess.DEVNULL)
        resent = len(log.read_text().splitlines()) - len(arrivals)
    working = ended - min(arrivals)
    sys.stdout.write(
        f"start-up {min(arrivals) - started:.2f} s; {len(arrivals)} calls in {working:.2f} s "
        f"= {working / LIMIT:.3f} x {LIMIT:.2f} s; again: {rerun:.2f} s; "
        f"calls in reruns: {resent}\n"
    )
    assert len(arrivals) == COUNT and resent == 0
    assert json.loads(again.stdout)["graded_now"] == 0
    return working


def main() -> None:
    """Measure, print, and fail if a bound is missed."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    best = LIMIT * 100
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as name:
            best = min(best, measure(Path(name)))
    assert best <= FACTOR * LIMIT, f"slower than {FACTOR} times the limit"


if __name__ == "__main__":
    main()
