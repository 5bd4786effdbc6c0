"""Labels as files: read CSV and JSONL made by people or tools, write the full history."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import logging
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from grader import __version__
from grader.csv_files import read_csv, read_text
from grader.errors import InputError, UserError
from grader.records import Label, LabelStage, LabelVerdict

from .label_rows import StoredLabel, storable
from .labels import LabelStore

FileFormat = Literal["csv", "jsonl"]
VERDICTS: tuple[str, ...] = get_args(LabelVerdict)
COLUMNS = (*Label.model_fields, "adjudication", "label_id", "revision")
READ = frozenset({*COLUMNS, "label", "note", "task_id"})
Place = tuple[str, str, str, bool]

log = logging.getLogger("grader")


class _Act(NamedTuple):
    """A row of a file: the label, and the fields that the row itself gives."""

    label: Label
    adjudication: bool
    given: frozenset[str]

    @property
    def place(self) -> Place:
        """What a later label supersedes this one at."""
        return _place(self.label, self.adjudication)

    def says(self, other: Label) -> bool:
        """Whether another label says all that this row gives."""
        return all(getattr(self.label, name) == getattr(other, name) for name in self.given)

    def corrects(self, standing: Label | None) -> bool:
        """Whether this row says other than the label that stands, and is not older. A row
        without a time speaks of now."""
        dated = "created_at" in self.given
        if standing is None:
            return not dated
        older = dated and self.label.created_at < standing.created_at
        return not older and not self.says(standing)


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
    stage: LabelStage = "transcript",
    form: str | None = None,
) -> tuple[int, int]:
    """Add the labels of a file; returns (new, already stored).

    Every row needs `transcript_id` and `verdict` (or `label`); `annotator`, `stage`, `reason`
    (or `note`), `seconds`, `created_at`, `unblinded`, `adjudication` are taken where present.
    All rows are checked before the first is stored. Raises `InputError` with the line for an
    unknown transcript, an unknown verdict, a malformed row or a misspelled column. Importing a
    file twice adds nothing the second time, unless the label that stands is another by then.
    """
    rows = list(_rows(path, file_format(path, form)))
    _check_columns(path, rows)
    defaults = {"annotator": annotator, "stage": stage, "created_at": datetime.now(UTC)}
    acts = []
    for line, row in rows:
        act = _act(path, line, row, defaults)
        if act.label.transcript_id not in known:
            raise InputError(
                path,
                f"transcript {act.label.transcript_id!r} is not in this run",
                "Import into the run it belongs to, or remove the line",
                line,
            )
        acts.append(act)
    new = store.add_many(_new_acts(acts, store))
    return new, len(acts) - new


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


def _check_columns(path: Path, rows: Iterable[tuple[int, dict[str, Any]]]) -> None:
    """Refuse a file without rows, and a column that is all but one of `READ`; name the columns
    that are not read."""
    first = {name: line for line, row in reversed(list(rows)) for name in row}
    if not first:
        raise InputError(path, "no labels in it", "A label needs `transcript_id` and `verdict`")
    others = sorted(first.keys() - READ)
    missing = READ - first.keys()
    for name in others:
        if near := get_close_matches(name, missing, n=1, cutoff=0.8):
            raise InputError(
                path, f"unknown column {name!r}", f"Did you mean {near[0]!r}?", first[name]
            )
    if others:
        log.warning("%s: columns not read: %s", path, ", ".join(others))


def _act(path: Path, line: int, row: dict[str, Any], defaults: dict[str, Any]) -> _Act:
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
    if row.get("note"):
        given = {"reason": str(row["note"]), **given}
    given |= {"transcript_id": str(row["transcript_id"]), "verdict": verdict}
    values = {"tool_version": f"{__version__} import", **defaults, **given}
    try:
        label = Label.model_validate(values)
    except ValueError as error:
        raise InputError(
            path, f"not a label: {str(error).splitlines()[2].strip()}", "Correct the row", line
        ) from None
    adjudication = str(row.get("adjudication")).lower() in ("true", "1")
    return _Act(storable(label), adjudication, frozenset(given))


def _new_acts(acts: Sequence[_Act], store: LabelStore) -> Iterator[tuple[Label, str, bool]]:
    """The rows to add, each with a name for the act. A row that says what was said before is no
    new act, unless it is the file's last word on its place and corrects what stands there now."""
    said: dict[Place, list[Label]] = {}
    for label in store.history():
        said.setdefault(_place(label, label.adjudication), []).append(label)
    standing: dict[Place, Label] = {_place(x, x.adjudication): x for x in store.current()}
    last = {act.place: number for number, act in enumerate(acts)}
    for number, act in enumerate(acts):
        before, now = said.setdefault(act.place, []), standing.get(act.place)
        corrects = last[act.place] == number and act.corrects(now)
        if any(map(act.says, before)) and not corrects:
            continue
        yield act.label, _nonce(act, len(before)), act.adjudication
        before.append(act.label)
        standing[act.place] = act.label


def _place(label: Label, adjudication: bool) -> Place:
    return (label.transcript_id, label.annotator, label.stage, adjudication)


def _nonce(act: _Act, acts_before: int) -> str:
    """A name for an act that is the same when two import the same file at the same time."""
    given = act.label.model_dump(mode="json", exclude={"created_at", "tool_version"})
    text = json.dumps([given, act.adjudication, acts_before], sort_keys=True)
    return "import-" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:40]
