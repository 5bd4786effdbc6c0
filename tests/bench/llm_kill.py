"""Kill the grading of 400 strict failures at random moments, resume it, and compare.

    python -m tests.bench.llm_kill [--times 20] [--count 400] [--seed 1]

Each trial runs `grader grade` on a fresh run directory, kills it with SIGKILL when the server
has been asked a randomly drawn number of times, and a random fraction of a call later (until then
the server leaves further requests without an answer, so that the run cannot end first); then it
runs it to its end. What must hold: no request whose reply was on disk at the kill is sent
again; grades equal those of the uninterrupted run. Replies that were still on the wire at the
kill cannot be known to the resumed run: those are counted and printed, and never exceed the
concurrency.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.waiting import wait_until

from .llm_runs import answered_keys, grade_command, grades_of, server, write_failures

CONCURRENCY, LATENCY = 32, 0.05


@dataclass(frozen=True)
class Trial:
    """One kill and resume: calls answered and on disk at the kill, calls paid twice though they
    were on disk, requests that were on the wire and were sent again."""

    after: int
    on_disk: int
    paid_twice: int
    on_the_wire: int


@dataclass(frozen=True)
class Place:
    """Where the trials happen: the transcripts, the server, its log of requests, and the file
    that names the last request it is to answer."""

    source: Path
    url: str
    log: Path
    limit: Path

    def served(self) -> list[str]:
        """Which request was asked for, in the order of asking."""
        return [line.split()[1] for line in self.log.read_text().splitlines()]


def trial(place: Place, run: Path, after: int, later: float) -> Trial:
    """Kill a run `later` seconds after its request number `after`, resume it, count."""
    command = grade_command(place.source, run, place.url, CONCURRENCY)
    served_before = len(place.served())
    place.limit.write_text(str(served_before + after))
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: len(place.served()) >= served_before + after)
    time.sleep(later)
    process.kill()
    process.wait()
    place.limit.unlink()
    known = set(answered_keys(run))
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    paid = Counter(answered_keys(run))
    served = place.served()[served_before:]
    twice = sum(count > 1 for key, count in paid.items() if key in known)
    return Trial(after, len(known), twice, len(served) - len(set(served)))


def trials(folder: Path, times: int, count: int, seed: int) -> list[Trial]:
    """`times` trials over `count` transcripts, each checked against an uninterrupted run."""
    source, log, limit = (folder / name for name in ("source.jsonl", "served.log", "limit"))
    write_failures(source, count)
    chance = random.Random(seed)
    done = []
    with server(LATENCY, log, limit) as url:
        whole = grade_command(source, folder / "whole", url, CONCURRENCY)
        subprocess.run(whole, check=True, stdout=subprocess.DEVNULL)
        expected = grades_of(folder / "whole")
        for number in range(times):
            run = folder / f"run{number}"
            after, later = chance.randint(1, count - 1), chance.uniform(0, LATENCY)
            result = trial(Place(source, url, log, limit), run, after, later)
            assert grades_of(run) == expected, f"trial {number}: other grades"
            assert len(set(answered_keys(run))) == count
            assert result.paid_twice == 0 and result.on_the_wire <= CONCURRENCY, result
            done.append(result)
    return done


def main() -> None:
    """Run the trials and print each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        results = trials(Path(name), options.times, options.count, options.seed)
    for result in results:
        sys.stdout.write(
            f"killed after request {result.after}: {result.on_disk} replies on disk, "
            f"{result.paid_twice} of them paid twice, {result.on_the_wire} lost on the wire\n"
        )
    inside = sum(0 < result.on_disk < options.count for result in results)
    sys.stdout.write(
        f"{len(results)} kills, {inside} between the first and the last call; grades equal\n"
    )


if __name__ == "__main__":
    main()
