"""Which transcripts of a run `grader stress` uses, and what it prints."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from grader.cli import main
from grader.records import Grade
from grader.run import RunDirectory
from reports.stress.perturb import NOISES
from reports.stress.selection import transcripts_with_answers
from tests.graded import add_grades
from tests.grader.transcripts import transcript

COUNT, EACH = 40, 200_000
FIXTURES = Path(__file__).parents[2] / "fixtures"


def made(path: Path) -> RunDirectory:
    """A run of long transcripts, of which every second has a known answer."""
    run = RunDirectory.create(path)
    with run.append_transcripts() as appender:
        for number in range(COUNT):
            text = "x" * EACH + f"\n\nThe mean is 0.{number:02}"
            appender.add(transcript(text, transcript_id=str(number)))
    add_grades(
        run,
        (
            Grade(transcript_id=str(number), task_id="t1", grader="cascade",
                  verdict="correct", value=f"0.{number:02}")
            for number in range(0, COUNT, 2)
        ),
    )  # fmt: skip
    return run


def test_they_are_spread_over_the_run(tmp_path: Path) -> None:
    run = made(tmp_path / "run")
    pairs, left_out = transcripts_with_answers(run, 5)
    assert left_out == COUNT // 2
    assert [one.transcript_id for one, _ in pairs] == ["0", "8", "16", "24", "32"]
    assert [answer.value for _, answer in pairs] == [0, 0.08, 0.16, 0.24, 0.32]
    assert len(transcripts_with_answers(run, COUNT)[0]) == COUNT // 2


def test_no_more_of_a_run_is_held_than_they_are(tmp_path: Path) -> None:
    run = made(tmp_path / "run")
    tracemalloc.start()
    pairs, _ = transcripts_with_answers(run, 2)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(pairs) == 2
    assert peak < COUNT * EACH / 2


def test_each_kind_of_case_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    run, recorded = str(tmp_path / "run"), str(FIXTURES / "transcripts.jsonl")
    judged = f"replay:{FIXTURES / 'judge_replies.jsonl'}"
    assert main(["grade", recorded, "--run", run, "--lenient", judged]) == 0
    assert main(["stress", run, "--graders", "strict_blind"]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in NOISES)
    assert "truth just inside tolerance" in printed
    assert "truth just outside tolerance" in printed
