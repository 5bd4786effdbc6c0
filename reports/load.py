"""Read a run directory into frames. (The stress test and the pages of single transcripts stream the
run's transcripts themselves: `stress/selection.py`, `build.py`.)"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy.engine import make_url

from annotate.audit import AuditSettings, audit_of
from annotate.cases import Case, case_of, gradable
from annotate.labels import open_store
from annotate.labels.consensus import final_labels
from annotate.labels.rows import StoredLabel
from annotate.sample import Sample
from annotate.sample.queue import load_sample
from grader.files.digest import file_sha256
from grader.llm.calls import read_calls
from grader.records import Transcript
from grader.run import RunDirectory

from .frame_rows import build_frames
from .frames import RunFrames


def load_run(path: Path | str, database: str | None = None) -> RunFrames:
    """The frames of one run. `database` is a label database's URL, by default the run's own.

    Raises `InputError` if there is no run at `path`, a line of it cannot be read, or it does not
    state which of its grades count.
    """
    run = RunDirectory.open(path)
    labels, sample = load_labels(run, database)
    grades = run.grades_by_transcript()
    cases: list[Case] = []

    def transcripts() -> Iterator[Transcript]:
        for transcript in run.transcripts():
            if labels:
                cases.append(case_of(transcript, grades.get(transcript.transcript_id, {})))
            yield transcript

    frames = build_frames(
        run.path.resolve().name,
        transcripts(),
        (grade for found in grades.values() for grade in found.values()),
        verdicts_by_stage(labels),
        read_calls(run.llm_calls_path),
        {**run.manifest(), "sha256": file_hashes(run)},
        run.validity().settings,
    )
    frames = replace(
        frames,
        given=_by_transcript(labels),
        missing=tuple(run.missing(frames.transcripts.index)),
        database=_without_password(database or ""),
    )
    if not labels or not cases:
        return frames
    found = audit_of(cases, labels, sample, AuditSettings(covariates=()))
    counted = frames.labels.index.isin([case.transcript_id for case in gradable(cases)])
    return replace(frames, labels=frames.labels[counted], audit=found, weighting=found.weighting)


def _by_transcript(labels: Iterable[StoredLabel]) -> dict[str, list[StoredLabel]]:
    found: dict[str, list[StoredLabel]] = {}
    for label in labels:
        found.setdefault(label.transcript_id, []).append(label)
    return found


def _without_password(database: str) -> str:
    is_url = "://" in database
    return make_url(database).render_as_string(hide_password=True) if is_url else database


def load_labels(
    run: RunDirectory, database: str | None = None
) -> tuple[list[StoredLabel], Sample | None]:
    """The current labels and their sample; nothing for a run without labels."""
    with open_store(run, database, reading=True) as store:
        return store.current(), load_sample(store)


def verdicts_by_stage(labels: Sequence[StoredLabel]) -> dict[str, dict[str, str]]:
    """Transcript_id -> the verdict at each stage, and the final one, where there is one."""
    stages = {
        "snippet": final_labels(label for label in labels if label.stage == "snippet"),
        "transcript": final_labels(labels, stage="transcript"),
        "final": final_labels(labels),
    }
    found: dict[str, dict[str, str]] = {}
    for stage, finals in stages.items():
        for transcript_id, final in finals.items():
            if final.verdict is not None:
                found.setdefault(transcript_id, {})[stage] = final.verdict
    return found


def file_hashes(run: RunDirectory) -> dict[str, Any]:
    """SHA-256 of the files a report is made from, so that it can be checked against them."""
    paths = (run.transcripts_path, run.grades_path, run.llm_calls_path)
    return {path.name: file_sha256(path) for path in paths if path.is_file()}
