"""Labels made elsewhere: which rows of a file are new to a store."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple, get_args

from grader import __version__
from grader.errors import InputError
from grader.records import Label, LabelStage, LabelVerdict

from . import LabelStore, NewLabel
from .files import COLUMNS, file_format, read_rows
from .rows import StoredLabel, storable

VERDICTS: tuple[str, ...] = get_args(LabelVerdict)
READ = frozenset({*COLUMNS, "label", "note", "task_id"})
Place = tuple[str, str, str, bool]
Moment = tuple[Place, datetime]

log = logging.getLogger("grader")


class _Act(NamedTuple):
    """A row of a file: the label, and the fields that the row itself gives."""

    line: int
    label: Label
    adjudication: bool
    retracted: bool
    given: frozenset[str]

    @property
    def place(self) -> Place:
        """What a later label supersedes this one at."""
        return _place(self.label, self.adjudication)

    @property
    def moment(self) -> Moment:
        """What no two acts share."""
        return self.place, self.label.created_at

    def says(self, other: Label) -> bool:
        """Whether another label says all that this row gives."""
        return all(getattr(self.label, name) == getattr(other, name) for name in self.given)

    def corrects(self, standing: Label) -> bool:
        """Whether this row says other than the label that stands, and is not older. A row
        without a time speaks of now."""
        older = "created_at" in self.given and self.label.created_at < standing.created_at
        return not older and not self.says(standing)


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
    (or `note`), `seconds`, `created_at`, `unblinded`, `adjudication`, `retracted` are taken where
    present. All rows are checked before the first is stored. Raises `InputError` with the line for
    an unknown transcript, an unknown verdict, a malformed row, rows that contradict each other or
    a misspelled column. Importing a file twice adds nothing the second time, unless the label that
    stands is another by then. A label that was taken back, here or there, does not come back.
    """
    rows = list(read_rows(path, file_format(path, form)))
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
    _refuse_contradictions(path, acts)
    history = store.history()
    new = store.add_many(_new_labels(acts, history, store.current()), _taken_back(acts, history))
    return new, len(acts) - new


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
    retracted = _is_true(row, "retracted")
    if retracted and "created_at" not in given:
        problem = "a label that was taken back has no created_at"
        raise InputError(path, problem, "Say when it was given, or remove the row", line)
    return _Act(line, storable(label), _is_true(row, "adjudication"), retracted, frozenset(given))


def _is_true(row: dict[str, Any], name: str) -> bool:
    return str(row.get(name)).lower() in ("true", "1")


def _refuse_contradictions(path: Path, acts: Iterable[_Act]) -> None:
    said: dict[Moment, _Act] = {}
    for act in acts:
        first = said.setdefault(act.moment, act)
        if (first.label.verdict, first.retracted) != (act.label.verdict, act.retracted):
            label = act.label
            raise InputError(
                path,
                f"line {first.line} says something else of {label.transcript_id!r} by "
                f"{label.annotator!r}",
                "Keep the row that holds, or say who gave each label (`annotator`) and when "
                "(`created_at`)",
                act.line,
            )


def _taken_back(acts: Iterable[_Act], history: Iterable[StoredLabel]) -> list[StoredLabel]:
    """The labels of a store that were taken back elsewhere."""
    named = {act.moment for act in acts if act.retracted}
    return [x for x in history if not x.retracted and _moment(x) in named]


def _new_labels(
    acts: Sequence[_Act], history: Iterable[StoredLabel], current: Iterable[StoredLabel]
) -> Iterator[NewLabel]:
    """The rows to add. A row that says what was said before is no new act, unless it is the file's
    last word on its place and corrects what stands there now; and never if that was taken back."""
    said: dict[Place, list[tuple[Label, bool]]] = {}  # each with whether it was taken back
    for label in history:
        said.setdefault(_place(label, label.adjudication), []).append((label, label.retracted))
    standing: dict[Place, Label] = {_place(label, label.adjudication): label for label in current}
    last = {act.place: number for number, act in enumerate(acts) if not act.retracted}
    for number, act in enumerate(acts):
        before, now = said.setdefault(act.place, []), standing.get(act.place)
        alike = [retracted for label, retracted in before if act.says(label)]
        corrects = last.get(act.place) == number and now is not None and act.corrects(now)
        if alike and (all(alike) or not corrects):
            continue
        yield NewLabel(act.label, _nonce(act, len(before)), act.adjudication, act.retracted)
        before.append((act.label, act.retracted))
        if not act.retracted:
            standing[act.place] = act.label


def _moment(label: StoredLabel) -> Moment:
    return _place(label, label.adjudication), label.created_at


def _place(label: Label, adjudication: bool) -> Place:
    return (label.transcript_id, label.annotator, label.stage, adjudication)


def _nonce(act: _Act, acts_before: int) -> str:
    """A name for an act that is the same when two import the same file at the same time."""
    given = act.label.model_dump(mode="json", exclude={"created_at", "tool_version"})
    text = json.dumps([given, act.adjudication, acts_before], sort_keys=True)
    return "import-" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:40]
