"""What a disk can do to a run: fill up, refuse, lose the end of a file; clocks that run back."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.errors import InputError
from grader.passes.grading import grade_run
from grader.passes.input import Input
from grader.run import RunDirectory
from tests.bench import corpus
from tests.grader.strict_runs import STRICT, contents
from tests.shared_data import ROOT

COUNT = 6


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("source") / "all.jsonl"
    corpus.write(path, COUNT)
    return path


@pytest.fixture(scope="module")
def whole(source: Path) -> tuple[bytes, bytes]:
    """The files of a run that nothing happened to."""
    run = RunDirectory.create(source.parent / "whole")
    grade_run(run, Input(source), STRICT)
    return contents(run.path)


def command(source: Path, run: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "grader", "grade", str(source), "--run", str(run),
            "--lenient", "off", "--json", *more]  # fmt: skip


def current(run: Path) -> dict[tuple[str, str], dict[str, Any]]:
    grades = RunDirectory.open(run).grades_by_transcript()
    return {
        (key, name): grade.model_dump() for key, of in grades.items() for name, grade in of.items()
    }


@given(data=st.data())
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_files_cut_at_any_byte_are_completed(
    data: st.DataObject,
    source: Path,
    whole: tuple[bytes, bytes],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Whatever is left of both files: the same grades afterwards, none twice."""
    run = RunDirectory.create(tmp_path_factory.mktemp("run"))
    for path, content in zip((run.transcripts_path, run.grades_path), whole, strict=True):
        path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    grade_run(run, Input(source), STRICT)
    assert current(run.path) == current(source.parent / "whole")
    assert contents(run.path)[0] == whole[0]
    assert len(contents(run.path)[1].splitlines()) <= COUNT * 4 + 1  # a cascade line may be renewed
    before = contents(run.path)
    assert grade_run(run, Input(source), STRICT).graded_now == 0
    assert contents(run.path) == before


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("room", [0, 1, 3000, 20_000])
def test_a_full_disk_is_one_clear_error_and_can_be_continued(
    tmp_path: Path, source: Path, whole: tuple[bytes, bytes], workers: str, room: int
) -> None:
    """A limit on the size of files stands for the full disk."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))

    run = command(source, tmp_path / "run", "--workers", workers)
    full = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, preexec_fn=limit)
    assert full.returncode == 2
    assert "cannot write" in full.stderr
    assert "Traceback" not in full.stderr
    assert full.stderr.count("\n") == 1
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0
    assert contents(tmp_path / "run") == whole


def test_a_second_process_is_refused_and_changes_nothing(tmp_path: Path, source: Path) -> None:
    run = RunDirectory.create(tmp_path / "run")
    grade_run(run, Input(source), STRICT)
    run.update_manifest(mine=1)
    before = contents(run.path), run.manifest_path.read_bytes()
    with run.writing():
        second = subprocess.run(
            command(source, run.path, "--workers", "2"), cwd=ROOT, capture_output=True, text=True
        )
    assert second.returncode == 2
    assert "another process is writing to this run" in second.stderr
    assert (contents(run.path), run.manifest_path.read_bytes()) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
def test_a_read_only_run_is_one_clear_error(tmp_path: Path, source: Path) -> None:
    (tmp_path / "run").mkdir(mode=0o500)
    refused = subprocess.run(
        command(source, tmp_path / "run"), cwd=ROOT, capture_output=True, text=True
    )
    assert refused.returncode == 2
    assert "cannot write" in refused.stderr


def test_a_read_only_file_system_is_one_clear_error(source: Path) -> None:
    """/proc refuses everyone, root too."""
    refused = subprocess.run(
        command(source, Path("/proc/no-such-run")), cwd=ROOT, capture_output=True, text=True
    )
    assert refused.returncode == 2
    assert "cannot write" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("form", ["jsonl.gz", "jsonl.zst", "parquet"])
@pytest.mark.parametrize("keep", [0.0, 0.3, 0.7, 0.99])
def test_a_shard_cut_short_is_named_and_the_rest_is_kept(
    tmp_path: Path, form: str, keep: float
) -> None:
    shards = tmp_path / "shards"
    shards.mkdir()
    corpus.write(shards / "a.jsonl", 3)
    corpus.write(shards / f"b.{form}", 400, start=3)
    whole_shard = (shards / f"b.{form}").read_bytes()
    (shards / f"b.{form}").write_bytes(whole_shard[: int(keep * len(whole_shard))])
    run = command(shards, tmp_path / "run")
    cut = subprocess.run(run, cwd=ROOT, capture_output=True, text=True)
    assert cut.returncode == 2
    assert f"b.{form}" in cut.stderr
    assert "Traceback" not in cut.stderr
    assert len(contents(tmp_path / "run")[0].splitlines()) >= 3
    (shards / f"b.{form}").write_bytes(whole_shard)
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True)
    assert json.loads(done.stdout)["transcripts"] == 403


def test_a_clock_that_runs_back_changes_no_grade(
    tmp_path: Path, source: Path, whole: tuple[bytes, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is current is decided by the order of the lines, never by a time."""
    run = RunDirectory.create(tmp_path / "run")
    for year in (2030, 1999, 1970):

        class Clock(datetime):
            @classmethod
            def now(cls, tz: Any = None) -> Clock:
                return cls(year, 1, 1, tzinfo=UTC)  # noqa: B023

        monkeypatch.setattr("grader.run.directory.datetime", Clock)
        grade_run(run, Input(source), STRICT, manifest={"year": year})
    assert contents(run.path) == whole
    assert run.manifest()["created_at"].startswith("2030")
    assert run.manifest()["year"] == 1970


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", "null", '"grading"', "[" * 100_000])
def test_a_damaged_manifest_is_never_replaced(tmp_path: Path, source: Path, text: str) -> None:
    run = RunDirectory.create(tmp_path / "run")
    run.manifest_path.write_text(text)
    with pytest.raises(InputError, match=r"unreadable manifest: .*Restore or delete it"):
        grade_run(run, Input(source), STRICT)
    assert run.manifest_path.read_text() == text
