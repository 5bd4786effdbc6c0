"""A run as a table: one row per transcript, or DSGym's results form with our metrics in it."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ..errors import UserError, unknown_name
from ..files.csv_files import for_spreadsheets
from ..files.json_input import as_mapping, json_or_none
from ..files.jsonl import read_lines
from ..grader_names import BLIND
from ..invisible import encodable
from ..readers import from_native
from ..readers.chunks import batched
from ..readers.dsgym import to_extra_info
from ..readers.shards import PARQUET
from ..records import Grade, Transcript
from .directory import RunDirectory
from .grade_index import MEASURES, GradeIndex
from .output_file import check_is_no_record, output_file

_TEXTS = ("transcript_id", "task_id", "question", "ground_truth", "answer_kind", "agent",
          "nudge_mode", "outcome")  # fmt: skip
_COUNTS = ("n_steps", "n_nudges", "tokens")
_ROWS_AT_A_TIME = 5000
_NOT_WRITTEN = {".jsonl", ".ndjson", ".gz", ".zst", ".zip", ".bz2", ".xz", ".xlsx", ".xls",
                ".feather", ".html"}  # fmt: skip


class RunTable:
    """A run as rows, in bounded memory: one flat dict per transcript with ids, truth, outcome,
    counts, covariates (`cov_*`), and for every grader its verdict, value and reason, and, where
    it has them, its answer-region score and its confidence.

    `columns` maps each column's name to the type of its values.
    """

    def __init__(self, run: RunDirectory) -> None:
        self._run, self._index = run, GradeIndex(run)
        self.columns: dict[str, type] = dict.fromkeys(_TEXTS, str)
        self.columns.update(dict.fromkeys(_COUNTS, int))
        self.columns.update({f"cov_{name}": str for name in _covariates(run)})
        for grader, measures in self._index.graders.items():
            name = grader.replace(":", "_")
            self.columns.update({f"{name}_{part}": str for part in ("verdict", "value", "reason")})
            self.columns.update({f"{name}_{part}": float for part in MEASURES if part in measures})

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows, in the order of the transcripts; what one lacks is None."""
        empty = dict.fromkeys(self.columns)
        with self._index.open() as grades_of:
            for transcript in self._run.transcripts():
                yield empty | _row(transcript, grades_of(transcript.transcript_id))


def _covariates(run: RunDirectory) -> list[str]:
    """The names of all covariates, in order of appearance."""
    names: dict[str, None] = {}
    for _, line in read_lines(run.transcripts_path):
        if b'"covariates"' in line:
            names.update(dict.fromkeys(from_native(as_mapping(json_or_none(line))).task.covariates))
    return list(names)


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
        "n_nudges": transcript.n_nudges,
        "tokens": sum(step.token_count or 0 for step in steps),
    }
    for name, value in task.covariates.items():
        row[f"cov_{name}"] = value
    for grade in grades:
        name = grade.grader.replace(":", "_")
        row[f"{name}_verdict"] = grade.verdict
        row[f"{name}_value"] = grade.value
        row[f"{name}_reason"] = grade.reason
        for measure in MEASURES:
            if measure in grade.evidence:
                row[f"{name}_{measure}"] = grade.evidence[measure]
    return {
        name: encodable(value) if isinstance(value, str) else value for name, value in row.items()
    }


def to_csv(run: RunDirectory, path: Path) -> int:
    """Write the rows as CSV (UTF-8; texts that a spreadsheet would take for a formula begin with
    an apostrophe); returns how many."""
    table, count = RunTable(run), 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(table.columns), lineterminator="\r\n")
        writer.writeheader()
        for count, row in enumerate(table.rows(), 1):  # noqa: B007
            writer.writerow({name: for_spreadsheets(value) for name, value in row.items()})
    return count


def to_parquet(run: RunDirectory, path: Path) -> int:
    """Write the rows as Parquet, some thousands to a row group; returns how many."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {str: pa.string(), int: pa.int64(), float: pa.float64()}
    table, count = RunTable(run), 0
    schema = pa.schema([(name, types[kind]) for name, kind in table.columns.items()])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for rows in batched(table.rows(), _ROWS_AT_A_TIME):
            writer.write_table(pa.Table.from_pylist(list(rows), schema=schema))
            count += len(rows)
    return count


def to_dsgym(run: RunDirectory, path: Path) -> int:
    """Write DSGym's results form, which has final outputs but no earlier steps: a JSON list whose
    `metrics` hold our graders' scores (1.0 correct, 0.0 incorrect or no answer, none for
    ungraded); returns how many."""
    count = 0
    with GradeIndex(run).open() as grades_of, path.open("w", encoding="ascii") as file:
        file.write("[")
        for count, transcript in enumerate(run.transcripts(), 1):
            record = _dsgym_record(transcript, grades_of(transcript.transcript_id))
            file.write((",\n" if count > 1 else "\n") + json.dumps(record, ensure_ascii=True))
        file.write("\n]\n")
    return count


def _dsgym_record(transcript: Transcript, grades: list[Grade]) -> dict[str, Any]:
    blind = next((g.value for g in grades if g.grader == BLIND), None)
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
        "extra_info": to_extra_info(transcript),
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


EXPORTERS: dict[str, tuple[str, Callable[[RunDirectory, Path], int]]] = {
    "csv": ("grades.csv", to_csv),
    "parquet": ("grades.parquet", to_parquet),
    "dsgym": ("dsgym_results.json", to_dsgym),
}


def format_of(path: Path | None) -> str:
    """The format that a file's ending stands for, where none is named. Raises `UserError` for the
    ending of a form that is not written here, as a table in CSV would not be read under it."""
    ending = path.suffix.lower() if path else ""
    if path and ending in _NOT_WRITTEN:
        check_is_no_record(path)
        raise UserError(f"{path}: no {ending} is written. End it in .csv, .parquet or .json")
    return "parquet" if ending in PARQUET else "dsgym" if ending == ".json" else "csv"


def export(run: RunDirectory, format: str, path: Path | None = None) -> tuple[Path, int]:
    """Write a run in one of `EXPORTERS`' formats; returns the file and how many transcripts.
    Raises `UserError` for an unknown format, or if the file cannot be written or is a record of
    a run."""
    if format not in EXPORTERS:
        raise unknown_name("format", format, list(EXPORTERS))
    name, write = EXPORTERS[format]
    target = path or run.path / name
    with output_file(target) as place:
        return target, write(run, place)
