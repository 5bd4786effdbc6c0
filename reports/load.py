"""Read a run directory into frames. The only place in `reports` that reads runs."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from grader.llm.calls import read_calls
from grader.records import Grade
from grader.run import RunDirectory

from .frames import RunFrames, build_frames

_CHUNK = 1 << 20


def load_run(path: Path | str, database: str | None = None) -> RunFrames:
    """The frames of one run. `database` is a label database's URL, by default the run's own.

    Raises `InputError` if there is no run at `path` or a line of it cannot be read.
    """
    run = RunDirectory.open(path)
    labels, strata = load_labels(run, database)
    return build_frames(
        run.path.resolve().name,
        run.transcripts(),
        run.grades().values(),
        labels,
        read_calls(run.llm_calls_path),
        strata,
        {**run.manifest(), "sha256": file_hashes(run)},
    )


def grades_of_run(run: RunDirectory) -> dict[str, dict[str, Grade]]:
    """Current grades by transcript_id, then grader."""
    found: dict[str, dict[str, Grade]] = {}
    for (transcript_id, grader), grade in run.grades().items():
        found.setdefault(transcript_id, {})[grader] = grade
    return found


def load_labels(
    run: RunDirectory, database: str | None = None
) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """Verdicts by stage and the final one, and the sampling stratum, by transcript_id; both
    empty for a run without labels."""
    if database is None and not run.labels_path.is_file():
        return {}, {}
    from annotate.labels import LabelStore
    from annotate.queue import load_sample
    from annotate.truth import final_labels

    store = LabelStore.open(database or run.labels_path)
    try:
        current, sample = store.current(), load_sample(store)
    finally:
        store.close()
    stages = {
        "snippet": final_labels(label for label in current if label.stage == "snippet"),
        "transcript": final_labels(current, stage="transcript"),
        "final": final_labels(current),
    }
    labels: dict[str, dict[str, str]] = {}
    for stage, finals in stages.items():
        for transcript_id, final in finals.items():
            if final.verdict is not None:
                labels.setdefault(transcript_id, {})[stage] = final.verdict
    return labels, {item.transcript_id: item.stratum for item in sample.items} if sample else {}


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
