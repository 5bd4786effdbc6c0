"""Import of label files: which rows are new to a store."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from grader.errors import InputError
from grader.records import LabelStage

from ..wording import counted
from .checked_rows import Act, acts_of, check_columns
from .files import file_format, read_rows
from .rows import GivenLabel, LabelKey, StoredLabel, key_of_label
from .store import LabelStore, NewLabel

Moment = tuple[LabelKey, datetime]

log = logging.getLogger("grader")


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
    `note`), `seconds`, `created_at`, `unblinded`, `adjudication`, `retracted`, `revision` are
    taken where present. All rows are checked before the first is stored. Raises `InputError` with
    the line for an unknown transcript, an unknown verdict, a malformed row, rows that contradict
    each other or a misspelled column. Importing a file twice adds nothing the second time, unless
    another import replaced its label in between. An older label does not supersede a newer one. A
    label retracted in the store or in the file does not come back.
    """
    if not path.exists():
        raise InputError(path, "cannot read: no such file", "Check the path")
    header, rows = read_rows(path, file_format(path, form))
    check_columns(path, header, rows)
    defaults = {"annotator": annotator, "stage": stage, "created_at": datetime.now(UTC)}
    acts = list(acts_of(path, rows, defaults))
    _refuse_unknown(path, acts, known)
    _refuse_contradictions(path, acts)
    acts.sort(key=lambda act: (act.label.created_at, act.label.revision or 0))
    distinct, history = list(_distinct(acts)), store.history()
    taken_back = _taken_back(distinct, history)
    gone = {label.label_id for label in taken_back}
    current = [label for label in store.current() if label.label_id not in gone]
    added = list(_new_labels(distinct, history, current))
    new = store.add_many(added, taken_back)
    _warn_of_older(path, added, current)
    return Imported(new, len(distinct) - new, len(acts) - len(distinct))


def _warn_of_older(path: Path, added: Iterable[NewLabel], current: Iterable[StoredLabel]) -> None:
    """Warn of added labels that do not count, as a later one was there: such as a correction whose
    time is a mere date."""
    latest = {key_of_label(label): label.created_at for label in current}
    given = [label for label, _ in added if not label.retracted and key_of_label(label) in latest]
    older = sum(label.created_at < latest[key_of_label(label)] for label in given)
    if older:
        log.warning(
            "%s: %s without effect: there is one by the same annotator with a later created_at",
            path,
            counted(older, "label"),
        )


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
    said: dict[Moment, dict[int | None, Act]] = {}
    for act in acts:
        label, there = act.label, said.setdefault(_moment(act.label), {})
        there.setdefault(label.revision, act)
        for other in filter(act.may_be, there.values()):
            if (other.label.verdict, other.label.retracted) != (label.verdict, label.retracted):
                raise InputError(
                    path,
                    f"contradicts line {other.line} on {label.transcript_id!r} by "
                    f"{label.annotator!r}",
                    "Keep the correct row, or state who gave each label (`annotator`) and when "
                    "(`created_at`)",
                    act.line,
                )


def _distinct(acts: Iterable[Act]) -> Iterator[Act]:
    """The acts without those that say what an earlier row says of the same act, each with its
    turn."""
    earlier: dict[Moment, list[Act]] = {}
    for act in acts:
        before = earlier.setdefault(_moment(act.label), [])
        alike = [other for other in before if act.says(other.label)]
        if not any(map(act.may_be, alike)):
            before.append(act)
            yield act._replace(turn=len(alike))


def _taken_back(acts: Iterable[Act], history: Iterable[StoredLabel]) -> list[StoredLabel]:
    """The labels of a store that a file marks as retracted: those of the same verdict and time. Of
    several, the one that says the same in all."""
    stored: dict[tuple[Moment, str], list[StoredLabel]] = {}
    for label in history:
        stored.setdefault((_moment(label), label.verdict), []).append(label)
    found: list[StoredLabel] = []
    for act in acts:
        if act.label.retracted:
            there = stored.get((_moment(act.label), act.label.verdict), [])
            alike = [label for label in there if act.says(label)] or there
            found += alike[act.turn : act.turn + 1]
    return [label for label in found if not label.retracted]


def _new_labels(
    acts: Sequence[Act], history: Iterable[StoredLabel], current: Iterable[StoredLabel]
) -> Iterator[NewLabel]:
    """The labels to add, of acts in order of time.

    A row that equals an earlier label is skipped, unless it is the file's last row of that key, the
    current label differs and the row may return after it. It is always skipped if that earlier
    label was retracted. An earlier label stands for one act only, by the act's turn.
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
        alike = [label.retracted for label in before if act.says(label)][act.turn :]
        differs = now is not None and not act.says(now) and act.may_return_after(now)
        corrects = last.get(key) is act and is_newest and differs
        if alike and (all(alike) or not corrects):
            continue
        yield NewLabel(act.label, _nonce(act, len(before)))
        before.append(act.label)
        if is_newest and not act.label.retracted:
            current_by_key[key] = act.label


def _moment(label: GivenLabel) -> Moment:
    """The label's key and the time when it was given. Only a correction of an imported label shares
    it with the act before."""
    return key_of_label(label), label.created_at


def _nonce(act: Act, acts_before: int) -> str:
    """A name for an act, the same in two simultaneous imports of one file."""
    given = act.label.model_dump(
        mode="json", exclude={"created_at", "tool_version", "retracted", "revision"}
    )
    text = json.dumps([given, acts_before], sort_keys=True)
    return "import-" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:40]
