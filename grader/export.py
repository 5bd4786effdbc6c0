"""A run as a table: one row per transcript, or DSGym's results form with our metrics in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import unknown_name
from .records import Grade, Transcript
from .run import RunDirectory

if TYPE_CHECKING:
    import pandas as pd


def rows(run: RunDirectory) -> Iterator[dict[str, Any]]:
    """One flat dict per transcript: ids, truth, outcome, counts, covariates (`cov_*`), and
    for every grader its verdict, value and reason; for the keyword grader its region score,
    for the blind one its confidence."""
    grades: dict[str, list[Grade]] = {}
    for grade in run.grades().values():
        grades.setdefault(grade.transcript_id, []).append(grade)
    for transcript in run.transcripts():
        yield _row(transcript, grades.get(transcript.transcript_id, []))


def frame(run: RunDirectory) -> pd.DataFrame:
    """The rows as a data frame."""
    import pandas as pd

    return pd.DataFrame(list(rows(run)))


def _row(transcript: Transcript, grades: list[Grade]) -> dict[str, Any]:
    steps, task = transcript.steps, transcript.task
    row: dict[str, Any] = {
        "transcript_id": transcript.transcript_id,
        "task_id": task.task_id,
        "question": task.question,
        "ground_truth": task.ground_truth,
        "answer_kind": task.answer_kind,
        "agent": transcript.agent,
        "nudge_mode": transcript.nudge_mode,
        "outcome": transcript.outcome,
        "n_steps": len(steps),
        "n_nudges": sum(step.instruction_type.startswith("nudge") for step in steps),
        "tokens": sum(step.token_count or 0 for step in steps),
    }
    for name, value in task.covariates.items():
        row[f"cov_{name}"] = value
    for grade in sorted(grades, key=lambda g: g.grader):
        name = grade.grader.replace(":", "_")
        row[f"{name}_verdict"] = grade.verdict
        row[f"{name}_value"] = grade.value
        row[f"{name}_reason"] = grade.reason
        if "confidence" in grade.evidence:
            row[f"{name}_confidence"] = grade.evidence["confidence"]
        elif "region_score" in grade.evidence:
            row[f"{name}_region_score"] = grade.evidence["region_score"]
    return row


def to_csv(run: RunDirectory, path: Path) -> int:
    """Write the rows as CSV (UTF-8); returns how many."""
    table = frame(run)
    table.map(_printable).to_csv(path, index=False)
    return len(table)


def to_parquet(run: RunDirectory, path: Path) -> int:
    """Write the rows as Parquet; returns how many."""
    table = frame(run)
    table.map(_printable).to_parquet(path, index=False)
    return len(table)


def to_dsgym(run: RunDirectory, path: Path) -> int:
    """Write DSGym's results form: a JSON list whose `metrics` hold our graders' scores (1.0
    correct, 0.0 incorrect or no answer, none for ungraded); returns how many."""
    grades: dict[str, list[Grade]] = {}
    for grade in run.grades().values():
        grades.setdefault(grade.transcript_id, []).append(grade)
    records = [
        _dsgym_record(transcript, grades.get(transcript.transcript_id, []))
        for transcript in run.transcripts()
    ]
    text = json.dumps(records, indent=1, ensure_ascii=True)
    path.write_text(text + "\n", encoding="utf-8")
    return len(records)


def _dsgym_record(transcript: Transcript, grades: list[Grade]) -> dict[str, Any]:
    blind = next((g.value for g in grades if g.grader == "strict_blind"), None)
    return {
        "sample_id": transcript.transcript_id,
        "dataset_name": transcript.metadata.get("dataset_name", ""),
        "query": transcript.task.question,
        "ground_truth": transcript.task.ground_truth,
        "prediction": blind or "",
        "raw_response": transcript.steps[-1].raw_output if transcript.steps else "",
        "metrics": {g.grader: _dsgym_metric(g) for g in grades},
        "total_turns": len(transcript.steps),
        "success": transcript.problem is None,
        "extra_info": {"outcome": transcript.outcome, "task_id": transcript.task.task_id},
    }


def _dsgym_metric(grade: Grade) -> dict[str, Any]:
    ungraded = grade.verdict == "ungraded"
    return {
        "metric_name": grade.grader,
        "score": None if ungraded else float(grade.verdict == "correct"),
        "details": {"verdict": grade.verdict, "reason": grade.reason, "value": grade.value},
        "success": not ungraded,
        "skipped": ungraded,
    }


def _printable(value: object) -> object:
    """Lone surrogates cannot be encoded; everything else stays."""
    if isinstance(value, str):
        return value.encode("utf-8", errors="replace").decode("utf-8")
    return value


EXPORTERS: dict[str, tuple[str, Callable[[RunDirectory, Path], int]]] = {
    "csv": ("grades.csv", to_csv),
    "parquet": ("grades.parquet", to_parquet),
    "dsgym": ("dsgym_results.json", to_dsgym),
}


def export(run: RunDirectory, format: str, path: Path | None = None) -> tuple[Path, int]:
    """Write a run in one of `EXPORTERS`' formats; returns the file and how many transcripts.
    Raises `UserError` for an unknown format or if the file cannot be written."""
    if format not in EXPORTERS:
        raise unknown_name("format", format, list(EXPORTERS))
    name, write = EXPORTERS[format]
    target = path or run.path / name
    try:
        return target, write(run, target)
    except OSError as error:
        from .jsonl import cannot_write

        raise cannot_write(target, error) from error
