"""Small run directories, and commands on them, for the tests of annotate/."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from grader.cli import main
from grader.records import Grade, Step, Task, Transcript, Verdict
from grader.run import RunDirectory
from tests.graded import add_grades


def transcript(
    number: int,
    output: str | None = None,
    *,
    truth: str = "0.25",
    question: str | None = None,
    covariates: Mapping[str, str] | None = None,
    agent: str = "",
) -> Transcript:
    """One transcript `tNNN` whose single step ends in an answer."""
    name = f"t{number:03d}"
    text = f"I counted the rows.\n\nThe proportion of item {number} is **0.25**."
    return Transcript(
        transcript_id=name,
        task=Task(
            task_id=f"task{number:03d}",
            question=question or f"What is the proportion of item {number}?",
            ground_truth=truth,
            covariates=dict(covariates or {}),
        ),
        steps=(
            Step(
                instruction_text="secret-nudge-text", raw_output=text if output is None else output
            ),
        ),
        agent=agent,
    )


def grade(transcript_id: str, grader: str, verdict: Verdict, **evidence: object) -> Grade:
    return Grade(
        transcript_id=transcript_id,
        task_id=transcript_id.replace("t", "task"),
        grader=grader,
        verdict=verdict,
        evidence=evidence,
    )


def make_run(
    path: Path, transcripts: Iterable[Transcript], grades: Iterable[Grade] = ()
) -> RunDirectory:
    """A run directory on disk."""
    run = RunDirectory.create(path)
    with run.append_transcripts() as appender:
        for one in transcripts:
            appender.add(one)
    add_grades(run, grades)
    return run


def say(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Run a command: (exit code, stdout, stderr)."""
    code = main([str(argument) for argument in arguments])
    streams = capsys.readouterr()
    return code, streams.out, streams.err
