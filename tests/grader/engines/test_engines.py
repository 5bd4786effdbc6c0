from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil
import pytest

from grader.engines import open_engine
from grader.engines.processes import ProcessEngine
from grader.engines.ray_data import gave_up
from grader.errors import UserError
from grader.passes.grading import grade_run
from grader.passes.input import Input
from grader.passes.plan import Plan
from grader.passes.strict_pass import StrictPass
from grader.passes.summary import Summary
from grader.readers import read, warn_once
from grader.readers.chunks import Chunk
from grader.readers.native_lines import Lines
from grader.records import Transcript
from grader.run import RunDirectory
from grader.run.ledger import Ledger
from grader.run.validity import Validity
from tests.bench import corpus
from tests.grader.recorded import GOOD, write
from tests.grader.strict_runs import STRICT, contents
from tests.grader.transcripts import transcript
from tests.shared_data import ROOT
from tests.waiting import wait_until


def made(path: Path, shards: int = 1, each: int = 60, form: str = "jsonl") -> Path:
    """A shard, or a folder of them."""
    if shards == 1:
        corpus.write(path, each)
        return path
    path.mkdir()
    for number in range(shards):
        corpus.write(path / f"part-{number}.{form}", each, start=number * each)
    return path


def grade(run: Path, source: Path, workers: int = 1, plan: Plan = STRICT) -> Summary:
    engine = open_engine("local", workers)
    return grade_run(RunDirectory.create(run), Input(source), plan, engine=engine)


def test_workers_write_the_same_run_byte_for_byte(tmp_path: Path) -> None:
    source = made(tmp_path / "shards", shards=3, each=110)
    broken = b'{"transcript_id": \n' + corpus_line(7) + b"[]\n" + corpus_line(7)
    (tmp_path / "shards/part-9.jsonl").write_bytes(broken)  # unreadable records and twins
    one, two = grade(tmp_path / "1", source), grade(tmp_path / "2", source, workers=2)
    assert contents(tmp_path / "1") == contents(tmp_path / "2")
    assert one == two
    assert one.transcripts == 3 * 110 + 4
    assert [problem.split(":")[0] for _, problem in one.problems] == [
        "duplicate_id",
        "duplicate_id",
        "line 1 is not valid JSON (Expecting value",
        "line 3 is not a JSON object",
    ]


def corpus_line(number: int) -> bytes:
    return json.dumps(corpus.record(number)).encode() + b"\n"


def test_workers_continue_what_one_process_began(tmp_path: Path) -> None:
    source = made(tmp_path / "all.jsonl", each=250)
    first = tmp_path / "first.jsonl"
    first.write_bytes(b"".join(source.read_bytes().splitlines(keepends=True)[:120]))
    grade(tmp_path / "run", first)
    resumed = grade(tmp_path / "run", source, workers=2)
    again = grade(tmp_path / "run", source, workers=2)
    grade(tmp_path / "whole", source)
    assert (resumed.graded_now, again.graded_now) == (130 * 4, 0)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_the_order_of_the_shards_does_not_change_a_grade(tmp_path: Path) -> None:
    lines = made(tmp_path / "a.jsonl", each=80).read_bytes().splitlines(keepends=True)
    (tmp_path / "b.jsonl").write_bytes(b"".join(reversed(lines)))
    grade(tmp_path / "1", tmp_path / "a.jsonl")
    grade(tmp_path / "2", tmp_path / "b.jsonl", workers=2)
    one, two = RunDirectory.open(tmp_path / "1"), RunDirectory.open(tmp_path / "2")
    assert one.grades_by_transcript() == two.grades_by_transcript()


@pytest.mark.parametrize("form", ["jsonl.gz", "jsonl.zst", "parquet"])
def test_every_form_of_shard_gives_the_same_run(tmp_path: Path, form: str) -> None:
    grade(tmp_path / "plain", made(tmp_path / "jsonl", shards=2, each=30))
    grade(tmp_path / "run", made(tmp_path / "other", shards=2, each=30, form=form))
    assert contents(tmp_path / "plain") == contents(tmp_path / "run")


def test_a_pattern_names_shards(tmp_path: Path) -> None:
    made(tmp_path / "s", shards=3, each=5)
    assert [t.transcript_id for t in read(tmp_path / "s" / "part-[02].jsonl")] == [
        f"made-{n}" for n in (*range(5), *range(10, 15))
    ]


class Interrupting:
    """An engine that kills one of its workers once a few chunks are graded."""

    def __init__(self, workers: int) -> None:
        self._engine = ProcessEngine(workers)
        self.killed: list[int] = []

    def chunks(self, path: Path, format: str) -> Iterator[Chunk]:
        return self._engine.chunks(path, format)

    def grade(self, strict_pass: StrictPass, chunks: Iterable[Chunk]) -> Iterator[object]:
        for number, batch in enumerate(self._engine.grade(strict_pass, chunks)):
            if number in (1, 3):
                victim = psutil.Process().children(recursive=True)[-1]
                victim.send_signal(signal.SIGKILL)
                self.killed.append(victim.pid)
            yield batch


def test_a_killed_worker_doubles_and_loses_nothing(tmp_path: Path) -> None:
    source = made(tmp_path / "all.jsonl", each=900)
    engine = Interrupting(2)
    run = RunDirectory.create(tmp_path / "run")
    grade_run(run, Input(source), STRICT, engine=engine)  # type: ignore[arg-type]
    assert len(engine.killed) == 2
    grade(tmp_path / "whole", source)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


