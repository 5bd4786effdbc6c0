"""Import of label files: which rows are new to a store."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from grader.errors import InputError
from grader.records import LabelStage

from .acts import Act, acts_of, check_columns
from .files import file_format, read_rows
from .rows import GivenLabel, LabelKey, StoredLabel, key_of_label
from .store import LabelStore, NewLabel


class Imported(NamedTuple):
    """The rows of a file: how many are new to the store, how many were there already, and how many
    repeat another row of the file."""

    new: int
    known: int
    repeated: int = 0


def import_labels(
    store: LabelStore,
    path: Path,
    known: Collection[str],
    *,
    annotator: str = "import",
    stage: LabelStage = "transcript",
    form: str | None = None,
) -> Imported:
    """Add the labels of a file.

    Every row needs `transcript_id` and `verdict` (or `label`); `annotator`, `stage`, `reason` (or
    `note`), `seconds`, `created_at`, `unblinded`, `adjudication`, `retracted` are taken where
    present. All rows are checked before the first is stored. Raises `InputError` with the line for
    an unknown transcript, an unknown verdict, a malformed row, rows that contradict each other or a
    misspelled column. Importing a file twice adds nothing the second time, unless another import
    replaced its label in between. An older label does not supersede a newer one. A label retracted
    in the store or in the file does not come back.
    """
    if not path.exists():
        raise InputError(path, "cannot read: no such file", "Check the path")
    header, rows = read_rows(path, file_format(path, form))
    check_columns(path, header, rows)
    defaults = {"annotator": annotator, "stage": stage, "created_at": datetime.now(UTC)}
    acts = list(acts_of(path, rows, defaults))
    _refuse_unknown(path, acts, known)
    _refuse_contradictions(path, acts)
    acts.sort(key=lambda act: act.label.created_at)
    history = store.history()
    new = store.add_many(_new_labels(acts, history, store.current()), _taken_back(acts, history))
    repeated = _repeated(acts)
    return Imported(new, len(acts) - new - repeated, repeated)


def _refuse_unknown(path: Path, acts: Iterable[Act], known: Collection[str]) -> None:
    for act in acts:
        if act.label.transcript_id not in known:
            raise InputError(
                path,
                f"transcript {act.label.transcript_id!r} is not in this run",
                "Import into the run it belongs to, or remove the line",
                act.line,
            )


def _refuse_contradictions(path: Path, acts: Iterable[Act]) -> None:
    said: dict[tuple[LabelKey, datetime], Act] = {}
    for act in acts:
        first, label = said.setdefault(_moment(act.label), act), act.label
        if (first.label.verdict, first.label.retracted) != (label.verdict, label.retracted):
            raise InputError(
                path,
                f"contradicts line {first.line} on {label.transcript_id!r} by {label.annotator!r}",
                "Keep the correct row, or state who gave each label (`annotator`) and when "
                "(`created_at`)",
                act.line,
            )


def _taken_back(acts: Iterable[Act], history: Iterable[StoredLabel]) -> list[StoredLabel]:
    """The labels of a store that a file marks as retracted."""
    named = {_moment(act.label) for act in acts if act.label.retracted}
    return [x for x in history if not x.retracted and _moment(x) in named]


def _new_labels(
    acts: Sequence[Act], history: Iterable[StoredLabel], current: Iterable[StoredLabel]
) -> Iterator[NewLabel]:
    """The labels to add, of acts in order of time.

    A row that equals an earlier label is skipped, unless it is the file's last row of that key, the
    current label differs and the row may return after it. It is always skipped if that earlier
    label was retracted.
    """
    said: dict[LabelKey, list[GivenLabel]] = {}
    for label in history:
        said.setdefault(key_of_label(label), []).append(label)
    current_by_key: dict[LabelKey, GivenLabel] = {key_of_label(label): label for label in current}
    last = {key_of_label(act.label): act for act in acts if not act.label.retracted}
    for act in acts:
        key = key_of_label(act.label)
        before, now = said.setdefault(key, []), current_by_key.get(key)
        is_newest = now is None or act.label.created_at >= now.created_at
        alike = [label.retracted for label in before if act.says(label)]
        differs = now is not None and not act.says(now) and act.may_return_after(now)
        corrects = last.get(key) is act and is_newest and differs
        if alike and (all(alike) or not corrects):
            continue
        yield NewLabel(act.label, _nonce(act, len(before)))
        before.append(act.label)
        if is_newest and not act.label.retracted:
            current_by_key[key] = act.label


def _repeated(acts: Iterable[Act]) -> int:
    """How many acts say nothing that an earlier one of the file does not say."""
    said: dict[LabelKey, list[GivenLabel]] = {}
    count = 0
    for act in acts:
        before = said.setdefault(key_of_label(act.label), [])
        count += any(map(act.says, before))
        before.append(act.label)
    return count


def _moment(label: GivenLabel) -> tuple[LabelKey, datetime]:
    """A key that no two acts share: the label's key and the time when it was given."""
    return key_of_label(label), label.created_at


def _nonce(act: Act, acts_before: int) -> str:
    """A name for an act, the same in two simultaneous imports of one file."""
    given = act.label.model_dump(mode="json", exclude={"created_at", "tool_version", "retracted"})
    text = json.dumps([given, acts_before], sort_keys=True)
    return "import-" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:40]
