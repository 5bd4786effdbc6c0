"""Labels as files: read CSV and JSONL made by people or tools, write the full history."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

from grader import __version__
from grader.errors import InputError, UserError
from grader.records import Label, LabelVerdict

from .csv_files import read_csv, read_text
from .labels import LabelStore, StoredLabel

FileFormat = Literal["csv", "jsonl"]
VERDICTS: tuple[str, ...] = get_args(LabelVerdict)
COLUMNS = (*Label.model_fields, "adjudication", "label_id", "revision")


def file_format(path: Path, given: str | None = None) -> FileFormat:
    """The format asked for, else by the file's ending. Raises `UserError` for others."""
    name = given or path.suffix.lstrip(".").lower()
    if name == "csv":
        return "csv"
    if name in ("jsonl", "ndjson", "json"):
        return "jsonl"
    raise UserError(f"{path}: cannot tell the format by its ending; pass --format csv or jsonl")


def import_labels(
    store: LabelStore,
    path: Path,
    known: Collection[str],
    *,
    annotator: str = "import",
    stage: Literal["snippet", "transcript"] = "transcript",
    form: str | None = None,
) -> tuple[int, int]:
    """Add the labels of a file; returns (new, already stored).

    Every row needs `transcript_id` and `verdict` (or `label`); `annotator`, `stage`, `reason`
    (or `note`), `seconds`, `created_at`, `unblinded`, `adjudication` are taken where present.
    All rows are checked before the first is stored. Raises `InputError` with the line for an
    unknown transcript, an unknown verdict or a malformed row. Importing a file twice adds
    nothing the second time.
    """
    now = datetime.now(UTC)
    defaults = {"annotator": annotator, "stage": stage, "created_at": now}
    batch: dict[str, tuple[Label, str, bool]] = {}
    total = 0
    for line, row in _rows(path, file_format(path, form)):
        label, adjudication = _label(path, line, row, defaults)
        if label.transcript_id not in known:
            raise InputError(
                path,
                f"transcript {label.transcript_id!r} is not in this run",
                "Import into the run it belongs to, or remove the line",
                line,
            )
        nonce = _nonce(label, adjudication, row.get("created_at"), row.get("revision"))
        batch[nonce] = (label, nonce, adjudication)
        total += 1
    new = store.add_many(batch.values())
    return new, total - new


def export_labels(labels: Iterable[StoredLabel], form: FileFormat) -> Iterator[str]:
    """The lines of a CSV or JSONL file with one label each, newline included."""
    if form == "jsonl":
        for label in labels:
            yield json.dumps(label.model_dump(mode="json"), ensure_ascii=False) + "\n"
        return
    yield _csv_line(COLUMNS)
    for label in labels:
        data = label.model_dump(mode="json")
        yield _csv_line("" if data[name] is None else data[name] for name in COLUMNS)


def _csv_line(values: Iterable[Any]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerow(values)
    return buffer.getvalue()


def _rows(path: Path, form: FileFormat) -> Iterator[tuple[int, dict[str, Any]]]:
    if form == "csv":
        yield from read_csv(path)[1]
        return
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            raise InputError(path, "not a JSON object", "One label a line, as JSON", number)
        yield number, record


def _label(
    path: Path, line: int, row: dict[str, Any], defaults: dict[str, Any]
) -> tuple[Label, bool]:
    verdict = row.get("verdict", row.get("label"))
    if "transcript_id" not in row or verdict is None:
        raise InputError(
            path,
            "a label needs `transcript_id` and `verdict` (or `label`)",
            f"This row has: {', '.join(map(str, row)) or 'nothing'}",
            line,
        )
    if verdict not in VERDICTS:
        raise InputError(
            path, f"unknown verdict {verdict!r}", f"Valid: {', '.join(VERDICTS)}", line
        )
    given = {key: row[key] for key in Label.model_fields if row.get(key) is not None}
    values = {
        "reason": str(row.get("note") or ""),
        "tool_version": f"{__version__} import",
        **defaults,
        **given,
        "transcript_id": str(row["transcript_id"]),
        "verdict": verdict,
    }
    try:
        return Label.model_validate(values), str(row.get("adjudication")).lower() in ("true", "1")
    except ValueError as error:
        raise InputError(
            path, f"not a label: {str(error).splitlines()[2].strip()}", "Correct the row", line
        ) from None


def _nonce(label: Label, adjudication: bool, created_at: object, revision: object) -> str:
    """A name for an imported act that is the same whenever the same row is imported."""
    given = label.model_dump(mode="json", exclude={"created_at", "tool_version"})
    text = json.dumps([given, adjudication, str(created_at), str(revision)], sort_keys=True)
    return "import-" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:40]