class Deadly:
    """A chunk that kills whoever reads it."""

    def transcripts(self) -> Iterator[Transcript]:
        os.kill(os.getpid(), signal.SIGKILL)
        return iter(())


def test_a_record_that_kills_every_worker_is_one_clear_error() -> None:
    strict_pass = StrictPass(STRICT, Ledger(Validity()), None)
    with pytest.raises(UserError, match="keep being killed"):
        list(ProcessEngine(1).grade(strict_pass, [Lines("x", ()), Deadly()]))


class DeadlyOnce(Deadly):
    """A chunk that kills only its first reader, who leaves a mark."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def transcripts(self) -> Iterator[Transcript]:
        if self._mark.exists():
            return iter(())
        self._mark.touch()
        return super().transcripts()


def test_a_long_pass_outlives_any_number_of_deaths_that_are_not_in_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.engines.processes.MOST_DEATHS", 1)
    strict_pass = StrictPass(STRICT, Ledger(Validity()), None)
    chunks = [DeadlyOnce(tmp_path / str(number)) for number in range(2)]
    assert [batch.chunk for batch in ProcessEngine(1).grade(strict_pass, chunks)] == chunks


def test_workers_end_when_the_parent_is_killed(tmp_path: Path) -> None:
    source = made(tmp_path / "all.jsonl", each=1500)
    command = [sys.executable, "-m", "grader", "grade", str(source), "--run", str(tmp_path / "run"),
               "--lenient", "off", "--workers", "2", "--json"]  # fmt: skip
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    grades = tmp_path / "run/grades.jsonl"
    wait_until(lambda: grades.exists() and grades.stat().st_size > 0)
    workers = psutil.Process(process.pid).children(recursive=True)
    assert len(workers) >= 2
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(workers, timeout=20)
    assert not alive


def test_grading_in_threads_and_forks_gives_the_same_rewards() -> None:
    """`verify` has no global state: eight threads at once, and forked children."""
    from grader import verify

    texts = [t.steps[0].raw_output for t in map(from_corpus, range(40))]
    truths = [t.task.ground_truth or "" for t in map(from_corpus, range(40))]
    expected = [verify(a, b) for a, b in zip(texts, truths, strict=True)]
    found: dict[int, list[float]] = {}

    def work(index: int) -> None:
        found[index] = [verify(a, b) for a, b in zip(texts, truths, strict=True)]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found[i] == expected for i in range(8))
    assert 0 < sum(expected) < len(expected)
    read_end, write_end = os.pipe()
    if (child := os.fork()) == 0:
        work(99)
        os.write(write_end, json.dumps(found[99]).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert json.loads(os.read(read_end, 1 << 16)) == expected


def from_corpus(number: int) -> Transcript:
    from grader.readers import from_native

    return from_native(corpus.record(number))


@pytest.mark.parametrize(
    ("name", "workers", "message"),
    [("rey", 1, "Did you mean 'ray'"), ("local", 0, "--workers 0: at least 1")],
)
def test_senseless_engines_are_refused(name: str, workers: int, message: str) -> None:
    with pytest.raises(UserError, match=message):
        open_engine(name, workers)


def test_an_address_of_ray_goes_with_ray() -> None:
    with pytest.raises(UserError, match="--ray-address auto: goes with --engine ray"):
        open_engine("local", 1, "auto")


def test_transcripts_in_memory_go_through_workers_too(tmp_path: Path) -> None:
    source = [transcript(f"It is 0.{n}.", transcript_id=str(n)) for n in range(30)]
    for workers in (1, 2):
        run = RunDirectory.create(tmp_path / str(workers))
        grade_run(run, source, STRICT, engine=open_engine(workers=workers))
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


def test_an_error_of_ray_may_have_no_text() -> None:
    assert str(gave_up(ConnectionError())).startswith("Ray: ConnectionError. What was graded")
    assert str(gave_up(ConnectionError("a\nb "))).startswith("Ray: ConnectionError: b. What")


def importing(process: psutil.Process) -> bool:
    """Whether it is a worker in its first second."""
    return "spawn_main" in " ".join(process.cmdline()) and process.cpu_times().user > 0.1


def test_an_interrupt_while_workers_start_says_one_line(tmp_path: Path) -> None:
    """As a terminal sends it, to all processes at once."""
    command = [sys.executable, "-m", "grader", "grade", str(made(tmp_path / "in.jsonl", each=300)),
               "--run", str(tmp_path / "run"), "--lenient", "off", "--workers", "2"]  # fmt: skip
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    parent = psutil.Process(process.pid)
    wait_until(lambda: any(importing(child) for child in parent.children()))
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert errors == "grader grade: interrupted; run the same command to continue\n"
    assert process.returncode == 130


@pytest.mark.parametrize("workers", [1, 3])
def test_warnings_of_workers_are_told_here_once(
    tmp_path: Path, workers: int, caplog: pytest.LogCaptureFixture
) -> None:
    warn_once._warned.clear()
    odd = {"raw_output": "The answer is 1.", "instruction_type": "nudge", "token_count": "many"}
    source = tmp_path / "runs"
    source.mkdir()
    for part in range(4):
        write(source / f"{part}.jsonl", {**GOOD, "transcript_id": f"t{part}", "steps": [odd]})
    grade(tmp_path / "run", source, workers)
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 2
    assert told[0].startswith("t0, and perhaps others: instruction_type 'nudge' counts as")
    assert told[1].startswith("t0, and perhaps others: token_count: some steps have a value")
