"""On a real local Ray. Skipped where the extra `ray` is not installed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from grader.engines import open_engine
from grader.passes.grading import grade_run
from grader.passes.input import Input
from grader.readers.chunks import Chunk
from grader.readers.ranges import line_ranges, read_ranges
from grader.run import RunDirectory
from tests.bench import corpus
from tests.grader.strict_runs import STRICT, contents
from tests.shared_data import ROOT


@pytest.mark.parametrize("size", [1, 1000, 10_000, 10**6])
def test_ranges_hold_every_line_once_with_its_number(tmp_path: Path, size: int) -> None:
    path = tmp_path / "a.jsonl"
    corpus.write(path, 20)
    path.write_bytes(path.read_bytes() + b"\nnot json\n" + b'{"torn": ')
    ids = [t.transcript_id for chunk in line_ranges(path, size) for t in chunk.transcripts()]
    assert ids == [*(f"made-{n}" for n in range(20)), "a.jsonl:22"]


def test_compressed_files_are_read_whole(tmp_path: Path) -> None:
    for form in ("jsonl.gz", "jsonl.zst", "parquet"):
        corpus.write(tmp_path / f"a.{form}", 5)
    chunks: list[Chunk] = list(read_ranges(tmp_path))
    assert len(chunks) == 3
    for chunk in chunks:
        assert [t.transcript_id for t in chunk.transcripts()] == [f"made-{n}" for n in range(5)]


@pytest.mark.slow
def test_ray_with_a_killed_worker_writes_the_same_run(tmp_path: Path) -> None:
    """Two workers; one is killed while it works."""
    pytest.importorskip("ray")
    source = tmp_path / "shards"
    source.mkdir()
    for number in range(12):
        corpus.write(source / f"part-{number:02}.jsonl", 150, start=number * 150)
    command = [sys.executable, "-m", "grader", "grade", str(source), "--run", str(tmp_path / "run"),
               "--lenient", "off", "--engine", "ray", "--workers", "2", "--json"]  # fmt: skip
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, env=environment)
    grades = tmp_path / "run/grades.jsonl"
    while not (grades.exists() and grades.stat().st_size) and process.poll() is None:
        time.sleep(0.05)
    workers = [
        child
        for child in psutil.Process(process.pid).children(recursive=True)
        if "MapWorker" in " ".join(child.cmdline())
    ]
    assert len(workers) == 2
    workers[0].kill()
    assert process.wait() == 0
    plain = RunDirectory.create(tmp_path / "plain")
    summary = grade_run(plain, Input(source), STRICT, engine=open_engine())
    assert summary.transcripts == 12 * 150
    assert contents(tmp_path / "run") == contents(tmp_path / "plain")
