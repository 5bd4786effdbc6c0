"""Many transcripts on one machine: does it finish, how fast, in how much memory?

    python -m tests.bench.scale [--count 50000] [--workers 1,2] [--folder DIR] [--ray]

Generates `--count` transcripts (`corpus.py`, 2 kB each) once, grades them with `grader grade` for
each number of workers into a new run, and prints per run: wall seconds, transcripts a second, CPU
seconds of all processes together, and the highest memory that any one process had (its own
high-water mark, VmHWM, read while it runs). Then: whether all runs are the same byte for byte, the
speed of the last over the first, and the same ratio in CPU time: how much of the work is spent
on more workers, which other load on the machine does not change. The run is then graded again
from the start with nothing left to do (`resume`), and exported as Parquet.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import psutil

from tests.bench import corpus


class Measured(NamedTuple):
    """One command: wall and CPU seconds, and the peak memory of its biggest process in MB."""

    name: str
    wall: float
    cpu: float
    peak: float


def measure(name: str, arguments: list[str]) -> Measured:
    """Run `grader ARGUMENTS`, watching all its processes."""
    started = time.monotonic()
    process = psutil.Popen([sys.executable, "-m", "grader", *arguments], stdout=subprocess.DEVNULL)
    peaks: dict[int, float] = {}
    cpu: dict[int, float] = {}
    while process.poll() is None:
        try:
            for one in [process, *process.children(recursive=True)]:
                peaks[one.pid] = max(peaks.get(one.pid, 0.0), _high_water(one.pid))
                times = one.cpu_times()
                cpu[one.pid] = times.user + times.system
        except (psutil.NoSuchProcess, FileNotFoundError, ProcessLookupError):
            pass
        time.sleep(0.2)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{name}: exit code {process.returncode}")
    return Measured(name, time.monotonic() - started, sum(cpu.values()), max(peaks.values()))


def _high_water(pid: int) -> float:
    """The most memory a process has had, in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def digests(run: Path) -> tuple[str, ...]:
    """Hashes of a run's files."""
    found = []
    for name in ("transcripts.jsonl", "grades.jsonl"):
        with (run / name).open("rb") as file:
            found.append(hashlib.file_digest(file, "sha256").hexdigest())
    return tuple(found)


def main() -> int:
    """Generate, grade, compare; exit 1 if two runs differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--workers", default="1,2", help="numbers of workers, comma-separated")
    parser.add_argument("--folder", type=Path, default=Path("scale-bench"))
    parser.add_argument("--ray", action="store_true", help="on Ray instead of processes")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    source = options.folder / f"corpus-{options.count}.jsonl"
    if not source.exists():
        corpus.write(source, options.count)
    size = source.stat().st_size / 1e6
    sys.stdout.write(f"{options.count} transcripts, {size:.0f} MB\n")
    engine = ["--engine", "ray"] if options.ray else []
    results: list[Measured] = []
    runs: list[tuple[str, ...]] = []
    for workers in options.workers.split(","):
        run = options.folder / f"run-{workers}"
        shutil.rmtree(run, ignore_errors=True)
        grade = ["grade", str(source), "--run", str(run), "--lenient", "off", "--json", *engine]
        _note(results, options.count, f"{workers} workers", [*grade, "--workers", workers])
        runs.append(digests(run))
    _note(results, options.count, "resume", [*grade, "--workers", workers])
    _note(results, options.count, "export", ["export", str(run), "--format", "parquet"])
    same = len(set(runs)) == 1 and digests(run) == runs[-1]
    first, last = results[0], results[len(runs) - 1]
    sys.stdout.write(
        f"same bytes: {same}; {last.name} over {first.name}: x{first.wall / last.wall:.2f} faster, "
        f"x{last.cpu / first.cpu:.2f} CPU; peak memory {max(r.peak for r in results):.0f} MB\n"
    )
    if options.json:
        sys.stdout.write(json.dumps([r._asdict() for r in results]) + "\n")
    return 0 if same else 1


def _note(results: list[Measured], count: int, name: str, arguments: list[str]) -> None:
    one = measure(name, arguments)
    results.append(one)
    sys.stdout.write(
        f"{name:12} {one.wall:8.1f} s {count / one.wall:8.0f}/s {one.cpu:8.1f} s CPU "
        f"{one.peak:6.0f} MB peak\n"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
