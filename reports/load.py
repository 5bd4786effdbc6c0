"""Read a run directory into frames. The only place in `reports` that reads runs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from annotate.audit import audit_of
from annotate.cases import Case, case_of
from annotate.consensus import final_labels
from annotate.label_rows import StoredLabel
from annotate.labels import open_store
from annotate.queue import load_sample
from annotate.sample import Sample
from grader.errors import InputError
from grader.llm.calls import read_calls
from grader.records import Grade, Transcript
from grader.run import RunDirectory
from grader.settings import GradeSettings

from .frames import RunFrames, build_frames

_CHUNK = 1 << 20


def load_run(path: Path | str, database: str | None = None) -> RunFrames:
    """The frames of one run. `database` is a label database's URL, by default the run's own.

    Raises `InputError` if there is no run at `path` or a line of it cannot be read.
    """
    run = RunDirectory.open(path)
    labels, sample = load_labels(run, database)
    grades = grades_of_run(run)
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
        grade_settings(run),
    )
    if not labels or not cases:
        return frames
    return replace(frames, audit=audit_of(cases, labels, sample, covariates=()))


def grade_settings(run: RunDirectory) -> GradeSettings:
    """The settings of the latest grading pass; the defaults where the run does not state them.

    Raises `InputError` if the manifest states settings that are none.
    """
    stated = run.manifest().get("grading")
    settings = stated.get("settings") if isinstance(stated, Mapping) else None
    try:
        return GradeSettings.model_validate({} if settings is None else settings)
    except ValidationError as error:
        raise InputError(
            run.manifest_path,
            f"`grading.settings` cannot be used: {error.errors()[0]['msg']}",
            f"Grade the run again: grader grade {run.path}",
        ) from None


def grades_of_run(run: RunDirectory) -> dict[str, dict[str, Grade]]:
    """Current grades by transcript_id, then grader."""
    found: dict[str, dict[str, Grade]] = {}
    for (transcript_id, grader), grade in run.grades().items():
        found.setdefault(transcript_id, {})[grader] = grade
    return found


def load_labels(
    run: RunDirectory, database: str | None = None
) -> tuple[list[StoredLabel], Sample | None]:
    """The current labels, and the sample they were drawn as; nothing for a run without labels."""
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
    return {path.name: _sha256(path) for path in paths if path.is_file()}


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
