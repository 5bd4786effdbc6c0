"""Checked rows of a label file, as acts of labelling."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple, get_args

from pydantic import Field, ValidationError, field_validator

from grader import __version__
from grader.errors import InputError, first_fault
from grader.files.json_input import as_text
from grader.records import Label, LabelVerdict

from ..verdict_keys import VERDICT_KEYS, verdict_keys
from .files import COLUMNS, Row
from .rows import GivenLabel, checked_annotator, storable
from .schema import LONGEST_VERSION

VERDICTS: tuple[str, ...] = get_args(LabelVerdict)
READ = frozenset({*COLUMNS, "label", "note", "task_id"})
NEEDED = "a label needs `transcript_id` and `verdict` (or `label`)"
TIME = "2026-11-20T10:00:00+01:00"
IMPORTED = " import"  # how the tool version of a row that names none ends
_BETWEEN = re.compile(r"[\s_\-‐‑–]+")  # what stands between and around the words of a verdict
CLOCKS_DIFFER = timedelta(minutes=10)  # tolerated; a missing time zone makes half an hour or more

log = logging.getLogger("grader")


class ImportedLabel(GivenLabel):
    """A label of a file. Refuses values that spreadsheets mangle, such as dates as numbers; numbers
    as ids are read as in runs. `revision` orders acts of the same time, as in an export."""

    seconds: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    tool_version: str = Field(default="", max_length=LONGEST_VERSION)
    revision: int | None = None

    _names = field_validator("transcript_id", "annotator", mode="before")(as_text)
    _annotator = field_validator("annotator")(checked_annotator)

    @field_validator("created_at", mode="before")
    @classmethod
    def _is_date(cls, value: object) -> object:
        """Raises `ValueError` for a bare number, which would be taken for seconds since 1970."""
        try:
            float(str(value))
        except ValueError:
            return value
        raise ValueError("a number, not a date")


class Act(NamedTuple):
    """A row of a file: the label, and the fields that the row itself gives. `turn` counts the acts
    of the same time before it that say the same, as of one who returned to a label."""

    line: int
    label: ImportedLabel
    given: frozenset[str]
    turn: int = 0

    def says(self, other: Label) -> bool:
        """Whether another label equals this row in every field that the row gives."""
        return all(getattr(self.label, name) == getattr(other, name) for name in self.given)

    def may_be(self, other: Act) -> bool:
        """Whether another row of the same time may stand for the same act: unless the revisions of
        both differ."""
        revisions = {self.label.revision, other.label.revision}
        return len(revisions) == 1 or None in revisions

    def may_return_after(self, other: Label) -> bool:
        """Whether this row, which a label before `other` said already, may replace `other`. Without
        a time it cannot have been meant as a correction of a label that was given here."""
        return "created_at" in self.given or other.tool_version.endswith(IMPORTED)


def acts_of(path: Path, rows: Iterable[Row], defaults: Mapping[str, Any]) -> Iterator[Act]:
    """The acts of a file. `defaults` fill the fields that a row does not give; their time is now.
    Raises `InputError` for an invalid row."""
    for line, row in rows:
        try:
            act = _act(line, row, defaults)
        except ValidationError as error:
            where, what = first_fault(error)
            remedy = f"Write it like {TIME}" if where == "created_at" else "Correct the row"
            raise InputError(path, f"{where}: {what}", remedy, line) from None
        except (ValueError, OverflowError) as error:  # a time that is outside of all years in UTC
            raise InputError(path, str(error), "Correct the row", line) from None
        if act.label.created_at > defaults["created_at"] + CLOCKS_DIFFER:
            problem = f"created_at {act.label.created_at:%Y-%m-%d %H:%M} UTC is in the future"
            remedy = f"Write the time with its zone ({TIME}), or set the clock"
            raise InputError(path, problem, remedy, line)
        yield act


def check_columns(path: Path, header: Sequence[str] | None, rows: Sequence[Row]) -> None:
    """Check the columns of a file; warn of those that are not read. Raises `InputError` for a file
    without rows, with a column that looks like a misspelt one of `READ`, or with a `header`, its
    first line, that lacks a column that is needed."""
    first = {name: line if header is None else 1 for line, row in reversed(rows) for name in row}
    if not first:
        raise InputError(path, "no labels in it", "A label needs `transcript_id` and `verdict`")
    others = sorted(first.keys() - READ)
    missing = READ - first.keys()
    for name in others:
        near = [one for one in missing if one == name.strip().casefold()]
        if near := near or get_close_matches(name, missing, n=1, cutoff=0.8):
            raise InputError(
                path, f"unknown column {name!r}", f"Did you mean {near[0]!r}?", first[name]
            )
    if header is not None and not ("transcript_id" in header and {"verdict", "label"} & {*header}):
        problem = f"{NEEDED}; the columns are: {', '.join(header)}"
        raise InputError(path, problem, "The first line must name the columns", 1)
    if others:
        log.warning("%s: columns not read: %s", path, ", ".join(others))


def _act(line: int, row: Mapping[str, Any], defaults: Mapping[str, Any]) -> Act:
    verdict = _either(row, "verdict", "label")
    if isinstance(verdict, str):
        verdict = SPELLINGS.get(_spelling(verdict), verdict.strip())
    if row.get("transcript_id") is None or verdict is None:
        columns = ", ".join(map(str, row)) or "nothing"
        raise ValueError(f"{NEEDED}; this row has: {columns}")
    if verdict not in VERDICTS:
        raise ValueError(f"unknown verdict {verdict!r}; valid: {', '.join(VERDICTS)}")
    said = {**row, "verdict": verdict, "reason": _either(row, "reason", "note")}
    values = {key: said[key] for key in ImportedLabel.model_fields if said.get(key) is not None}
    label = ImportedLabel.model_validate(
        {"tool_version": __version__ + IMPORTED, **defaults, **values}
    )
    if label.retracted and "created_at" not in values:
        raise ValueError("a retracted label needs created_at, the time when it was given")
    if label.verdict not in verdict_keys(label.stage):
        raise ValueError(
            f"{label.verdict!r} is a verdict on snippets, this row is of stage {label.stage!r}: "
            "give it stage=snippet, or pass --stage snippet for rows that name none"
        )
    if label.adjudication and label.verdict == "needs_transcript":
        raise ValueError(
            "an adjudication settles a disagreement, and 'needs_transcript' settles none: give the "
            "verdict, or leave adjudication out"
        )
    return Act(line, storable(label), frozenset(values.keys() & Label.model_fields.keys()))


def _spelling(verdict: str) -> str:
    """A verdict without what people write differently: `Non-match` as `nonmatch`."""
    return _BETWEEN.sub("", verdict).casefold()


SPELLINGS = {_spelling(verdict): verdict for verdict in VERDICTS}
SPELLINGS |= {_spelling(key.name): verdict for verdict, key in VERDICT_KEYS.items()}
SPELLINGS["nomatch"] = "non_match"


def _either(row: Mapping[str, Any], *names: str) -> object:
    """The value of a row under either of two names. Raises `ValueError` if they contradict."""
    said = {name: row[name] for name in names if row.get(name) not in (None, "")}
    values = list(said.values())
    if any(value != values[0] for value in values):
        raise ValueError(
            "columns contradict each other: " + ", ".join(f"{k} {v!r}" for k, v in said.items())
        )
    return values[0] if values else None
